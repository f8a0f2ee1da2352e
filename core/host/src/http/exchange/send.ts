import type { ServerResponse } from 'node:http';

export const jsonType = 'application/json; charset=utf-8';

/** Sends JSON that is text already. */
export function sendJson(
  response: ServerResponse,
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return;
  response.statusCode = status;
  response.setHeader('Content-Type', jsonType);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Given to end() in one piece, the text goes out with a Content-Length and in one write with the head; without a body
  // the length has to be set.
  if (response.req.method === 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}

/** Wraps JSON text in the envelope. */
export function sendData(
  response: ServerResponse,
  status: number,
  data: string,
  meta?: object,
  headers?: Readonly<Record<string, string>>,
): void {
  const tail = meta === undefined ? '}' : `,"meta":${JSON.stringify(meta)}}`;
  sendJson(response, status, `{"data":${data}${tail}`, headers);
}
