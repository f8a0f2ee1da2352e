import { stat } from 'node:fs/promises';
import { moveInto, shardedPath } from '../files';
import { fileNameOf } from '../images/image-name';
import { openIfThere } from '../open-if-there';
import type { ImageStorage } from './image-storage';
import { storageFailure } from './storage-failure';

/** Keeps the originals in a folder. The files to be stored are on the same disk. */
export function createFolderStorage(folder: string): ImageStorage {
  const title = 'the folder of the images';
  return {
    title,
    async store(image, { path }) {
      const place = shardedPath(folder, fileNameOf(image));
      try {
        if (await exists(place)) return false;
        await moveInto(path, place);
        return true;
      } catch (error) {
        throw storageFailure(title, error);
      }
    },
    open: (image, range) => openIfThere(shardedPath(folder, fileNameOf(image)), range),
    async assertReachable() {
      await stat(folder).catch((error: unknown) => {
        throw storageFailure(title, error);
      });
    },
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
