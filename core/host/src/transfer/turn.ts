import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which an import works without letting other requests in. */
const maxTurnMs = 5;

/** Divides long work into turns, between which the event loop serves what has come in the meantime. */
export class Turn {
  private startedAt = performance.now();

  isOver(): boolean {
    return performance.now() - this.startedAt > maxTurnMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.startedAt = performance.now();
  }
}
