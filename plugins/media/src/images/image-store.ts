import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { serviceToken, type Logger } from '@gantry/plugin-api';
import { createIncomingPath, type Folders } from '../files';
import { formats } from './formats';
import { addressOf, addressPrefix, parseFileName } from './image-name';
import { inspectImage } from './inspect-image';
import { logCauses } from '../log-causes';
import { receiveFile } from '../uploads/receive-file';
import type { ImageStorage } from '../storage/image-storage';
import { storageFailure } from '../storage/storage-failure';
import type { WorkQueue } from '../work-queue';

/** The facts about a stored image. */
export interface ImageDescription {
  /** The value for an IMAGE field. */
  readonly url: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** In pixels as it is shown, after it is turned as its metadata say. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
}

/** The bytes of a stored image. */
export interface ImageContent {
  readonly mediaType: string;
  readonly bytes: number;
  /** To be read to its end, or destroyed. */
  readonly content: Readable;
}

/** The images that the platform keeps, for other plugins. */
export interface ImageStore {
  /**
   * Stores an image under the name of its content; `created` is false when it was stored before.
   * @throws GantryError BAD_REQUEST, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE for bytes that are not taken, UNAVAILABLE
   *   while the storage cannot be used
   */
  store(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly image: ImageDescription; readonly created: boolean }>;
  /**
   * Opens the image that an IMAGE field names; undefined when it is not stored here, as an address elsewhere.
   * @throws GantryError UNAVAILABLE while the storage cannot be used
   */
  open(url: string): Promise<ImageContent | undefined>;
}

export const imageStore = serviceToken<ImageStore>('media.imageStore');

/** The context of the store, from the start of the plugin on. */
export interface ImageStoreDependencies {
  readonly storage: ImageStorage;
  readonly folders: Folders;
  readonly queue: WorkQueue;
  readonly maxBytes: number;
  readonly maxPixels: number;
}

export function createImageStore(dependencies: () => ImageStoreDependencies, logger: Logger): ImageStore {
  return {
    store: logCauses(logger, (bytes) => storeImage(bytes, dependencies())),
    open: logCauses(logger, async (url) => {
      const name = url.startsWith(addressPrefix) ? parseFileName(url.slice(addressPrefix.length)) : undefined;
      const found = name && (await dependencies().storage.open(name));
      return name && found && { ...found, mediaType: formats[name.format].mediaType };
    }),
  };
}

async function storeImage(
  bytes: AsyncIterable<Uint8Array>,
  { storage, folders, queue, maxBytes, maxPixels }: ImageStoreDependencies,
) {
  const file = await receiveFile(bytes, createIncomingPath(folders), maxBytes).catch((error: unknown) => {
    throw storageFailure('the folder of the images', error);
  });
  try {
    const { format, width, height, animated } = await queue(() => inspectImage(file.path, maxPixels));
    const name = { hash: file.hash, format };
    const created = await storage.store(name, file);
    const { mediaType } = formats[format];
    const image = { url: addressOf(name), mediaType, bytes: file.bytes, width, height, animated };
    return { image, created };
  } finally {
    await rm(file.path, { force: true });
  }
}
