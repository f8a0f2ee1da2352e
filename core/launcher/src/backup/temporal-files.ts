import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, isAlive, type ProcessReference } from '@gantry/core-common';
import { ensureFolder } from '../common/files';
import { readRuntime } from '../temporal/runtime-file';
import { temporalLayout } from '../temporal/binaries/layout';

/**
 * A database of SQLite and its log. Copied while nobody writes, they are what a power cut at that moment would leave, from
 * which SQLite recovers. The index of the log (`-shm`) is made again.
 */
const databaseFile = /^server-.+\.db(-wal|-journal)?$/;

const chunkBytes = 1024 * 1024;

/** The embedded Temporal of a home that runs at this moment. */
export function runningTemporal(home: string): ProcessReference | undefined {
  const reference = readRuntime(temporalLayout(home))?.process;
  return reference !== undefined && isAlive(reference) ? reference : undefined;
}

/** Names of the files that hold the workflows of a home, the one used last at the end: a restore keeps that order. */
function temporalFiles(home: string): readonly string[] {
  const { root } = temporalLayout(home);
  try {
    const usedAt = (name: string): number => statSync(join(root, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const names = readdirSync(root).filter((name) => databaseFile.test(name));
    return names.toSorted((first, second) => usedAt(first) - usedAt(second));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Copies the files while they may be written, so that {@link refreshTemporalCopy} finds little to do, and the disk caches warm.
 */
export function precopyTemporalFiles(home: string, folder: string): void {
  ensureFolder(folder, 0o700);
  for (const name of temporalFiles(home)) {
    try {
      copyFileSync(join(temporalLayout(home).root, name), join(folder, name), constants.COPYFILE_FICLONE);
    } catch (error) {
      // A log goes when the last connection is closed.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

/**
 * Makes the copy equal to files that nobody writes to: only blocks that differ are written. Synchronous, because a paused
 * process waits.
 * @returns the names of the files, the one used last at the end.
 */
export function refreshTemporalCopy(home: string, folder: string): readonly string[] {
  const names = temporalFiles(home);
  for (const name of readdirSync(folder)) if (!names.includes(name)) rmSync(join(folder, name));
  for (const name of names) refreshFile(join(temporalLayout(home).root, name), join(folder, name));
  return names;
}

function refreshFile(source: string, copy: string): void {
  const from = openSync(source, 'r');
  const to = openSync(copy, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { size } = fstatSync(from);
    const wanted = Buffer.allocUnsafe(chunkBytes);
    const found = Buffer.allocUnsafe(chunkBytes);
    for (let at = 0; at < size; at += chunkBytes) {
      const length = readFully(from, wanted, at);
      const same = readFully(to, found, at) === length && wanted.compare(found, 0, length, 0, length) === 0;
      if (!same) writeSync(to, wanted, 0, length, at);
    }
    ftruncateSync(to, size);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

function readFully(file: number, into: Buffer, position: number): number {
  let length = 0;
  while (length < into.length) {
    const read = readSync(file, into, length, into.length - length, position + length);
    if (read === 0) break;
    length += read;
  }
  return length;
}
