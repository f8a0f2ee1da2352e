/** Waits until the next request may be sent. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/** Lets one request after the other begin, each so many milliseconds after the one before: as fast as one types, and with any search for more. */
export function createPace(spacingMs: number): Pace {
  let latest = -Infinity;
  return async (signal) => {
    for (;;) {
      const wait = latest + spacingMs - performance.now();
      if (wait <= 0) break;
      await pause(wait, signal);
    }
    signal.throwIfAborted();
    latest = performance.now();
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'));
    });
  });
}
