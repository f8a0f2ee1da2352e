/** Remembers which attempts, told apart by a key, have been worth making. */
export interface Worthwhile {
  /** Whether to make this attempt; counts it as one left out where not. */
  isWorth(key: string): boolean;
  /** What came of an attempt. */
  learn(key: string, succeeded: boolean): void;
}

/** Attempts left out at most after one that failed. */
const mostLeftOut = 63;

/**
 * After a failure the next attempt is left out, after another failure the next three, then seven, and so on: what keeps
 * failing costs next to nothing, and what begins to succeed is found out soon. Keys must be few.
 */
export function createWorthwhile(): Worthwhile {
  const failing = new Map<string, { leaveOut: number; left: number }>();
  return {
    isWorth(key) {
      const state = failing.get(key);
      if (state === undefined || state.left === 0) return true;
      state.left -= 1;
      return false;
    },
    learn(key, succeeded) {
      if (succeeded) {
        failing.delete(key);
        return;
      }
      const leaveOut = Math.min(mostLeftOut, 2 * (failing.get(key)?.leaveOut ?? 0) + 1);
      failing.set(key, { leaveOut, left: leaveOut });
    },
  };
}
