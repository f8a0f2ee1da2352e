import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { SearchReader } from '../../content/read/item-repository';

/** An answer that is sent piece by piece. */
export interface PieceWriter {
  /** For the source of the pieces. */
  readonly reader: SearchReader;
  /** Sends a piece, and waits while the reader does. */
  write(text: string): Promise<void>;
}

/**
 * Runs what streams an answer. A client that closes the connection aborts the source, which is no error; one that stalls for too
 * long loses its connection, with all that is buffered for it.
 */
export async function whileRead(response: ServerResponse, stream: (to: PieceWriter) => Promise<void>): Promise<void> {
  const gone = new AbortController();
  const { signal } = gone;
  const onClose = (): void => gone.abort(new Error('The client closed the connection.'));
  response.once('close', onClose);
  // A client that left while the request was read has already caused that event.
  if (response.destroyed) onClose();
  try {
    await stream({
      reader: { signal, onStalled: () => response.destroy() },
      async write(text) {
        if (!response.write(text)) await once(response, 'drain', { signal });
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    response.off('close', onClose);
  }
}
