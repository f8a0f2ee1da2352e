import { once } from 'node:events';
import type { Response } from 'express';
import type { SearchReader } from '../items/item-repository';

/**
 * Streams `{ "data": […] }` batch by batch and waits whenever the reader does. The head is sent with the first batch,
 * so that an error before it is still answered as one. A reader that goes away aborts the source; one that stalls for too
 * long loses its connection, with all that is buffered for it.
 */
export async function streamArray(
  response: Response,
  meta: object | undefined,
  source: (reader: SearchReader) => AsyncIterable<readonly string[]>,
): Promise<void> {
  const gone = new AbortController();
  const onClose = (): void => gone.abort(new Error('The reader went away.'));
  response.once('close', onClose);
  // Whoever left while the request was read has sent that event already.
  if (response.destroyed) onClose();
  try {
    let separator = '';
    for await (const batch of source({ signal: gone.signal, onStalled: () => response.destroy() })) {
      if (batch.length === 0) continue;
      const isFirst = separator === '';
      if (isFirst) startJson(response);
      const flushed = response.write((isFirst ? '{"data":[' : separator) + batch.join(','));
      separator = ',';
      if (!flushed) await once(response, 'drain', { signal: gone.signal });
    }
    if (separator === '') startJson(response);
    const head = separator === '' ? '{"data":[' : '';
    response.end(`${head}]${meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`}}`);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', onClose);
  }
}

function startJson(response: Response): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
}
