import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './run.mjs';
import { startOfProcess } from './start-of-process.mjs';

/**
 * Refuses when a platform already runs on the data folder of this start, before anything is installed or built: that would
 * take the packages away under its feet. `gantry up` finds the cases that cannot be detected here.
 * @param words The arguments of the start; with `--only` it joins the platform that runs
 */
export function assertNoneRuns(words, environment = process.env) {
  if (environment.GANTRY_ONLY || words.some((word) => word.startsWith('--only'))) return;
  const home = resolve(root, environment.GANTRY_HOME || '.gantry');
  const { launcher, address } = readRunFile(home);
  if (launcher === undefined || startOfProcess(launcher.pid) !== launcher.startedAt) return;
  const where = [`process ${launcher.pid}`, ...(address === undefined ? [] : [address])].join(', ');
  throw new Error(
    `Gantry already runs on ${home} (${where}).\n  Use that platform, or stop it with: kill ${launcher.pid}; a second platform needs another GANTRY_HOME and another GANTRY_PORT.`,
  );
}

function readRunFile(home) {
  try {
    return JSON.parse(readFileSync(`${home}/run.json`, 'utf8')) ?? {};
  } catch {
    return {};
  }
}
