import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { StoredImage } from './storage/image-storage';

export function isKnown({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',') ?? [];
  return known.some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

export function sendNotModified(response: ServerResponse, etag: string): void {
  writeHead(response, etag);
  response.statusCode = 304;
  response.end();
}

/** Opened as a page, what is stored can run nothing and load nothing, whatever its bytes are. */
export function writeHead(response: ServerResponse, etag: string): void {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, max-age=31536000, immutable');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
}

export async function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, content }: StoredImage,
): Promise<void> {
  response.setHeader('Content-Length', bytes);
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
