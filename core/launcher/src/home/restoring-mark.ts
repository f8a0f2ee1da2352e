import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '@gantry/core-common';
import { writeAtomically } from '../common/files';
import { LauncherError } from '../common/launcher-error';

/** Marks a home from the first file of a restore to the last, so that an incomplete one is never started. */
export function markRestoring(home: string, backup: string): void {
  writeAtomically(fileOf(home), `${JSON.stringify({ backup })}\n`);
}

export function unmarkRestoring(home: string): void {
  syncFolder(home);
  rmSync(fileOf(home));
  syncFolder(home);
}

export function isRestoring(home: string): boolean {
  return existsSync(fileOf(home));
}

/** @throws LauncherError when a restore into the home was not finished. */
export function assertRestored(home: string): void {
  if (!isRestoring(home)) return;
  throw new LauncherError(
    `${home} is incomplete: a restore into it is under way or was interrupted.`,
    'Wait until it has finished, or run "gantry restore" again.',
  );
}

function fileOf(home: string): string {
  return join(home, 'restoring.json');
}
