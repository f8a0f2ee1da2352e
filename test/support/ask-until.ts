import { setTimeout as pause } from 'node:timers/promises';
import { maxWaitMs } from './eventually';

const firstPauseMs = 30;
const maxPauseMs = 150;

/**
 * Asks again until the answer is as wanted, less often after a while, and gives that answer.
 * @throws Error with the last answer when it never is; what asking throws, at once
 */
export async function askUntil<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + maxWaitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.2, maxPauseMs)) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (Date.now() > end) throw new Error(`Not within ${maxWaitMs / 1_000} s; last: ${JSON.stringify(answer)}`);
    await pause(pauseMs);
  }
}
