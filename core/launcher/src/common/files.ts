import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { codeOf, LauncherError } from './launcher-error';

/** Writes a temporary file in the same folder and renames it, so that a reader or a crash never sees half of it. */
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
    throw unwritable(file, error);
  }
}

/** Where nothing can be written, it may be that nothing can be removed either. */
function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Why it could not be written is the better sentence.
  }
}

/** @returns undefined when the file does not exist. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): LauncherError {
  const code = codeOf(error) ?? 'unknown reason';
  const remedies: Readonly<Record<string, string>> = {
    ENOTDIR: 'What should be the data folder is a file; name another folder in GANTRY_HOME.',
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
