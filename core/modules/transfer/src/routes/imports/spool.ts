import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { GantryError } from '@gantry/plugin-api';

/** A body that is stored on disk. */
export interface SpooledBody {
  readonly size: number;
  /** Its bytes from the beginning; `onRead` gets the number of bytes read so far. */
  read(onRead: (bytes: number) => void): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Takes the whole body of a request to disk before anything is done with it, so that a client that sends slowly or stalls
 * holds no transaction open. The file has no name any more once it is open: nothing is left of it after a crash.
 * @throws GantryError UNAVAILABLE when the disk is full, and what reading the body throws
 */
export async function spoolBody(bytes: AsyncIterable<Uint8Array>, folder: string): Promise<SpooledBody> {
  const file = await openNameless(folder);
  try {
    const size = await fill(file, bytes);
    return { size, read: (onRead) => readAll(file, onRead), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw translate(error);
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return file;
}

async function fill(file: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    await file.appendFile(chunk);
  }
  return size;
}

/** Bytes that an import works through in one go. */
const chunkSize = 64 * 1024;

async function* readAll(
  file: FileHandle,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let position = 0; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    onRead(position);
    yield buffer.subarray(0, bytesRead);
  }
}

function translate(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new GantryError('UNAVAILABLE', 'The disk of the platform is full: the file could not be stored.', {
    cause: error,
  });
}
