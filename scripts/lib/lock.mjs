import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startOfProcess } from './start-of-process.mjs';

/**
 * Runs `action` while no other process of this clone runs one under the same file. The lock of a process that was killed
 * is recognised: its number is gone, or now belongs to a process that started at another time.
 * @param onWait called once with the process id of the holder when there is one
 */
export async function withLock(file, action, onWait = () => {}) {
  makeFolder(dirname(file));
  let hasAnnounced = false;
  while (!tryLock(file)) {
    // None for a lock that was released or found stale at this moment.
    const pid = parse(read(file) ?? '')?.pid;
    if (!hasAnnounced && pid !== undefined) onWait(pid);
    hasAnnounced ||= pid !== undefined;
    await delay(100);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await action();
  } finally {
    process.off('exit', release);
    release();
  }
}

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt: startOfProcess(process.pid) }), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw unwritable(file, error);
  }
  removeIfStale(file);
  return false;
}

/** Renaming first makes sure that the checked lock is removed, and not the lock of a faster process. */
function removeIfStale(file) {
  const judged = read(file);
  if (judged === undefined || !isStale(file, judged)) return;
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw unwritable(file, error);
  }
  if (read(aside) !== judged) linkAgain(aside, file);
  rmSync(aside, { force: true });
}

function linkAgain(aside, file) {
  try {
    linkSync(aside, file);
  } catch {
    // Another process was faster, which is fine.
  }
}

function isStale(file, text) {
  const found = parse(text);
  if (found !== undefined) return startOfProcess(found.pid) !== found.startedAt;
  // Written at this very moment, or by a process killed while writing; in the future, when the clock was put back since.
  return Math.abs(Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())) > 5_000;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unwritable(path, cause) {
  const remedy = 'Installing and building need a folder with free space that you may write to.';
  return new Error(`${path} cannot be written (${cause.code}). ${remedy}`, { cause });
}
