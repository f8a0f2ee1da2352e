import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzip } from 'node:zlib';

export const jsonType = 'application/json; charset=utf-8';

/** A list gives the header several times. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Characters from which on an answer is worth the time of compressing it. */
const minCompressed = 1_024;
/** Of zlib: a third of the time of its usual one, for a little more to send. */
const compressionLevel = 3;

/** Sends text, JSON unless the headers say otherwise; compressed where the client takes it and the text is long. */
export function sendText(response: ServerResponse, status: number, text: string, headers: AnswerHeaders = {}): void {
  if (response.headersSent) return;
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (isCompressible(response, status, text)) {
    response.setHeader('Vary', 'Accept-Encoding');
    if (response.req.method !== 'HEAD' && takesGzip(response.req)) {
      sendCompressed(response, text);
      return;
    }
  }
  // Given to end() in one piece, the text goes out with a Content-Length and in one write with the head; without a body
  // the length has to be set.
  if (response.req.method === 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** An ETag names the version of an item: another representation needs another ETag. */
function isCompressible(response: ServerResponse, status: number, json: string): boolean {
  return status === 200 && json.length >= minCompressed && !response.hasHeader('ETag');
}

function takesGzip({ headers }: IncomingMessage): boolean {
  return /(?:^|,)\s*gzip\s*(?:,|$|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/i.test(headers['accept-encoding'] ?? '');
}

/** Compression in a separate thread, so that other requests continue. */
function sendCompressed(response: ServerResponse, json: string): void {
  gzip(json, { level: compressionLevel }, (error, compressed) => {
    // Another answer may have been sent meanwhile.
    if (response.headersSent || response.destroyed) return;
    if (error !== null) {
      response.end(json);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip');
    response.end(compressed);
  });
}

/** Wraps JSON text in the envelope. */
export function sendData(
  response: ServerResponse,
  status: number,
  data: string,
  meta?: object,
  headers?: AnswerHeaders,
): void {
  const tail = meta === undefined ? '}' : `,"meta":${JSON.stringify(meta)}}`;
  sendText(response, status, `{"data":${data}${tail}`, headers);
}
