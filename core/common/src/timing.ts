import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for third-party code, such as that of a plugin, for a limited time. What it throws later is ignored.
 * @throws what the code throws, or after the time what `expired` returns
 */
export async function withTimeout<T>(timeoutMs: number, code: () => T | Promise<T>, expired: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(expired()), timeoutMs);
  });
  try {
    // The race also observes a late rejection of the code, so that it does not count as unhandled.
    return await Promise.race([code(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work for a limited time, and leaves it running after that.
 * @returns whether it ended in time
 * @throws what the work throws in time
 */
export async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work that takes no signal, until one of the signals aborts. What it throws later is ignored.
 * @throws what the work throws, or the reason of the signal
 */
export async function unlessAborted<T>(work: Promise<T>, ...signals: readonly AbortSignal[]): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      const abort = (): void => reject(signal.reason as Error);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true, signal: settled.signal });
    }
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}

/** Resolves after the time, or at once when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Resolves when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Asks `condition` every `intervalMs` until it answers with a value.
 * @returns that value, or undefined when `timeoutMs` has passed
 * @throws the signal's reason when it aborts
 */
export async function poll<T>(
  condition: () => T | undefined | Promise<T | undefined>,
  timeoutMs: number,
  intervalMs = 25,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const value = await condition();
    if (value !== undefined) return value;
    if (performance.now() >= deadline) return undefined;
    await delay(intervalMs, undefined, signal === undefined ? {} : { signal });
  }
}

/** Milliseconds to wait before attempt `attempt` (0 is the first): doubling from `firstMs`, `maxMs` at most. */
export function backoff(attempt: number, firstMs = 200, maxMs = 10_000): number {
  return Math.min(firstMs * 2 ** attempt, maxMs);
}
