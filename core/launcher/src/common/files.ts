import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { codeOf, readIfThere as read, writeAtomically as write } from '@gantry/core-common';
import { LauncherError } from './launcher-error';

/** Writes a file at once or not at all. @throws LauncherError when it cannot be written */
export function writeAtomically(file: string, content: string, mode?: number): void {
  try {
    write(file, content, mode);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** @returns undefined when the file does not exist. @throws LauncherError when it cannot be read */
export function readIfThere(file: string): string | undefined {
  try {
    return read(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): LauncherError {
  const code = codeOf(error) ?? 'unknown reason';
  const remedies: Readonly<Record<string, string>> = {
    ENOTDIR: 'The path of the data folder leads to a file; name another folder in GANTRY_HOME.',
    EISDIR: 'It should be a file; move that folder away.',
  };
  const remedy = remedies[code] ?? 'Start as the user who owns the data folder, or correct the owner of that file.';
  return new LauncherError(`${file} cannot be read (${code}).`, remedy, { cause: error });
}

/** @returns undefined when the file does not exist or holds no JSON, for example after a full disk. */
export function readJsonIfThere(file: string): unknown {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Makes a folder unless it is there; for its owner only, unless another mode is given.
 * @throws LauncherError when the folder can neither be found nor made.
 */
export function ensureFolder(
  folder: string,
  mode = 0o700,
  owner?: { readonly uid: number; readonly gid: number },
): void {
  try {
    const made = mkdirSync(folder, { recursive: true, mode });
    // The umask of the process may have taken rights away.
    if (made !== undefined) chmodSync(folder, mode);
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    throw unwritable(folder, error);
  }
}

/** The sentence for a path that could not be written. */
export function unwritable(path: string, error: unknown): LauncherError {
  const code = codeOf(error) ?? 'unknown reason';
  return new LauncherError(`${path} cannot be written (${code}).`, remedies[code] ?? wrongRights, { cause: error });
}

const noSpace = 'Free some space on that disk, or set GANTRY_HOME to a folder on another one.';
const inTheWay = 'Move the file or folder of that name away, or set GANTRY_HOME to another folder.';
const wrongRights = 'Correct the owner or the rights of that folder, or set GANTRY_HOME to a folder you may write to.';

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EEXIST: inTheWay,
  ENOTDIR: inTheWay,
  EISDIR: inTheWay,
};
