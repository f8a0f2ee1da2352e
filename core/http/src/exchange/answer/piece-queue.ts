/** Text that waits for the client of a stream to take it. */
export interface PieceQueue extends AsyncIterable<string> {
  /** UTF-16 units. */
  readonly waiting: number;
  add(text: string): void;
  /** Waiting pieces are still sent. */
  end(): void;
}

/** @param signal ends it at once */
export function createPieceQueue(signal: AbortSignal): PieceQueue {
  let text = '';
  let isEnded = false;
  let wake = (): void => undefined;
  const end = (): void => {
    isEnded = true;
    wake();
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    get waiting() {
      return text.length;
    },
    add(more) {
      text += more;
      wake();
    },
    end,
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        const piece = text;
        text = '';
        if (piece !== '') yield piece;
        else if (isEnded) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
