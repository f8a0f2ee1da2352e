import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `condition` every `everyMs` until it answers with a value.
 * @returns that value, or undefined when `timeoutMs` has passed.
 */
export async function poll<T>(
  condition: () => T | undefined | Promise<T | undefined>,
  timeoutMs: number,
  everyMs = 25,
): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined) return value;
    if (performance.now() >= deadline) return undefined;
    await delay(everyMs);
  }
}
