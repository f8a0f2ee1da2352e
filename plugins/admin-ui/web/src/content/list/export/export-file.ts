import { platformAddress } from '@gantry/client/platform';
import { ApiError, unreachable } from '../../../api/api-error';
import { toJson } from '../../../api/json';
import { readJson, refusal } from '../../../api/request';
import { notifyTypeGone } from '../../../api/type-gone';
import type { FileSink } from './file-sink';

export type FileFormat = 'csv' | 'jsonl';

export interface FileOrder {
  readonly type: string;
  readonly format: FileFormat;
  /** Criteria, or ids of items. */
  readonly selection: unknown;
  readonly q?: string | undefined;
  readonly sink: FileSink;
  readonly signal: AbortSignal;
  onProgress(items: number): void;
}

/**
 * Writes the file that the platform makes of items, and that an import takes here or elsewhere. It goes on as it comes, and
 * waits while the disk does, so that its size does not matter.
 * @throws ApiError; the signal's reason when it aborts
 */
export async function exportFile({ sink, onProgress, ...order }: FileOrder): Promise<void> {
  const count = itemCounter(order.format);
  const body = await request(order);
  try {
    for (;;) {
      const { done, value } = await readPiece(body, order.signal);
      if (done) return;
      await sink.write(value);
      onProgress(count(value));
    }
  } finally {
    // A failed write requests no more.
    void body.cancel().catch(() => undefined);
  }
}

type Body = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

async function request({ type, format, selection, q, signal }: Omit<FileOrder, 'sink' | 'onProgress'>): Promise<Body> {
  const path = platformAddress('POST', '/api/cms/exports/{type}', { path: { type }, query: { format, q } });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: toJson(selection), signal }).catch((error) => {
    if (signal.aborted) throw error;
    throw unreachable();
  });
  if (response.ok && response.body !== null) return response.body.getReader();
  const refused = refusal(response, readJson(await response.text().catch(() => '')));
  if (refused.code === 'TYPE_NOT_FOUND') notifyTypeGone();
  throw refused;
}

/** A connection that breaks means that the file is not complete. */
async function readPiece(body: Body, signal: AbortSignal): ReturnType<Body['read']> {
  try {
    return await body.read();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError(
      0,
      'UNREACHABLE',
      'The connection to the platform was lost before the file was complete. Export again.',
    );
  }
}

const [lineFeed, quote] = [0x0a, 0x22];

/** Counts items by the ends of lines; in CSV, those between quotes belong to a value, and the first is that of the header. */
function itemCounter(format: FileFormat): (piece: Uint8Array) => number {
  const isCsv = format === 'csv';
  let lines = 0;
  let isQuoted = false;
  return (piece) => {
    for (const byte of piece) {
      if (byte === lineFeed && !isQuoted) lines += 1;
      else if (byte === quote && isCsv) isQuoted = !isQuoted;
    }
    return isCsv ? Math.max(0, lines - 1) : lines;
  };
}
