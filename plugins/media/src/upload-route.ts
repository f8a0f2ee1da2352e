import { GantryError, type RouteHandler, type RouteOptions } from '@gantry/plugin-api';
import { formats } from './formats';
import type { ImageStore } from './image-store';
import type { RecentUploads } from './recent-uploads';
import { uploadPermission } from './upload-permission';

/** Takes the bytes of one image, and answers with the address that an IMAGE field then holds. */
export function createUploadHandler(images: ImageStore, uploads: RecentUploads): RouteHandler {
  return async ({ upload, caller }) => {
    if (upload === undefined) throw new GantryError('BAD_REQUEST', 'The body is missing. Send the bytes of an image.');
    const { image, created } = await images.store(upload.bytes);
    uploads.add(caller, image.url);
    return { status: created ? 201 : 200, data: image, headers: { Location: image.url } };
  };
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
        width: {
          type: 'integer',
          minimum: 1,
          description: 'Size in pixels as displayed, after the rotation that its metadata specify.',
        },
        height: { type: 'integer', minimum: 1 },
        animated: { type: 'boolean' },
      },
    },
  },
} as const;

/** How the host reads the body of an upload, and its OpenAPI description. */
export function uploadOptions(maxBytes: number): RouteOptions {
  const answer = (description: string) => ({ description, content: { 'application/json': { schema: stored } } });
  return {
    access: { permission: uploadPermission },
    body: { mediaTypes: ['image/*', 'application/octet-stream'], limit: maxBytes },
    summary: 'Stores an image; its format is detected from its content',
    openapi: { responses: { 201: answer('The image is stored'), 200: answer('The same image was already stored') } },
  };
}
