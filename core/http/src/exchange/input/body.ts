import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { raw, type Request, type RequestHandler, type Response } from 'express';
import { JsonTextError, parseBody, truncate } from '@gantry/core-common';
import { assertPresent, confirmPrincipal, needsPresence } from '../caller/principal';

/** Reads the JSON body of a request; undefined when there is none. @param bodyLimit of its route, where that is less */
export type ReadJson = <P>(request: Request<P>, response: Response, bodyLimit?: number) => Promise<unknown>;

/**
 * Reads bodies of `application/json` up to `most` bytes, counted after unpacking (gzip, deflate, br).
 * @throws GantryError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_REQUEST, and what {@link assertPresent} and {@link confirmPrincipal} throw
 */
export function createJsonReader(most: number): ReadJson {
  // One for each limit.
  const readers = new Map<number, RequestHandler<never>>();
  const readerOf = (limit: number): RequestHandler<never> => {
    const known = readers.get(limit) ?? raw({ type: () => true, limit, inflate: true });
    readers.set(limit, known);
    return known;
  };
  return async (request, response, bodyLimit = most) => {
    const limit: Limit =
      bodyLimit < most
        ? { bytes: bodyLimit, remedy: 'Send less.' }
        : { bytes: most, remedy: 'Send less, or raise GANTRY_BODY_LIMIT.' };
    if (needsPresence(request)) await assertPresent(request);
    if (!hasBody(request)) return undefined;
    assertJson(request);
    assertKnownCoding(request);
    const bytes = isPlain(request)
      ? await collectPlain(request, limit)
      : await collect(readerOf(limit.bytes), request as Request<never>, response).catch((error: unknown) => {
          throw translateBodyError(error, limit);
        });
    const confirming = confirmPrincipal(request);
    if (confirming !== undefined) await confirming;
    return bytes.length === 0 ? undefined : parseText(decode(bytes));
  };
}

async function parseText(text: string): Promise<unknown> {
  try {
    return await parseBody(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new GantryError('BAD_REQUEST', error.message, { cause: error.cause });
  }
}

interface Limit {
  readonly bytes: number;
  readonly remedy: string;
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0';
}

const acceptedType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

function assertJson(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (acceptedType.test(type)) return;
  const found = type === '' ? 'no Content-Type was sent' : `"${truncate(type)}" was sent`;
  throw new GantryError('UNSUPPORTED_MEDIA_TYPE', `The body must be application/json in UTF-8; ${found}.`, {
    headers: { Accept: 'application/json' },
  });
}

/** The body reader accepts what this version of Node.js can decompress; the accepted encodings must not depend on that. */
function assertKnownCoding(request: IncomingMessage): void {
  const coding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (!['identity', 'gzip', 'deflate', 'br'].includes(coding)) throw unknownCoding();
}

function unknownCoding(cause?: unknown): GantryError {
  return new GantryError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The Content-Encoding of the body is not supported; use gzip, deflate or br.',
    { cause },
  );
}

/** Whether the length of the body is announced and nothing has to be unpacked. */
function isPlain({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined && (headers['content-encoding'] ?? 'identity') === 'identity';
}

/** The body of nearly every request, for a fraction of what a reader for all kinds of bodies costs. */
function collectPlain(request: IncomingMessage, limit: Limit): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > limit.bytes) {
      reject(tooLarge(limit));
      return;
    }
    // Node ends the body at the announced length.
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer): void => void chunks.push(chunk);
    const onEnd = (): void => {
      request.off('close', onClose);
      const [first] = chunks;
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
    };
    const onClose = (): void => reject(endedEarly());
    request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });
}

function collect(readBytes: RequestHandler<never>, request: Request<never>, response: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    void readBytes(request, response, (error?: unknown) => {
      if (error !== undefined && error !== null) {
        reject(error instanceof Error ? error : new Error('Reading the body failed'));
      } else resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
    });
  });
}

/** Errors that the body reader reports by `type` (npm body-parser). */
function translateBodyError(error: unknown, limit: Limit): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return tooLarge(limit, error);
    case 'encoding.unsupported':
      return unknownCoding(error);
    case 'request.aborted':
    case 'request.size.invalid':
      return endedEarly(error);
    default:
      // Anything else the reader reports is damaged input, for example broken gzip data.
      return new GantryError('BAD_REQUEST', 'The body cannot be read.', { cause: error });
  }
}

function tooLarge({ bytes, remedy }: Limit, cause?: unknown): GantryError {
  return new GantryError('PAYLOAD_TOO_LARGE', `The body has more than ${bytes} bytes. ${remedy}`, { cause });
}

function endedEarly(cause?: unknown): GantryError {
  return new GantryError('BAD_REQUEST', 'The body ended before the announced length.', { cause });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new GantryError('BAD_REQUEST', 'The body is not valid UTF-8.', { cause });
  }
}
