import { setTimeout as pause } from 'node:timers/promises';

const firstPauseMs = 20;
const maxPauseMs = 150;
/** A limit for what never happens, far above what anything takes on a busy machine. */
export const maxWaitMs = 120_000;

/**
 * Asks again until the condition holds, less often after a while; an error counts as not holding.
 * @param what the condition in words, for the message
 * @throws Error that it did not hold in time, with the last error as its cause
 */
export async function eventually(holds: () => Promise<boolean> | boolean, what = 'the condition holds'): Promise<void> {
  const end = Date.now() + maxWaitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.2, maxPauseMs)) {
    let failure: unknown;
    try {
      if (await holds()) return;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end) throw new Error(`Not within ${maxWaitMs / 1_000} s: ${what}.`, { cause: failure });
    await pause(pauseMs);
  }
}
