import { rmSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from '../../scripts/lib/run.mjs';

/**
 * Claim: orders end as they should, each row once, although host, servers and workers are killed while they are under way. Runs
 * the tests of test/faults, which `npm test` leaves to this proof; small, without those that kill the servers, as the proof
 * orders-kills does. They make no random choices, so that the seed has no effect.
 */
export const sizes = {
  ci: { name: 'ci', files: ['test/faults/host-killed', 'test/faults/workers-missing'], workers: 2 },
  full: { name: 'full', files: ['test/faults'], workers: 1 },
};

/** @param {{ size: { name: string, files: readonly string[], workers: number } }} options */
export default async function prove({ size }) {
  const output = join(root, 'reports/faults.json');
  rmSync(output, { force: true });
  const options = [`--maxWorkers=${size.workers}`, '--json', `--outputFile=${output}`, ...size.files];
  const env = { ...process.env, GANTRY_FAULTS_SIZE: size.name };
  const code = await runNode('node_modules/jest/bin/jest.js', options, { env });
  if (code !== 0) throw new Error('Tests of test/faults failed; their output is above.');
  return `${JSON.parse(readFileSync(output, 'utf8')).numPassedTests} tests passed`;
}
