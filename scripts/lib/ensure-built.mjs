import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildSteps } from './build-steps.mjs';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
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
  for (const step of buildSteps.filter(isDue)) {
    // Taken before the step, so that a change made while it runs makes it due again.
    const before = fingerprint(step.inputs);
    console.log(`Building (${step.name}) ...`);
    const code = await step.run();
    if (code !== 0) {
      throw new Error(`The build failed (${step.name}, exit code ${code}); the messages above say where.`);
    }
    writeStamp(stampOf(step), before);
  }
}

function isDue(step) {
  const complete = step.outputs.every((path) => existsSync(join(root, path)));
  return !complete || readStamp(stampOf(step)) !== fingerprint(step.inputs);
}

function stampOf(step) {
  return `built-${step.name.replaceAll(' ', '-')}`;
}
