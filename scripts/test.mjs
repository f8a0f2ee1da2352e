/**
 * `npm test`: installs, builds and runs all tests, on a fresh clone as on the hundredth run. Arguments go to jest:
 * `npm test -- core/host -t "keeps the order"`.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { requireChromium } from './lib/require-chromium.mjs';
import { root, runNode } from './lib/run.mjs';
import { forgetTally, writeTally } from './lib/tally.mjs';

/** More than there are cores: tests that start platforms wait for timers and other processes for some of their time. */
const workers = availableParallelism() + 2;

try {
  process.exitCode = await test(process.argv.slice(2));
} catch (error) {
  console.error(`npm test: ${error.message}`);
  process.exitCode = 1;
}

async function test(filters) {
  forgetTally('tests');
  const environment = filters.length === 0 ? requireChromium(process.env) : process.env;
  await ensureInstalled();
  await ensureBuilt();
  return report(await runJest(filters, environment), filters);
}

async function runJest(filters, env) {
  const output = join(root, 'reports/jest.json');
  mkdirSync(dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const options = [`--maxWorkers=${workers}`, '--json', `--outputFile=${output}`];
  const code = await runNode('node_modules/jest/bin/jest.js', [...options, '--passWithNoTests', ...filters], { env });
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
  const failed = skipped + (broken === 0 && result.code !== 0 ? 1 : broken);
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
