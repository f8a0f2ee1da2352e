/**
 * `npm test`: installs, builds and runs all tests, on a fresh clone as on the hundredth run. Arguments go to jest:
 * `npm test -- core/host -t "keeps the order"`. With `--shuffle`, files and suites run in a random order, whose seed is printed and can be
 * given again with `--seed=<n>`.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as os from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { assertNode } from './lib/assert-node.mjs';

assertNode('npm test');
const { ensureBuilt } = await import('./lib/ensure-built.mjs');
const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
const { assertChromium, findChromium } = await import('./lib/find-chromium.mjs');
const { assertMachine } = await import('./lib/machine.mjs');
const { root, run } = await import('./lib/run.mjs');
const { forgetTally, writeTally } = await import('./lib/tally.mjs');
const { ensureTestPrograms } = await import('./lib/test-programs.mjs');

/**
 * More than there are cores: the longest tests wait for timers and other processes for two thirds of their time. Each may have a
 * platform and a browser, which take less than a gigabyte of memory.
 */
const workers = Math.min(os.availableParallelism() + 3, Math.ceil(os.totalmem() / 1e9));
const jest = join(root, 'node_modules/jest/bin/jest.js');
/** Jest passes them to its workers. These load so much that cleaning up a small heap takes a twentieth of their processor time. */
const heapFlags = ['--min-semi-space-size=32', '--max-semi-space-size=32', '--initial-old-space-size=256'];

try {
  process.exitCode = await test(process.argv.slice(2));
} catch (error) {
  console.error(`npm test: ${error.message}`);
  process.exitCode = 1;
}

async function test(words) {
  const filters = words.filter((word) => word !== '--shuffle');
  forgetTally('tests');
  assertMachine();
  assertChromium();
  await ensureInstalled({ withTools: true });
  await ensureBuilt();
  // Before the tests, so that a person sees the download. Some tests alone may do without.
  await ensureTestPrograms().catch((error) => {
    if (filters.length === 0) throw error;
    console.error(error.message);
  });
  const isShuffled = words.includes('--shuffle');
  const shuffle = isShuffled ? { GANTRY_TEST_SHUFFLE: 'yes' } : {};
  const environment = { ...process.env, GANTRY_TEST_CHROMIUM: await findChromium(), ...shuffle };
  const options = [`--maxWorkers=${workers}`, ...(isShuffled ? ['--showSeed'] : [])];
  return report(await runJest([...options, ...filters], environment), filters);
}

async function runJest(filters, env) {
  const output = join(root, 'reports/jest.json');
  mkdirSync(dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const options = ['--json', `--outputFile=${output}`, '--passWithNoTests'];
  const code = await run(process.execPath, [...heapFlags, jest, ...options, ...filters], { env });
  try {
    return { code, ...JSON.parse(readFileSync(output, 'utf8')) };
  } catch {
    return {
      code: code === 0 ? 1 : code,
      numPassedTests: 0,
      numFailedTests: 0,
      numRuntimeErrorTestSuites: 1,
      numPendingTests: 0,
      testResults: [],
    };
  }
}

function report(result, filters) {
  const skipped = filters.length === 0 ? result.numPendingTests : 0;
  const passed = result.numPassedTests;
  // A suite that did not even load hides its tests, and a run may fail in its set-up or teardown alone.
  const broken = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const isEmpty = filters.length > 0 && passed === 0 && broken === 0;
  const failed = skipped + (broken === 0 && (isEmpty || result.code !== 0) ? 1 : broken);
  if (isEmpty) {
    console.error(
      `No test is chosen by ${filters.join(' ')}. Name files that end with .test.ts; those in suites/ and rights/ are run by the one above.`,
    );
  }
  if (skipped > 0) console.error(`${skipped} tests were skipped; a test that cannot run has to fail.`);
  console.log(`\nTests: ${passed} passed, ${failed} failed`);
  writeTally('tests', { passed, failed, failures: failuresOf(result) });
  return failed === 0 ? 0 : 1;
}

/** Each failed test, or suite that did not load, with where it is and the beginning of why. */
function failuresOf({ testResults }) {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const whole = tests.length === 0 ? [{ fullName: 'the whole file', failureMessages: [message] }] : tests;
      return whole.map(({ fullName, failureMessages }) => {
        const lines = stripVTControlCharacters(failureMessages.join('\n')).split('\n');
        return `${relative(root, name)} › ${fullName}\n${lines.slice(0, 15).join('\n')}`;
      });
    });
}
