import type { CursorLease } from './cursor-lease';

/** The streams that are open, so that those who wait for a connection can have that of a reader that stalls. */
export interface OpenStreams {
  /** `stallTimeoutMs`: how long its reader may stall while others wait. */
  add(lease: CursorLease, stallTimeoutMs: number): void;
  delete(lease: CursorLease): void;
  /**
   * Until stopped, ends the reader that has stalled longest beyond the limit, once there is one; at most one, and only
   * while places are really missing: a connection that is just being opened is worth waiting for.
   */
  makeRoom(isCrowded: () => boolean): { stop(): void };
}

/** Milliseconds between two looks for a reader that stalls. */
const pollIntervalMs = 50;

export function createOpenStreams(): OpenStreams {
  const stallTimeouts = new Map<CursorLease, number>();
  const longestStalled = (): CursorLease | undefined =>
    [...stallTimeouts]
      .map(([lease, stallTimeoutMs]) => ({ lease, overMs: (lease.heldMs() ?? 0) - stallTimeoutMs }))
      .filter(({ overMs }) => overMs > 0)
      .toSorted((left, right) => right.overMs - left.overMs)
      .at(0)?.lease;
  return {
    add: (lease, stallTimeoutMs) => void stallTimeouts.set(lease, stallTimeoutMs),
    delete: (lease) => void stallTimeouts.delete(lease),
    makeRoom(isCrowded) {
      const timer = setInterval(() => {
        if (!isCrowded()) return;
        const stalled = longestStalled();
        if (stalled === undefined) return;
        clearInterval(timer);
        stallTimeouts.delete(stalled);
        stalled.letGo();
      }, pollIntervalMs);
      return { stop: () => clearInterval(timer) };
    },
  };
}
