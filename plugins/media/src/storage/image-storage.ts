import type { Readable } from 'node:stream';
import type { ImageName } from '../image-name';

/** A stored original. */
export interface StoredImage {
  readonly bytes: number;
  /** To be read to its end, or destroyed. */
  readonly content: Readable;
}

/** Where the originals are. What fails is UNAVAILABLE. */
export interface ImageStorage {
  /** For log lines and messages, for example `the bucket pictures`. */
  readonly title: string;
  /** Stores a finished file, all of it or nothing. Resolves with false when the image was there already. */
  store(image: ImageName, file: { readonly path: string; readonly bytes: number }): Promise<boolean>;
  open(image: ImageName): Promise<StoredImage | undefined>;
  /** @throws GantryError UNAVAILABLE */
  assertReachable(): Promise<void>;
}
