import { createHash, type Hash } from 'node:crypto';
import { open, rm, writeFile } from 'node:fs/promises';
import { GantryError } from '@gantry/plugin-api';

/** A file on disk that is not stored as an image yet. */
export interface ReceivedFile {
  readonly path: string;
  readonly bytes: number;
  readonly hash: string;
}

/**
 * Writes bytes to a new file while they arrive. When they do not arrive whole, nothing is left.
 * @throws GantryError PAYLOAD_TOO_LARGE
 */
export async function receiveFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
  what = 'An image',
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  const counted = { bytes: 0 };
  try {
    const handle = await open(path, 'wx');
    try {
      await writeFile(handle, observed(chunks, hash, counted, { maxBytes, what }));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, bytes: counted.bytes, hash: hash.digest('hex') };
}

async function* observed(
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash,
  counted: { bytes: number },
  { maxBytes, what }: { readonly maxBytes: number; readonly what: string },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    counted.bytes += chunk.length;
    if (counted.bytes > maxBytes) {
      throw new GantryError('PAYLOAD_TOO_LARGE', `${what} must have at most ${maxBytes} bytes.`);
    }
    yield chunk;
  }
}
