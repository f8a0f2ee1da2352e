import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** Added to the nice value: with a process of normal priority on the same processor, it gets a third of the time. */
const niceOffset = 3;
/** A start that takes longer has to compete with other programs anyway, and would hardly end. */
const loweredForMs = 6_000;

/** Gives a process less processor time than the one that serves, where both want it. */
export interface LoweredPriority {
  /** To be called when it serves; does nothing the second time. */
  restore(): Promise<void>;
  /** To be called when the process is gone: another one may get its number. */
  forget(): void;
}

/**
 * Lowers the priority of a process that was just started. Unless it is to last, for some seconds at most, and only where it can be raised again: on
 * Linux, by the nice value with the right to raise it, and by the autogroup of the session without one. Elsewhere, nothing happens.
 * @param isLasting for a process that never serves
 */
export function lowerPriority(pid: number, isLasting = false): LoweredPriority {
  const hasAutogroup = setAutogroup(pid, niceOffset) === 'set';
  const before = isLasting || mayRaise() ? lowerNice(pid) : undefined;
  if (isLasting) return { restore: () => Promise.resolve(), forget: () => undefined };
  let isLowered = true;
  const forget = (): void => {
    isLowered = false;
    clearTimeout(timer);
  };
  const restore = async (): Promise<void> => {
    if (!isLowered) return;
    forget();
    if (before !== undefined) for (const thread of threadsOf(pid)) attempt(() => setPriority(thread, before));
    if (!hasAutogroup) return;
    // The system refuses a second change within a tenth of a second.
    for (let tries = 0; setAutogroup(pid, 0) === 'again' && tries < 20; tries += 1) await delay(110);
  };
  const timer = setTimeout(() => void restore(), loweredForMs).unref();
  return { restore, forget };
}

/** Threads that a process makes afterwards have it, too. @returns the nice value before */
function lowerNice(pid: number): number | undefined {
  return attempt(() => {
    const before = getPriority(pid);
    setPriority(pid, Math.min(before + niceOffset, 19));
    return before;
  });
}

/** On Linux, nice values count within an autogroup, and each session has one. */
function setAutogroup(pid: number, nice: number): 'set' | 'again' | 'impossible' {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice), { flag: 'r+' });
    return 'set';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'again' : 'impossible';
  }
}

const capSysNice = 23n;

/** Whether this process may raise what it has lowered (`man 2 setpriority`). */
function mayRaise(): boolean {
  const rights = attempt(() => {
    const [, effective = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    const [, limit = '0'] = /^Max nice priority\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return { isCapable: ((BigInt(`0x${effective}`) >> capSysNice) & 1n) === 1n, lowestNice: 20 - Number(limit) };
  });
  return rights !== undefined && (rights.isCapable || rights.lowestNice <= getPriority());
}

function threadsOf(pid: number): readonly number[] {
  return attempt(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? [];
}

/** The process may have ended, and not every system knows all of this. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
