import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const folder = join(root, 'reports');

/**
 * Notes how many steps or tests of a kind passed and failed, and which, for the script that adds them up afterwards (.ci/run).
 */
export function writeTally(kind, { passed, failed, failures = [] }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `tally-${kind}.json`), `${JSON.stringify({ passed, failed, failures })}\n`);
}

export function forgetTally(kind) {
  rmSync(join(folder, `tally-${kind}.json`), { force: true });
}

/** The tally that `writeTally` noted; a kind that never got that far counts as one failure. */
export function readTally(kind) {
  try {
    return JSON.parse(readFileSync(join(folder, `tally-${kind}.json`), 'utf8'));
  } catch {
    return { passed: 0, failed: 1, failures: [`${kind}: did not come to an end`] };
  }
}
