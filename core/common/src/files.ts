import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './errors';

/**
 * Writes a temporary file in the same folder and renames it, so that a reader, a crash or a power cut never leaves half
 * of it.
 * @throws the error of the system
 */
export function writeAtomically(file: string, content: string, mode = 0o600): void {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = openSync(draft, 'wx', mode);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    removeIfPossible(draft);
    throw error;
  }
}

/** Where nothing can be written, it may be that nothing can be removed either: why it was not written is the better reason. */
function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // See above.
  }
}

/** @returns undefined when the file does not exist. @throws any other error of the system */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Brings the entries of a folder to the disk: a name reaches it with its folder. */
export function syncFolder(folder: string): void {
  // Windows has no such thing.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
