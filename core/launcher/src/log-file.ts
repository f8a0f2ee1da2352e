import { openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureFolder, unwritable } from './files';

const limit = 10 * 1024 * 1024;
const keptLogs = 3;

/**
 * Makes room before a log is opened: a file of more than 10 MiB becomes `.1`, the older ones move on, three are kept.
 * @throws LauncherError when the folder or a file in it cannot be written.
 */
export function rotateLog(file: string): void {
  ensureFolder(dirname(file));
  try {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > limit) moveOn(file);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Opens a log to be continued, readable by its owner only. @returns the file descriptor.
 * @throws LauncherError when it cannot be written.
 */
export function openLog(file: string): number {
  try {
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function moveOn(file: string): void {
  for (let number = keptLogs - 1; number >= 1; number -= 1) moveIfThere(`${file}.${number}`, `${file}.${number + 1}`);
  moveIfThere(file, `${file}.1`);
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
