import type { ServerResponse, IncomingMessage } from 'node:http';
import { GantryError, type RawHandler } from '@gantry/plugin-api';
import type { RecentUploads } from '../uploads/recent-uploads';
import { isKnown, sendContent, sendNoRange, sendNotModified, writeHead } from '../send-content';
import { addressOfFile, filePrefix, readFilePath, type FileAddress } from './file-address';
import type { FileStore } from './file-store';
import { fileTypeOf } from './file-types';
import type { ByteRange } from '../storage/image-storage';

/** Below the prefix of the mount. */
const prefix = filePrefix.slice('/media'.length);

/** Serves `/files/<hash>/<bytes>/<name>` to those who may read a field that has it, and to who has uploaded it. */
export function createFileHandler(files: FileStore, uploads: Pick<RecentUploads, 'has'>): RawHandler {
  return async (request, response, path, { caller, mayRead }) => {
    const address =
      path.startsWith(prefix) && !request.url?.includes('?') ? readFilePath(path.slice(prefix.length)) : undefined;
    if (address === undefined) throw notFound();
    const url = addressOfFile(address);
    // Any name can be given to a file whose hash is known: so no one but who has sent it sees one that no item has.
    if (!uploads.has(caller, url) && !(await mayRead([url]))) throw notFound();
    const etag = `"${address.hash}"`;
    if (isKnown(request, etag)) return sendNotModified(response, etag);
    const range = requestedRange(request, etag, address.bytes);
    if (range === 'none') return sendNoRange(response, address.bytes);
    const found = await files.open(url, range);
    if (found === undefined) throw notFound();
    writeFileHead(response, address, etag);
    response.setHeader('Accept-Ranges', 'bytes');
    await sendContent(request, response, found, range);
  };
}

export function isFilePath(path: string): boolean {
  return path.startsWith(prefix);
}

function writeFileHead(response: ServerResponse, { name }: FileAddress, etag: string): void {
  const { mediaType, isInline, isActive } = fileTypeOf(name);
  writeHead(response, etag);
  // A file that can carry scripts is no page, whatever happens to the other headers.
  response.setHeader('Content-Type', isActive === true ? 'application/octet-stream' : withCharset(mediaType));
  response.setHeader('Content-Disposition', `${isInline === true ? 'inline' : 'attachment'}; ${nameParameters(name)}`);
}

function withCharset(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

/** RFC 6266: for old clients in ASCII, and as it is. */
function nameParameters(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function notFound(): GantryError {
  return new GantryError('NOT_FOUND', 'Not found: no file has this path.');
}

/**
 * The part of some content that a request asks for (RFC 9110, section 14); undefined for all of it: without `Range`, with one that cannot be
 * read or has several parts, and where `If-Range` names other content. `none` where the content has no such bytes.
 */
function requestedRange(
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
