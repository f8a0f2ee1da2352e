import { setTimeout } from 'node:timers/promises';

/** Asks again until the answer is as wanted; the last answer is in the message when it never is. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
  within = 30_000,
): Promise<T> {
  const deadline = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${within / 1_000} s; last: ${JSON.stringify(answer)}`);
    await setTimeout(50);
  }
}
