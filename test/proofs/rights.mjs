/**
 * Random roles and requests on two platforms that differ only in what the role does not show: their answers are the same, apart
 * from request ids and times, and each is what the role says. The test that `npm test` runs, with more cases.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export const sizes = { full: { cases: 10_000 } };

/** @param {{ seed: number, size: { cases: number } }} options */
export default async function prove({ seed, size: { cases } }) {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const child = spawn(process.execPath, [jest, 'core/host/test/content/policy/non-interference'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, GANTRY_RIGHTS_CASES: String(cases), GANTRY_RIGHTS_SEED: String(seed) },
    stdio: 'inherit',
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error('An answer differs, or is not what the role says; see above.');
  return `${cases} requests: the same answers, and as the roles say`;
}
