import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, readJsonIfThere, unwritable, writeAtomically } from '../common/files';
import { ensureHome } from './private-home';
import { codeOf } from '../common/launcher-error';
import { isAlive, referenceOf } from '../common/processes';
import type { ProcessReference } from '../common/processes';

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
  ensureHome(home);
  const file = join(home, 'lock');
  const own = JSON.stringify({ ...ourselves(), purpose });
  if (tryCreate(file, own) || replaceIfStale(file, own)) return { release: () => releaseLock(file, own) };
  const holder = holderSchema.safeParse(readJsonIfThere(file));
  return { heldBy: holder.data };
}

function ourselves(): ProcessReference {
  return referenceOf(process.pid) ?? { pid: process.pid, startedAt: '' };
}

function tryCreate(file: string, content: string): boolean {
  try {
    write(openSync(file, 'wx', 0o600), file, content);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw unwritable(file, error);
  }
}

/** On a full disk, the file is created but not its content; then it must be removed. */
function write(handle: number, file: string, content: string): void {
  try {
    writeFileSync(handle, content);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** @returns whether the file is ours now */
function replaceIfStale(file: string, own: string): boolean {
  const judged = readIfThere(file);
  if (judged === undefined) return tryCreate(file, own);
  return isStale(file, judged) && replace(file, judged, own);
}

/**
 * Several may judge the same lock at once, and what the slowest of them removed would be the lock of the fastest. So a claim
 * to this very lock, a lock itself, goes before: only its holder may replace the checked lock, if it still exists.
 */
function replace(file: string, judged: string, own: string): boolean {
  const claim = `${file}.${createHash('sha256').update(judged).digest('hex').slice(0, 16)}`;
  if (!tryCreate(claim, own) && !replaceIfStale(claim, own)) return false;
  try {
    if (readIfThere(file) !== judged) return false;
    writeAtomically(file, own);
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}

function isStale(file: string, content: string): boolean {
  const holder = holderSchema.safeParse(parseJson(content));
  if (holder.success) return !isAlive(holder.data);
  // A time in the future means that the clock was set back since.
  return Math.abs(Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)) > halfWrittenForMs;
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
