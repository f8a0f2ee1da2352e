import { pause, withTimeout } from '@gantry/core-common';

/** Thrown when plugin code did not finish in time. */
export class PluginTimeoutError extends Error {
  override readonly name = 'PluginTimeoutError';

  constructor(readonly timeoutMs: number) {
    super(`It did not finish within ${timeoutMs / 1000} s`);
  }
}

export interface PhaseLimit {
  readonly timeoutMs: number;
  /** Whether a service that the code may wait for is unavailable: that time does not count. */
  readonly isWaiting?: () => Promise<boolean>;
}

const stepMs = 1_000;

/**
 * Runs code for a limited time, without the time in which a service that it may wait for is unavailable.
 * @param onWait called with the milliseconds within which it is called again, or the code ended
 * @throws PluginTimeoutError
 */
export async function withinLimit<T>(
  { timeoutMs, isWaiting }: PhaseLimit,
  code: () => T | Promise<T>,
  onWait: (nextMs: number) => void,
): Promise<T> {
  const expired = (): Error => new PluginTimeoutError(timeoutMs);
  if (isWaiting === undefined) return withTimeout(timeoutMs, code, expired);
  const ended = new AbortController();
  const expiry = async (): Promise<never> => {
    for (let left = timeoutMs; left > 0;) {
      const step = Math.min(left, stepMs);
      await pause(step, ended.signal);
      if (ended.signal.aborted) break;
      if (await isWaiting()) onWait(left + stepMs);
      else left -= step;
    }
    throw expired();
  };
  try {
    return await Promise.race([code(), expiry()]);
  } finally {
    ended.abort();
  }
}
