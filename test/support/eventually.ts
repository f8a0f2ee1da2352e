import { setTimeout as pause } from 'node:timers/promises';

/** Asks again until the condition holds. @throws with the last error, or that it did not hold in time */
export async function eventually(holds: () => Promise<boolean> | boolean, timeoutMs = 30_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      if (await holds()) return;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end) throw new Error('The condition did not hold in time.', { cause: failure });
    await pause(20);
  }
}
