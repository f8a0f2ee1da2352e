import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from './run.mjs';

/**
 * Refuses when a platform already runs on the data folder of this start, before anything is installed or built: that would
 * take the packages away under its feet. What cannot be told here, `gantry up` finds out by itself.
 * @param words The arguments of the start; with `--only` it joins the platform that runs
 */
export function assertNoneRuns(words, environment = process.env) {
  if (environment.GANTRY_ONLY || words.some((word) => word.startsWith('--only'))) return;
  const home = resolve(root, environment.GANTRY_HOME || '.gantry');
  const { launcher, address } = readRunFile(home);
  if (launcher === undefined || startOf(launcher.pid) !== launcher.startedAt) return;
  const where = [`process ${launcher.pid}`, ...(address === undefined ? [] : [address])].join(', ');
  throw new Error(
    `Gantry already runs on ${home} (${where}).\n  Use that one, or stop it with: kill ${launcher.pid}; a second one needs a GANTRY_HOME and a GANTRY_PORT of its own.`,
  );
}

function readRunFile(home) {
  try {
    return JSON.parse(readFileSync(`${home}/run.json`, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/** When a living process started, as run.json tells it (core/launcher/src/processes.ts); on Linux only. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}
