/**
 * `npm run prove <name> …`: runs proofs, which are randomised tests at the size that a claim needs (hundreds of kills,
 * thousands of cases). Without a name it runs all of them.
 *
 *   npm run prove backup -- --seed=42
 *   npm run prove -- --size=ci
 *   npm run prove -- --size=ci --without=event-loop
 *
 * A proof is a module test/proofs/<name>.mjs that exports `sizes` ({ ci, full }: its parameters for a run of at most a
 * minute, and for the complete proof; `.ci/run` leaves out one without `ci`) and, as default, `prove({ seed, size, log })`. It
 * throws when the claim does not hold and returns one line with its numbers. It may export `obstacle()`: what the machine lacks
 * for it, if anything.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { root } from './lib/run.mjs';
import { forgetTally, writeTally } from './lib/tally.mjs';
import { ensureTestPrograms } from './lib/test-programs.mjs';

const folder = join(root, 'test/proofs');
const usage =
  'Usage: npm run prove [name …] -- [--seed=<number>] [--size=ci|full] [--without=<name>] [--tally=<file of its result>]';

try {
  process.exitCode = await proveAll(process.argv.slice(2));
} catch (error) {
  console.error(`npm run prove: ${error.message}`);
  process.exitCode = 2;
}

async function proveAll(args) {
  const { names, isNamed, seed, sizeName, tallyName } = parseOptions(args);
  forgetTally(tallyName);
  await ensureInstalled({ withTools: true });
  await ensureBuilt();
  Object.assign(process.env, await ensureTestPrograms());
  const failures = [];
  let passed = 0;
  for (const name of names) {
    const { default: prove, sizes, obstacle } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    if (sizes[sizeName] === undefined) {
      console.log(`\n=== ${name} is left out: it has no size ${sizeName}, only ${Object.keys(sizes).join(' and ')}`);
      if (isNamed) failures.push(`${name} has no size ${sizeName}`);
      continue;
    }
    const lacking = obstacle?.();
    if (lacking !== undefined) {
      console.error(`\n=== ${name} CANNOT RUN here: ${lacking}`);
      failures.push(`${name}: ${lacking}`);
      continue;
    }
    const failure = await proveOne({ name, prove, size: sizes[sizeName] }, seed, sizeName);
    if (failure === undefined) passed += 1;
    else failures.push(failure);
  }
  console.log(`\nProofs: ${passed} passed, ${failures.length} failed`);
  writeTally(tallyName, { passed, failed: failures.length, failures });
  return failures.length === 0 ? 0 : 1;
}

function parseOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      size: { type: 'string', default: 'full' },
      without: { type: 'string', multiple: true, default: [] },
      tally: { type: 'string', default: 'proofs' },
    },
  });
  const known = readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.slice(0, -'.mjs'.length));
  const unknown = [...positionals, ...values.without].filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No such proof: ${unknown.join(', ')}. Known: ${known.join(', ')}. ${usage}`);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed must be a whole number. ${usage}`);
  if (!['ci', 'full'].includes(values.size)) throw new Error(`--size must be ci or full. ${usage}`);
  const wanted = positionals.length > 0 ? positionals : known;
  const names = wanted.filter((name) => !values.without.includes(name));
  return { names, isNamed: positionals.length > 0, seed, sizeName: values.size, tallyName: values.tally };
}

/** @returns what failed, with the command that repeats it; undefined when the proof holds */
async function proveOne({ name, prove, size }, seed, sizeName) {
  const command = `npm run prove ${name} -- --seed=${seed} --size=${sizeName}`;
  console.log(`\n=== ${command}`);
  const begin = performance.now();
  const seconds = () => ((performance.now() - begin) / 1_000).toFixed(1);
  try {
    const summary = await prove({ seed, size, log: (line) => console.log(`  ${line}`) });
    console.log(`=== ${name} holds after ${seconds()} s: ${summary}`);
    return undefined;
  } catch (error) {
    console.error(`=== ${name} FAILED after ${seconds()} s: ${error.stack ?? error}`);
    return `${command}\n${error.message}`;
  }
}
