import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `condition` every `everyMs` until it answers with a value.
 * @returns that value, or undefined when `timeoutMs` has passed.
 * @throws the signal's reason when it aborts.
 */
export async function poll<T>(
  condition: () => T | undefined | Promise<T | undefined>,
  timeoutMs: number,
  everyMs = 25,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const value = await condition();
    if (value !== undefined) return value;
    if (performance.now() >= deadline) return undefined;
    await delay(everyMs, undefined, signal === undefined ? {} : { signal });
  }
}
