import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { stripVTControlCharacters } from 'node:util';
import type { PluginCheckLine } from '@gantry/contracts';
import { z } from 'zod';
import type { CheckedPlugin } from '@gantry/core-loader';
import { settingsOf, systemEnvironment } from './check-environment';
import { deprecationLines, okLine, problemLine, warningLine } from './check-lines';
import type { CheckOptions } from './check-options';
import type { CheckProblemCode } from './check-problems';
import { npmCommand, runNpm } from '../packages/run-npm';

const tenMinutes = 10 * 60_000;
/** Of the output of tests that fail; its end says what failed. */
const maxDetails = 200;

/**
 * Runs the tests of a package, where it is and with the environment of a check.
 * @throws PluginError PLUGIN_NOT_FETCHED where there is no npm; the signal's reason when it aborts
 */
export async function testsLines(
  { folder, manifest }: CheckedPlugin,
  {
    environment,
    signal,
    tests: { timeoutMs = tenMinutes } = {},
  }: Pick<CheckOptions, 'environment' | 'signal' | 'tests'>,
): Promise<readonly PluginCheckLine[]> {
  if (manifest === undefined) return [];
  if (!(await hasTests(folder))) {
    const remedy = 'Name a command in scripts.test of its package.json';
    return [warningLine('code/tests-missing', 'The package has no tests', { remedy })];
  }
  const startedAt = performance.now();
  const run = await runNpm(['test'], {
    cwd: folder,
    environment: { ...systemEnvironment(environment), ...settingsOf(manifest, environment) },
    command: npmCommand(environment['npm_execpath']),
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  const output = stripVTControlCharacters(run.output);
  const deprecated = deprecationLines(deprecationsIn(output));
  if (run.exitCode === 0) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    return [okLine('code/tests', `Its tests passed (npm test, ${seconds} s)`), ...deprecated];
  }
  const how = run.timedOut
    ? `they did not finish within ${timeoutMs / 1000} seconds`
    : `exit code ${run.exitCode ?? 'unknown'}`;
  const problem = problemLine('code', {
    code: 'TESTS_FAILED' satisfies CheckProblemCode,
    message: `Its tests failed (npm test): ${how}`,
    remedy: 'Run npm test in the folder of its sources; a tarball and a package of npm come without devDependencies',
  });
  const lines = output.trimEnd().split('\n');
  return [{ ...problem, details: lines.slice(-maxDetails) }, ...deprecated];
}

/** Each once, as Node.js prints them: `(node:42) [GANTRY_DEP001] DeprecationWarning: …`. */
function deprecationsIn(output: string): readonly string[] {
  const found = output.matchAll(/\[(GANTRY_DEP\d+)\] DeprecationWarning: (.*)/g);
  return [...new Set(Array.from(found, ([, code = '', message = '']) => `${code}: ${message}`))];
}

const scriptsSchema = z.object({ scripts: z.object({ test: z.string().min(1) }) });

async function hasTests(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  return scriptsSchema.safeParse(JSON.parse(text)).success;
}
