import { chmodSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { open, readdir, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '@gantry/core-common';
import { LauncherError } from '../common/launcher-error';
import { copyFile } from './file-sum';
import type { BackedUpFile, BackedUpLink } from './manifest';

/**
 * Paths of a home that are not copied as files: the databases, which are written in another way, and files of the running
 * processes. Everything else is part of a backup, also files that later versions add.
 */
const notCopied: readonly string[] = [
  ...['postgres', 'temporal', 'logs', 'cache', 'guests', 'imports', 'prepared', 'run.json', 'hold.json'],
  // Who reads a backup must not be able to act on the platform, nor to decrypt what the database holds encrypted.
  ...['local-token', 'secret-key'],
];
/** The lock and the claims to it, files that are being written, and the mark of an unfinished restore. */
const temporaryName = /^lock(\.|$)|\.tmp$|^\.draft-|^restoring\.json$/;

/** The standard mark of folders whose content can be made again (Cache Directory Tagging Specification). */
const cacheTag = 'CACHEDIR.TAG';
const cacheSignature = 'Signature: 8a477f597d28d172789f06886806bc55';

/** Files are mostly images: several at a time keep the disk busy. */
const lanes = 4;

export type HomeEntry = BackedUpFile | BackedUpLink;

/**
 * Copies the files of a home that belong to a backup: those directly in it first, as they name what is in its folders,
 * where files are added before they are named. A temporary file that was removed in the meantime is omitted.
 */
export async function copyHomeFiles(home: string, folder: string, signal: AbortSignal): Promise<readonly HomeEntry[]> {
  const entries = await readdir(home, { withFileTypes: true });
  const kept = entries.filter(({ name }) => !notCopied.includes(name) && !temporaryName.test(name));
  const direct = kept.filter((entry) => !entry.isDirectory()).map((entry) => pathOf(home, entry, ''));
  const copied = await copyAll(home, direct, folder, signal);
  const below: string[] = [];
  for (const entry of kept) if (entry.isDirectory()) below.push(...(await listFiles(home, entry.name)));
  const all = [...copied, ...(await copyAll(home, below, folder, signal))];
  return all.toSorted((first, second) => (first.path < second.path ? -1 : 1));
}

/** Paths of the files and symbolic links below a folder of the home, with slashes. */
async function listFiles(home: string, folder: string): Promise<readonly string[]> {
  if (await isCache(join(home, folder))) return [];
  const found: string[] = [];
  for (const entry of await entriesOf(join(home, folder))) {
    if (temporaryName.test(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(home, path)));
    else found.push(pathOf(home, entry, `${folder}/`));
  }
  return found;
}

/** A folder that was removed in the meantime was a temporary one. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function pathOf(home: string, entry: Dirent, prefix: string): string {
  const path = `${prefix}${entry.name}`;
  if (entry.name.includes('\uFFFD')) {
    throw new LauncherError(`The name of ${join(home, path)} is not UTF-8.`, 'Rename that file.');
  }
  if (entry.isFile() || entry.isSymbolicLink()) return path;
  throw new LauncherError(
    `${join(home, path)} is neither a file nor a folder nor a symbolic link, and cannot be backed up.`,
    'Remove it, or stop the program that has made it.',
  );
}

async function copyAll(
  home: string,
  paths: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<readonly HomeEntry[]> {
  const left = [...paths];
  const copied: HomeEntry[] = [];
  const copyNext = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      signal.throwIfAborted();
      const entry = await copyEntry(home, path, folder, signal);
      if (entry !== undefined) copied.push(entry);
    }
  };
  await Promise.all(Array.from({ length: lanes }, copyNext));
  return copied;
}

async function copyEntry(
  home: string,
  path: string,
  folder: string,
  signal: AbortSignal,
): Promise<HomeEntry | undefined> {
  const [source, target] = [join(home, path), join(folder, path)];
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  try {
    const stats = await lstat(source);
    if (stats.isSymbolicLink()) {
      const link = readlinkSync(source);
      symlinkSync(link, target);
      return { path, link };
    }
    const mode = stats.mode & 0o777;
    // In the backup, only the owner can read files, regardless of their mode in the home.
    return { path, mode, ...(await copyFile(source, target, 0o600, signal)) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Puts the files of a backup into a home. @returns the path of the first one that is not as it was backed up */
export async function restoreHomeFiles(
  entries: readonly HomeEntry[],
  folder: string,
  home: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const entry of entries) {
    // Of a backup that an earlier version has written.
    if (notCopied.includes(entry.path)) continue;
    const target = join(home, entry.path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    if ('link' in entry) {
      symlinkSync(entry.link, target);
      continue;
    }
    const { size, sha256 } = await copyFile(join(folder, entry.path), target, 0o600, signal);
    if (size !== entry.size || sha256 !== entry.sha256) return entry.path;
    chmodSync(target, entry.mode);
  }
  return undefined;
}

async function isCache(folder: string): Promise<boolean> {
  try {
    const file = await open(join(folder, cacheTag));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(cacheSignature.length), 0, cacheSignature.length, 0);
      return buffer.toString('latin1', 0, bytesRead) === cacheSignature;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
