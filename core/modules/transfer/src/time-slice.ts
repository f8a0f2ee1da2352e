import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Milliseconds for which an import works before other requests are served. */
const maxSliceMs = 5;

/** Divides long work into time slices; between two of them the event loop serves other requests. */
export class TimeSlice {
  private startedAt = performance.now();

  isOver(): boolean {
    return performance.now() - this.startedAt > maxSliceMs;
  }

  async next(): Promise<void> {
    await yieldToEventLoop();
    this.startedAt = performance.now();
  }
}
