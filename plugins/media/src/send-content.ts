import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, StoredImage } from './storage/image-storage';

export function isKnown({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

export function sendNotModified(response: ServerResponse, etag: string): void {
  writeHead(response, etag);
  response.statusCode = 304;
  response.end();
}

/** The content has none of the bytes that a request asks for. */
export function sendNoRange(response: ServerResponse, bytes: number): void {
  response.statusCode = 416;
  response.setHeader('Content-Range', `bytes */${bytes}`);
  response.end();
}

/** Opened as a page, what is stored can run nothing and load nothing, whatever its bytes are. */
export function writeHead(response: ServerResponse, etag: string): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, max-age=31536000, immutable');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
}

/** @param range which `content` is, of all bytes */
export async function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, content }: StoredImage,
  range?: ByteRange,
): Promise<void> {
  if (range === undefined) {
    response.setHeader('Content-Length', bytes);
  } else {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    response.setHeader('Content-Length', range.end - range.start + 1);
  }
  if (request.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  try {
    await pipeline(content, response);
  } catch (error) {
    // The client has closed the connection; there is no response to send.
    if (!response.destroyed) throw error;
  }
}
