import { chmodSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '@gantry/core-common';
import { ensureFolder, unwritable } from '../common/files';

/** Folders of a home that only its owner reads; the platform makes them so, and earlier versions did not. */
const privateFolders = ['data', 'guests', 'imports', 'logs', 'store', 'temporal'] as const;

const sticky = 0o1000;

/**
 * Makes a home unless it is there, and closes it to others. Started by root, PostgreSQL runs as another user, who has to pass
 * through the home to the database files, and reads nothing on the way.
 * @throws LauncherError when it can neither be found nor made.
 */
export function ensureHome(home: string): void {
  const passable = passableMode();
  ensureFolder(home, passable);
  setMode(home, passable);
  setMode(join(home, 'postgres'), passable);
  for (const name of privateFolders) setMode(join(home, name), 0o700);
}

/** Mode of the folders on the way to the database files. */
export function passableMode(): number {
  return process.getuid?.() === 0 ? 0o711 : 0o700;
}

/** Leaves what is no folder of this user, and a folder of many users such as /tmp. */
function setMode(folder: string, mode: number): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory() || stats.uid !== process.getuid?.()) return;
  if ((stats.mode & 0o777) === mode || (stats.mode & sticky) !== 0) return;
  try {
    chmodSync(folder, mode);
  } catch (error) {
    // A file system without modes.
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw unwritable(folder, error);
  }
}
