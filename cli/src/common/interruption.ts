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
    // Interrupted work fails with its own message; the reason counts.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}
