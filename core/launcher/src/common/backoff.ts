/** Milliseconds to wait before attempt `attempt` (0 is the first): doubling from `first`, at most `limit`. */
export function backoff(attempt: number, first = 200, limit = 10_000): number {
  return Math.min(first * 2 ** attempt, limit);
}
