import { MemoryStore } from 'express-rate-limit';
import { GantryError, isGantryError } from '@gantry/plugin-api';

/** Counts attempts by a key that the platform derives itself, for example the address of the client. */
export interface AttemptLimit {
  /**
   * Counts an attempt before it is made.
   * @param onReached called for the first attempt that is refused, not for those that follow it
   * @throws GantryError TOO_MANY_REQUESTS
   */
  begin(key: string, onReached?: () => Promise<void>): Promise<void>;
  /** Takes an attempt back that was successful. */
  succeed(key: string): Promise<void>;
}

/** @param what in the words of the refusal */
export function createAttemptLimit(max: number, windowMs: number, what = 'attempts'): AttemptLimit {
  const store = new MemoryStore();
  store.init({ windowMs } as Parameters<MemoryStore['init']>[0]);
  return {
    async begin(key, onReached) {
      const { totalHits, resetTime } = await store.increment(key);
      if (totalHits <= max) return;
      if (totalHits === max + 1) await onReached?.();
      const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1000));
      throw new GantryError('TOO_MANY_REQUESTS', `Too many ${what}. Try again in ${seconds} seconds.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    },
    succeed: (key) => store.decrement(key),
  };
}

/** A limit, and the key by which it counts an attempt. */
export type CountedAttempt = readonly [AttemptLimit, string];

/** Takes an attempt back from all limits that count it. */
export async function takeBack(attempts: readonly CountedAttempt[]): Promise<void> {
  await Promise.all(attempts.map(([limit, key]) => limit.succeed(key)));
}

/** Runs what looks at a proof. An attempt that could not be looked at, because too many wait, does not count. */
export async function countingProofs<T>(attempts: readonly CountedAttempt[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isGantryError(error) && error.code === 'UNAVAILABLE') await takeBack(attempts);
    throw error;
  }
}
