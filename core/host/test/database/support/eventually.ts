import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until the condition holds. @throws with the last error, or that it did not hold in time. */
export async function eventually(holds: () => Promise<boolean> | boolean, timeoutMs = 30_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const outcome = await Promise.resolve()
      .then(holds)
      .catch((error: unknown) => error);
    if (outcome === true) return;
    if (Date.now() > end) throw new Error('The condition did not hold in time.', { cause: outcome });
    await pause(20);
  }
}
