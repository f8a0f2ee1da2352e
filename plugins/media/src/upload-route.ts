import { rm } from 'node:fs/promises';
import { GantryError, type RouteHandler, type RouteOptions } from '@gantry/plugin-api';
import { createIncomingPath, type Folders } from './files';
import { formats } from './formats';
import { fileNameOf } from './image-name';
import { inspectImage, type InspectedImage } from './inspect-image';
import { receiveFile, type ReceivedFile } from './receive-file';
import type { ImageStorage } from './storage/image-storage';
import { storageFailure } from './storage/storage-failure';
import type { WorkQueue } from './work-queue';

export interface UploadParts {
  readonly storage: ImageStorage;
  readonly folders: Folders;
  readonly queue: WorkQueue;
  readonly maxPixels: number;
}

/** Takes the bytes of one image, and answers with the address that an IMAGE field then holds. */
export function createUploadHandler(parts: () => UploadParts): RouteHandler {
  return async ({ upload }) => {
    if (upload === undefined) throw new GantryError('BAD_REQUEST', 'The body is missing. Send the bytes of an image.');
    const { storage, folders, queue, maxPixels } = parts();
    const file = await receiveFile(upload.bytes, createIncomingPath(folders)).catch((error: unknown) => {
      throw storageFailure('the folder of the images', error);
    });
    try {
      const image = await queue(() => inspectImage(file.path, maxPixels));
      const name = { hash: file.hash, format: image.format };
      const isNew = await storage.store(name, file);
      const url = `/media/${fileNameOf(name)}`;
      return { status: isNew ? 201 : 200, data: describe(url, file, image), headers: { Location: url } };
    } finally {
      await rm(file.path, { force: true });
    }
  };
}

function describe(url: string, { bytes }: ReceivedFile, { format, width, height, animated }: InspectedImage) {
  return { url, mediaType: formats[format].mediaType, bytes, width, height, animated };
}

const stored = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['url', 'mediaType', 'bytes', 'width', 'height', 'animated'],
      properties: {
        url: {
          type: 'string',
          description: 'The value for an IMAGE field.',
          pattern: '^/media/[0-9a-f]{64}\\.[a-z]+$',
        },
        mediaType: { type: 'string', enum: Object.values(formats).map(({ mediaType }) => mediaType) },
        bytes: { type: 'integer', minimum: 1 },
        width: { type: 'integer', minimum: 1, description: 'As it is shown, after turning it as its metadata say.' },
        height: { type: 'integer', minimum: 1 },
        animated: { type: 'boolean' },
      },
    },
  },
} as const;

/** How the host reads the body of an upload, and what OpenAPI tells. */
export function uploadOptions(maxBytes: number): RouteOptions {
  const answer = (description: string) => ({ description, content: { 'application/json': { schema: stored } } });
  return {
    body: { mediaTypes: ['image/*', 'application/octet-stream'], limit: maxBytes },
    summary: 'Stores an image; its bytes decide what it is',
    openapi: { responses: { 201: answer('The image is stored'), 200: answer('The same image was there already') } },
  };
}
