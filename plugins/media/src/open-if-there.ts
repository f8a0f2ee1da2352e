import { open } from 'node:fs/promises';
import type { ByteRange, StoredImage } from './storage/image-storage';
import { storageFailure } from './storage/storage-failure';

/** Opens a file for reading; undefined when there is none. @throws GantryError UNAVAILABLE */
export async function openIfThere(path: string, range?: ByteRange): Promise<StoredImage | undefined> {
  try {
    const handle = await open(path, 'r');
    const { size } = await handle.stat();
    return { bytes: size, content: handle.createReadStream({ ...range }) };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw storageFailure('the folder of the images', error);
  }
}
