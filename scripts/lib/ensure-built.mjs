import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSteps } from './build-steps.mjs';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { withProgress } from './progress.mjs';
import { root } from './run.mjs';
import { readStamp, workLock, writeStamp } from './stamp.mjs';

/** Runs the build steps whose sources have changed since they last succeeded. Resolves with whether anything was done. */
export async function ensureBuilt() {
  if (!buildSteps.some(isDue)) return false;
  await withLock(workLock, build, (pid) =>
    console.log(`Waiting for process ${pid}, which is installing or building here ...`),
  );
  return true;
}

async function build() {
  const [first, ...others] = buildSteps;
  if (isDue(first)) await runSteps([first]);
  await runSteps(others.filter(isDue));
}

/** Runs steps at the same time, and all of them to their end. */
async function runSteps(steps) {
  if (steps.length === 0) return;
  const names = steps.map(({ name }) => name).join(', ');
  console.log(`Building (${names}) ...`);
  const results = await withProgress(
    (seconds) => `Building (${names}): ${seconds} s`,
    () => Promise.allSettled(steps.map(runStep)),
  );
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function runStep(step) {
  // Taken before the step, so that a change made while it runs makes it due again.
  const before = fingerprint(step.inputs);
  const code = await step.run();
  if (code !== 0) throw new Error(`The build failed (${step.name}, exit code ${code}); the messages above say where.`);
  writeStamp(stampOf(step), before);
}

function isDue(step) {
  const complete = step.outputs.every((path) => existsSync(join(root, path)));
  return !complete || readStamp(stampOf(step)) !== fingerprint(step.inputs);
}

function stampOf(step) {
  return `built-${step.name.replaceAll(' ', '-')}`;
}
