import type { IncomingMessage } from 'node:http';
import { GantryError, type RouteUpload, type StreamedBody } from '@gantry/plugin-api';
import { truncate } from '@gantry/core-common';
import { confirmPrincipal } from '../caller/principal';

/**
 * The body of a request as it arrives, for a route that reads it itself.
 * @throws GantryError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; while it is read also BAD_REQUEST and what {@link confirmPrincipal} throws
 */
export function openUpload(request: IncomingMessage, { mediaTypes, limit }: StreamedBody): RouteUpload {
  if (!hasMediaType(request, mediaTypes)) throw notAccepted(request, mediaTypes);
  assertNotPacked(request);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  return {
    mediaType: mediaTypeOf(request),
    ...(charset === undefined ? {} : { charset }),
    bytes: readUpTo(request, limit),
  };
}

/** Whether what is sent is of one of the media types. */
export function hasMediaType(request: IncomingMessage, mediaTypes: readonly string[]): boolean {
  return mediaTypes.some((pattern) => matches(mediaTypeOf(request), pattern));
}

function mediaTypeOf({ headers }: IncomingMessage): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function notAccepted({ headers }: IncomingMessage, mediaTypes: readonly string[]): GantryError {
  const sent = headers['content-type'] ?? '';
  const found = sent === '' ? 'no Content-Type was sent' : `"${truncate(sent)}" was sent`;
  return new GantryError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${mediaTypes.join(' or ')}; ${found}.`, {
    headers: { Accept: mediaTypes.join(', ') },
  });
}

function matches(mediaType: string, pattern: string): boolean {
  if (!pattern.endsWith('/*')) return mediaType === pattern;
  return mediaType.length >= pattern.length && mediaType.startsWith(pattern.slice(0, -1));
}

/** A limit on what arrives would say nothing about what it unpacks to. */
function assertNotPacked(request: IncomingMessage): void {
  const coding = request.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() === 'identity') return;
  throw new GantryError('UNSUPPORTED_MEDIA_TYPE', 'This path accepts a body without Content-Encoding only.', {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

async function* readUpTo(request: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  let read = 0;
  // The connection outlives a reader that stops half way, so that the refusal reaches a client that is still sending.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      if (read > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (cause) {
    if (!request.errored) throw cause;
    throw new GantryError('BAD_REQUEST', 'The body ended before the announced length.', { cause });
  }
  await confirmPrincipal(request);
}

function tooLarge(limit: number): GantryError {
  return new GantryError('PAYLOAD_TOO_LARGE', `The body has more than ${limit} bytes, the maximum of this path.`);
}
