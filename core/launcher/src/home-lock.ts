import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ensureFolder, readIfThere, readJsonIfThere, unwritable } from './files';
import { codeOf } from './launcher-error';
import { isAlive, referenceOf } from './processes';
import type { ProcessReference } from './processes';

export interface HomeLock {
  release(): void;
}

/** Who holds a home: the process, and what it does, for example `gantry up`. */
export interface LockHolder extends ProcessReference {
  readonly purpose: string;
}

const holderSchema = z.object({ pid: z.number(), startedAt: z.string(), purpose: z.string() });

/** A lock file with nothing readable in it belongs to a process that is writing it now, or was killed doing so. */
const halfWrittenForMs = 2_000;

/**
 * Takes the lock of a home, so that only one process at a time runs its servers. The lock of a process that was killed is
 * recognised by process number and start time, and taken over.
 * @returns the lock, or who holds it.
 */
export function acquireHomeLock(home: string, purpose: string): HomeLock | { readonly heldBy: LockHolder | undefined } {
  ensureFolder(home);
  const file = join(home, 'lock');
  const own = JSON.stringify({ ...ourselves(), purpose });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (tryCreate(file, own)) return { release: () => releaseLock(file, own) };
    if (!removeIfStale(file)) break;
  }
  const holder = holderSchema.safeParse(readJsonIfThere(file));
  return { heldBy: holder.data };
}

function ourselves(): ProcessReference {
  return referenceOf(process.pid) ?? { pid: process.pid, startedAt: '' };
}

function tryCreate(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unwritable(file, error);
  }
}

/** Renaming first makes sure that what is removed is what was judged, and not the lock of somebody who was faster. */
function removeIfStale(file: string): boolean {
  const judged = readIfThere(file);
  if (judged === undefined) return true;
  if (!isStale(file, judged)) return false;
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readIfThere(aside) !== judged) linkSync(aside, file);
  } catch {
    // Somebody else was faster; the next attempt sees whose lock it is now.
  }
  rmSync(aside, { force: true });
  return true;
}

function isStale(file: string, content: string): boolean {
  const holder = holderSchema.safeParse(parseJson(content));
  if (holder.success) return !isAlive(holder.data);
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > halfWrittenForMs;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function releaseLock(file: string, own: string): void {
  if (readIfThere(file) === own) rmSync(file, { force: true });
}
