/**
 * Boots the built platform in a temporary home and lets schemathesis send it whatever its own OpenAPI document allows, and
 * what it does not (schemathesis.toml). The answers must be the ones the document promises: never a 5xx, no unknown status,
 * content type or shape. `npm run fuzz` sends the requests of the seed in schemathesis.toml; `npm run fuzz -- --explore` those
 * of a new seed, which it prints, and `npm run fuzz -- --seed=<number>` those of that one again. With `--role=<name>`, sign-in is
 * required, and the requests have the token of a service account with that role (sign-in.mjs). With `--kinds`, the requests are those of
 * the sample `assortment` alone, whose types have a field of every kind, for at most 70 s.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/lib/ensure-built.mjs';
import { ensureInstalled } from '../../scripts/lib/ensure-installed.mjs';
import { ensurePythonTools } from '../../scripts/lib/python-tools.mjs';
import { root, run as runProgram } from '../../scripts/lib/run.mjs';
import { forgetTally, writeTally } from '../../scripts/lib/tally.mjs';
import { bootPlatform } from './boot-platform.mjs';
import { signInAs } from './sign-in.mjs';

const configuration = join(root, 'test/fuzz/schemathesis.toml');
const reportFolder = join(root, 'reports');
const reportFile = join(reportFolder, 'fuzz.json');

/** The types of the sample; `goodscsv` and `goodsjsonl` are like `goods`. */
const kindOptions = ['--include-path-regex', '/(?:goods|supplier)(?:/|$)', '--max-time=70'];

try {
  const words = process.argv.slice(2);
  const isRole = (word) => word.startsWith('--role=');
  const role = words.find(isRole)?.slice('--role='.length);
  const hasKinds = words.includes('--kinds');
  const others = words.filter((word) => !isRole(word) && word !== '--kinds');
  process.exitCode = await fuzz([...seedOptions(others), ...(hasKinds ? kindOptions : [])], role, hasKinds);
} catch (error) {
  console.error(`npm run fuzz: ${error.message}`);
  process.exitCode = 1;
}

/** Options of schemathesis for its seed. */
function seedOptions(words) {
  const [word, ...more] = words;
  if (word === undefined) return [];
  const seed = word === '--explore' ? String(randomInt(2 ** 31)) : /^--seed=(\d+)$/.exec(word)?.[1];
  if (seed === undefined || more.length > 0) {
    throw new Error(`Options are --explore or --seed=<number>, --role=<name>, and --kinds; got "${words.join(' ')}".`);
  }
  console.log(`The seed is ${seed}. To send the same requests again: npm run fuzz -- --seed=${seed}`);
  return [`--seed=${seed}`];
}

async function fuzz(options, role, hasKinds) {
  const name = hasKinds ? 'fuzz-kinds' : 'fuzz';
  forgetTally(name);
  mkdirSync(reportFolder, { recursive: true });
  rmSync(reportFile, { force: true });
  await ensureInstalled({ withTools: true });
  await ensureBuilt();
  const tools = await ensurePythonTools();
  const platform = await bootPlatform(hasKinds ? ['assortment'] : []);
  try {
    const header = role === undefined ? [] : ['--header', await signInAs(platform, role)];
    const code = await schemathesis(join(tools, 'python'), platform.url, [...options, ...header]);
    await platform.assertReady();
    return tally(code, name);
  } finally {
    await platform.stop();
  }
}

function schemathesis(python, url, options) {
  const command = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    configuration,
    'run',
    `${url}/api/openapi.json`,
    ...options,
  ];
  // It leaves caches in its working directory.
  return runProgram(python, [...command, '--report=json', `--report-json-path=${reportFile}`], {
    cwd: reportFolder,
    env: { ...process.env, SCHEMATHESIS_HOOKS: join(root, 'test/fuzz/hooks.py') },
  });
}

/** Counts operations: one with any failure is failed, however many requests showed it. */
function tally(code, name) {
  const { operations, failures, errors } = JSON.parse(readFileSync(reportFile, 'utf8'));
  const wrongOperations = [...new Set(failures.flatMap((failure) => failure.operations))];
  const wrong = wrongOperations.length + errors.length;
  const failed = code !== 0 && wrong === 0 ? 1 : wrong;
  const passed = Math.max(operations.tested - wrong, 0);
  console.log(`\nAPI operations: ${passed} passed, ${failed} failed`);
  const command = name === 'fuzz' ? 'npm run fuzz' : 'npm run fuzz -- --kinds';
  writeTally(name, { passed, failed, failures: wrongOperations.map((operation) => `${command}, ${operation}`) });
  return failed === 0 ? 0 : 1;
}
