import type { IncomingMessage } from 'node:http';
import type { ByteRange } from './storage/image-storage';

/**
 * The part of some content that a request asks for (RFC 9110, section 14); undefined for all of it: without `Range`, with one that cannot be
 * read or has several parts, and where `If-Range` names other content. `none` where the content has no such bytes.
 */
export function requestedRange(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  etag: string,
  bytes: number,
): ByteRange | 'none' | undefined {
  if (method !== 'GET' || (headers['if-range'] ?? etag) !== etag) return undefined;
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return within({ start: Math.max(0, bytes - Number(last)), end: bytes - 1 }, bytes);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return within({ start: Number(first), end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }, bytes);
}

function within(range: ByteRange, bytes: number): ByteRange | 'none' {
  return range.start < bytes ? range : 'none';
}
