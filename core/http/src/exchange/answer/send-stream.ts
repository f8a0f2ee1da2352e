import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { ServerEvent, StreamPiece, StreamResult } from '@gantry/plugin-api';
import type { Response } from 'express';
import { confirmPrincipal } from '../caller/principal';

export const eventStream = 'text/event-stream' as const;

/** Milliseconds after which a client of events connects again. */
const retryMs = 1_000;
/** Proxies close connections on which nothing is sent. */
const heartbeatMs = 15_000;
const confirmMs = 5_000;

/** Where a stream is sent to. */
export interface StreamTarget {
  readonly request: IncomingMessage;
  readonly response: Response;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Runs the code that makes the next piece. */
  readonly pull: (next: () => Promise<IteratorResult<StreamPiece>>) => Promise<IteratorResult<StreamPiece>>;
  /** Aborts when the process takes no requests any more: streams of events end, and their clients go to the one that follows. */
  readonly draining: AbortSignal;
}

/**
 * Sends an answer piece by piece, and waits while the client does. The head is sent with the first piece, so that an error before it is
 * still answered as one; that of events at once. A client that closes the connection is no error.
 * @throws what makes the pieces throws
 */
export async function sendStream(answer: StreamResult<string>, target: StreamTarget): Promise<void> {
  const { request, response, signal } = target;
  const iterator = answer.stream[Symbol.asyncIterator]();
  const isEvents = answer.mediaType === eventStream;
  const stop = isEvents ? beginEvents(answer, target) : (): void => undefined;
  try {
    if (request.method !== 'HEAD' && !response.writableEnded) await sendPieces(iterator, answer, target);
    if (!response.headersSent) begin(response, answer);
    if (!response.writableEnded) response.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stop();
    // A stream that waits for something else than its reader is not waited for.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function sendPieces(
  iterator: AsyncIterator<StreamPiece>,
  answer: StreamResult<string>,
  { response, signal, pull }: StreamTarget,
): Promise<void> {
  let leave = (): void => undefined;
  signal.addEventListener('abort', () => leave(), { once: true });
  // Code that makes pieces may not heed the signal.
  const next = (): Promise<IteratorResult<StreamPiece>> =>
    new Promise((resolve, reject) => {
      leave = () => resolve({ done: true, value: undefined });
      pull(() => iterator.next()).then(resolve, reject);
    });
  while (!signal.aborted) {
    const result = await next();
    if (result.done === true || response.writableEnded) return;
    if (!response.headersSent) begin(response, answer);
    if (!response.write(contentOf(result.value))) await once(response, 'drain', { signal });
  }
}

function contentOf(piece: StreamPiece): string | Uint8Array {
  return typeof piece === 'string' || piece instanceof Uint8Array ? piece : eventText(piece);
}

/** An event as it is sent. */
export function eventText({ event, id, data }: ServerEvent): string {
  const head = `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}`;
  return `${head}data: ${data.includes('\n') ? data.replaceAll('\n', '\ndata: ') : data}\n\n`;
}

function begin(response: Response, { mediaType, fileName, headers = {} }: StreamResult<string>): void {
  response.statusCode = 200;
  const isText = mediaType.startsWith('text/') || mediaType.includes('json');
  response.setHeader('Content-Type', isText ? `${mediaType}; charset=utf-8` : mediaType);
  if (fileName !== undefined) {
    response.setHeader('Content-Disposition', `attachment; filename="${fileName.replaceAll(/[^\w.-]/g, '_')}"`);
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** @returns what stops what keeps the connection */
function beginEvents(answer: StreamResult<string>, { request, response, draining }: StreamTarget): () => void {
  begin(response, answer);
  response.setHeader('Cache-Control', 'no-store');
  // Some proxies hold back what they could compress or buffer.
  response.setHeader('X-Accel-Buffering', 'no');
  if (request.method === 'HEAD') return () => undefined;
  const retry = `retry: ${retryMs}\n\n`;
  if (draining.aborted) {
    // On a connection that is still open to a process which retires.
    response.setHeader('Connection', 'close');
    response.end(retry);
    return () => undefined;
  }
  request.socket.setTimeout(0);
  response.write(retry);
  const heartbeat = setInterval(() => response.write(': still connected\n\n'), heartbeatMs);
  const confirm = setInterval(
    () =>
      void Promise.resolve()
        .then(() => confirmPrincipal(request))
        .catch(end),
    confirmMs,
  );
  const stop = (): void => {
    clearInterval(heartbeat);
    clearInterval(confirm);
    draining.removeEventListener('abort', end);
  };
  function end(): void {
    // A write after the end is an error of the process.
    stop();
    response.end();
  }
  draining.addEventListener('abort', end);
  return stop;
}
