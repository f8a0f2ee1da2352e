import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs `action` while no other process of this clone runs one under the same file. The lock of a process that was killed
 * is recognised: its number is gone, or now belongs to a process that started at another time.
 * @param onWait called once with the process id of the holder when there is one
 */
export async function withLock(file, action, onWait = () => {}) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !tryLock(file); waited = true) {
    if (!waited) onWait(parse(read(file) ?? '')?.pid);
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

function tryLock(file) {
  try {
    writeFileSync(file, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) }), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  removeIfStale(file);
  return false;
}

/** Renaming first makes sure that what is removed is what was judged, and not the lock of somebody who was faster. */
function removeIfStale(file) {
  const judged = read(file);
  if (judged === undefined || !isStale(file, judged)) return;
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== judged) linkSync(aside, file);
  } catch {
    // Somebody else was faster, which is fine.
  }
  rmSync(aside, { force: true });
}

function isStale(file, text) {
  const found = parse(text);
  if (found !== undefined) return startOf(found.pid) !== found.startedAt;
  // Written at this very moment, or by a process killed while writing.
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > 5_000;
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

/** When a living process started; null when there is none of that number. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return process.platform === 'linux' ? null : aliveElsewhere(pid);
  }
}

function aliveElsewhere(pid) {
  try {
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    return error.code === 'EPERM' ? 'alive' : null;
  }
}
