import { join } from 'node:path';
import { acquireFileLock } from '@gantry/core-common';
import { readIfThere, unwritable } from '../common/files';
import { ensureHome } from './private-home';

/**
 * Takes the lock of a home, so that only one process at a time runs its servers.
 * @returns the lock, or who holds it
 * @throws LauncherError when the home cannot be used
 */
export function acquireHomeLock(home: string, purpose: string): ReturnType<typeof acquireFileLock> {
  ensureHome(home);
  const file = join(home, 'lock');
  try {
    return acquireFileLock(file, purpose);
  } catch (error) {
    // A lock that cannot be read has another remedy.
    readIfThere(file);
    throw unwritable(pathOf(error) ?? file, error);
  }
}

/** The file that the system refused: the lock, or one next to it by which a lock is taken over. */
function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}
