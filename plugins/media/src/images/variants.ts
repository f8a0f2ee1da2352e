import { rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { GantryError, isGantryError } from '@gantry/plugin-api';
import sharp from 'sharp';
import { decodeSeconds } from './decoding';
import { createIncomingPath, moveInto, shardedPath, syncFile, type Folders } from '../files';
import { openIfThere } from '../open-if-there';
import type { ImageName } from './image-name';
import type { ImageStorage, StoredImage } from '../storage/image-storage';
import { storageFailure } from '../storage/storage-failure';
import type { WorkQueue } from '../work-queue';

/** The widths in pixels that images are offered in. Only these, so that no client can fill the disk with others. */
export const variantWidths: readonly number[] = [64, 160, 320, 640, 1280];

/** A picture may be this many times as high as it is wide before its height decides. */
const tallest = 4;

/** Smaller pictures of the stored ones: still, upright, in sRGB, without metadata, and never enlarged. */
export interface Variants {
  /** Makes the variant unless it is there. Resolves with undefined when there is no such image. */
  open(image: ImageName, width: number): Promise<StoredImage | undefined>;
}

export interface VariantDependencies {
  readonly storage: ImageStorage;
  readonly folders: Folders;
  readonly queue: WorkQueue;
  readonly maxPixels: number;
}

export function createVariants(dependencies: VariantDependencies): Variants {
  const making = new Map<string, Promise<boolean>>();
  return {
    async open(image, width) {
      const place = shardedPath(dependencies.folders.variants, `${image.hash}-${width}.webp`);
      const known = await openIfThere(place);
      if (known !== undefined) return known;
      // Several requests for a new variant wait for one piece of work.
      const work = making.get(place) ?? make(dependencies, image, width, place).finally(() => making.delete(place));
      making.set(place, work);
      return (await work) ? openIfThere(place) : undefined;
    },
  };
}

async function make(
  dependencies: VariantDependencies,
  image: ImageName,
  width: number,
  place: string,
): Promise<boolean> {
  return dependencies.queue(async () => {
    const original = await dependencies.storage.open(image);
    if (original === undefined) return false;
    const path = createIncomingPath(dependencies.folders);
    try {
      await shrink(await buffer(original.content), width, dependencies.maxPixels, path);
      await syncFile(path);
      await moveInto(path, place);
      return true;
    } catch (error) {
      if (isGantryError(error)) throw error;
      throw storageFailure('the storage of the images', error);
    } finally {
      await rm(path, { force: true });
    }
  });
}

async function shrink(original: Buffer, width: number, maxPixels: number, path: string): Promise<void> {
  try {
    await sharp(original, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: decodeSeconds })
      .autoOrient()
      .resize({ width, height: width * tallest, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(path);
  } catch (cause) {
    throw new GantryError('UNAVAILABLE', `The image cannot be shown ${width} pixels wide at the moment.`, { cause });
  }
}
