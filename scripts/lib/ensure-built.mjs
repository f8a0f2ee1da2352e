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

/** Runs the steps that are due, and all of them to their end; those that need the compiler, after it. */
async function build() {
  const due = buildSteps.filter(isDue);
  // Another process may have done it in the meantime.
  if (due.length === 0) return;
  const names = due.map(({ name }) => name).join(', ');
  console.log(`Building (${names}) ...`);
  const results = await withProgress(
    (seconds) => `Building (${names}): ${seconds} s`,
    () => Promise.allSettled(startSteps(due)),
  );
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function startSteps(due) {
  const [compile, ...others] = buildSteps;
  const compiled = due.includes(compile) ? runStep(compile) : Promise.resolve();
  const start = (step) => (step.needsCompiler ? compiled.then(() => runStep(step)) : runStep(step));
  return [compiled, ...others.filter((step) => due.includes(step)).map(start)];
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
