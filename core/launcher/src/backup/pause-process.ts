import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessReference } from '@gantry/core-common';
import { readIfThere } from '../common/files';
import { LauncherError } from '../common/launcher-error';

/**
 * Stops a process and resumes it when its standard input ends, which also happens when the process that started this
 * script is killed, and in any case after some seconds. `resumed` on standard output means that the time was up.
 */
const script = `
kill -STOP "$1" || exit 1
(sleep "$2" >/dev/null; echo resumed; kill -CONT "$1") &
timer=$!
echo stopped
read -r _
kill "$timer" 2>/dev/null
kill -CONT "$1"
`;

/** How long a process may be stopped. */
const maxPauseSeconds = 2;

export interface Paused<T> {
  readonly result: T;
  readonly pausedMs: number;
}

/**
 * Stops a process (SIGSTOP) while the work is done, for at most two seconds. It is resumed (SIGCONT) whatever happens to this
 * process: the signals are sent by a process in another session that ends with this one.
 * @throws LauncherError when the work was not finished in time; what it has read must not be used then.
 */
export async function whilePaused<T>(reference: ProcessReference, work: () => Promise<T>): Promise<Paused<T>> {
  if (process.platform === 'win32') throw cannotPause();
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(reference.pid), String(maxPauseSeconds)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(watchdog, 'close');
  ended.catch(() => undefined);
  // A watchdog that has ended takes no end of input any more.
  watchdog.stdin.on('error', () => undefined);
  const output = text(watchdog.stdout);
  try {
    await Promise.race([once(watchdog.stdout, 'data'), ended]);
    const begin = performance.now();
    await untilStopped(reference);
    const result = await work().catch(async (error: unknown) => {
      watchdog.stdin.end();
      await ended;
      // Files that change again while they are copied are a consequence.
      assertPaused(await output, reference);
      throw error;
    });
    const pausedMs = performance.now() - begin;
    watchdog.stdin.end();
    await ended;
    assertPaused(await output, reference);
    return { result, pausedMs };
  } finally {
    watchdog.stdin.end();
    await ended;
  }
}

/**
 * A signal stops a thread that is in the kernel, for example to write, only when it leaves it. When that takes too long, the
 * work is not finished in time either.
 */
async function untilStopped({ pid }: ProcessReference): Promise<void> {
  const threads = `/proc/${pid}/task`;
  // Only Linux lists the threads of other processes.
  if (!existsSync(threads)) return;
  const deadline = performance.now() + maxPauseSeconds * 1_000;
  while (performance.now() < deadline && !areStopped(threads)) await delay(1);
}

function areStopped(threads: string): boolean {
  const stateOf = (thread: string): string | undefined =>
    / ([A-Za-z]) [^)]*$/.exec(readIfThere(join(threads, thread, 'stat')) ?? '')?.[1];
  try {
    return readdirSync(threads).every((thread) => ['T', 't', 'Z', 'X', undefined].includes(stateOf(thread)));
  } catch {
    // A thread ended while it was read; or the whole process, of which nothing changes any more.
    return !existsSync(threads);
  }
}

function assertPaused(output: string, reference: ProcessReference): void {
  if (!output.includes('stopped') || !isAlive(reference)) {
    throw new LauncherError('Temporal ended while it was to be paused.', 'Try again when it runs or is stopped.');
  }
  if (output.includes('resumed')) {
    throw new LauncherError(
      `The files of Temporal could not be copied within the ${maxPauseSeconds} s for which it may be paused.`,
      'Try again when the disk has less to do, or stop the platform and back up while it is stopped.',
    );
  }
}

function cannotPause(): LauncherError {
  return new LauncherError(
    'A running Temporal cannot be paused on Windows.',
    'Stop the platform, and back up while it is stopped.',
  );
}
