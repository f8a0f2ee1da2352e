import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './errors';
import { readIfThere, writeAtomically } from './files';
import { isAlive, ownReference, referenceOf } from './processes';
import type { ProcessReference } from './processes';

export interface FileLock {
  release(): void;
}

/** Who holds a lock: the process, and what it does, for example `gantry up`. */
export interface LockHolder extends ProcessReference {
  readonly purpose: string;
}

/** A lock file with nothing readable in it belongs to a process that is writing it now, or was killed doing so. */
const halfWrittenForMs = 2_000;
const retryIntervalMs = 20;

/**
 * Takes a lock that one process at a time has: a file that names its holder. The lock of a process that was killed is
 * recognised by process number and start time, and taken over at once.
 * @returns the lock, or who holds it, if the file says so
 * @throws the error of the system when the file cannot be read or written
 */
export function acquireFileLock(file: string, purpose: string): FileLock | { readonly heldBy: LockHolder | undefined } {
  // The id makes two locks of the same process different.
  const own = JSON.stringify({ ...ownReference(), purpose, id: randomUUID() });
  if (tryCreate(file, own) || replaceIfStale(file, own)) return { release: () => release(file, own) };
  return { heldBy: holderOf(readIfThere(file)) };
}

export interface WithLockOptions {
  readonly purpose: string;
  /** How long to wait for one holder; others may get the lock before. */
  readonly timeoutMs: number;
  /** The error for a holder that does not release it. */
  readonly busy: () => Error;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` while this caller alone holds the lock.
 * @throws what `busy` returns when one holder keeps the lock for too long; the signal's reason when it aborts
 */
export async function withFileLock<T>(
  file: string,
  { purpose, timeoutMs, busy, signal }: WithLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  let holder: string | undefined;
  let heldSince = performance.now();
  for (;;) {
    const lock = acquireFileLock(file, purpose);
    if ('release' in lock) return work().finally(() => lock.release());
    const found = readIfThere(file);
    if (found !== holder) [holder, heldSince] = [found, performance.now()];
    if (performance.now() - heldSince > timeoutMs) throw busy();
    signal?.throwIfAborted();
    await delay(retryIntervalMs);
  }
}

function tryCreate(file: string, content: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(handle, content);
  } catch (error) {
    // On a full disk, the file is created but not its content.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return true;
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
  const pid = pidOfEarlierVersion(content);
  if (pid !== undefined) return referenceOf(pid) === undefined;
  const holder = holderOf(content);
  if (holder !== undefined) return !isAlive(holder);
  // A time in the future means that the clock was set back since.
  return Math.abs(Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)) > halfWrittenForMs;
}

/** Version 0.1 wrote the number of the process first in the lock of plugins.json, and no start time. */
function pidOfEarlierVersion(content: string): number | undefined {
  const pid = Number.parseInt(content, 10);
  return pid > 0 ? pid : undefined;
}

function holderOf(content: string | undefined): LockHolder | undefined {
  const { pid, startedAt, purpose } = parseMembers(content ?? '');
  if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof purpose !== 'string') return undefined;
  return { pid, startedAt, purpose };
}

function parseMembers(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function release(file: string, own: string): void {
  if (readIfThere(file) === own) rmSync(file, { force: true });
}
