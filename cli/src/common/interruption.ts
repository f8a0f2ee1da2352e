import { Interrupted } from './failure';

/** Runs work that Ctrl-C ends in an orderly way: it gets a signal, and a second Ctrl-C ends the process at once. */
export async function interruptible<T>(consequence: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    controller.abort(new Interrupted(`Interrupted. ${consequence}`));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    // What was under way fails in its own words; why it did is what counts.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/**
 * Waits for work that takes no signal, but not beyond Ctrl-C: what it holds ends with the process.
 * @throws the signal's reason when it aborts
 */
export async function orInterrupted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const left = new AbortController();
  const interrupted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: left.signal });
  });
  // A later failure of the work is not reported.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    left.abort();
  }
}
