import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { poll } from './timing';

/** A process that can be recognised again: a number alone may belong to another process after a while. */
export interface ProcessReference {
  readonly pid: number;
  /** Opaque; differs between two processes that had the same number one after the other. */
  readonly startedAt: string;
}

/** @returns undefined when there is no such process; a zombie counts as ended. */
export function referenceOf(pid: number): ProcessReference | undefined {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** The reference of this process. */
export function ownReference(): ProcessReference {
  return referenceOf(process.pid) ?? { pid: process.pid, startedAt: '' };
}

export function isAlive(reference: ProcessReference): boolean {
  return referenceOf(reference.pid)?.startedAt === reference.startedAt;
}

/** Each look reads /proc on Linux, and runs ps elsewhere. */
const pollIntervalMs = process.platform === 'linux' ? 200 : 1_000;

/** Resolves when the process is gone, or the signal aborts. Does not keep this process running. */
export async function untilGone(reference: ProcessReference, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && isAlive(reference)) {
    await delay(pollIntervalMs, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Sends a signal to one process, or to its whole group; a process that is already gone is fine. */
export function sendSignal(pid: number, name: NodeJS.Signals, target: 'process' | 'group' = 'process'): void {
  try {
    process.kill(target === 'group' ? -pid : pid, name);
  } catch {
    // Gone (ESRCH), or no longer ours (EPERM): in both cases there is nothing left to end.
  }
}

/** A signal, and how long to wait for the end of the process after it. */
export type EndStep = readonly [name: NodeJS.Signals, timeoutMs: number];

/** Ends a process, or its whole group: sends one signal after the other until it is gone. @returns whether it is gone */
export async function endProcess(
  reference: ProcessReference,
  steps: readonly EndStep[],
  target: 'process' | 'group' = 'process',
): Promise<boolean> {
  if (!isAlive(reference)) return true;
  for (const [name, timeoutMs] of steps) {
    sendSignal(reference.pid, name, target);
    if (await waitUntilGone(reference, timeoutMs)) return true;
  }
  return false;
}

/** @returns whether the process was gone in time. */
async function waitUntilGone(reference: ProcessReference, timeoutMs: number): Promise<boolean> {
  return (await poll(() => (isAlive(reference) ? undefined : true), timeoutMs)) ?? false;
}

/** @returns bytes of memory that a process occupies; undefined when it is gone */
export function residentBytes(pid: number): number | undefined {
  const kibibytes = process.platform === 'linux' ? residentOnLinux(pid) : residentByPs(pid);
  return kibibytes === undefined ? undefined : kibibytes * 1024;
}

function residentOnLinux(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}

function residentByPs(pid: number): number | undefined {
  const answer = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(answer.stdout.trim()) || undefined;
}

/** The unit of times in /proc, the same on every Linux. */
const msPerTick = 10;

/** @returns milliseconds of processor time that the main thread of a process has used; undefined when it is gone, or not on Linux */
export function mainThreadBusyMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}

/** Boot and start time: ticks since boot alone could repeat after a restart of the machine. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may hold anything, so count fields behind the last one: state is the first, start the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || start === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${start}`;
  } catch {
    return undefined;
  }
}

/** In one language and one zone, as processes compare it that have different ones. */
function startByPs(pid: number): string | undefined {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const answer = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env });
  const [state, ...start] = answer.stdout.trim().split(/\s+/);
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : start.join(' ');
}
