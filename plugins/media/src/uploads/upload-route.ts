import { route, type Route } from '@gantry/plugin-api';
import { bodyMissing } from '../body-missing';
import { described } from '../images/described';
import { formats } from '../images/formats';
import type { ImageStore, ImageDescription } from '../images/image-store';
import type { RecentUploads } from './recent-uploads';
import { uploadPermission } from './upload-permission';

const storedImage = described<ImageDescription>(
  {
    type: 'object',
    required: ['url', 'mediaType', 'bytes', 'width', 'height', 'animated'],
    properties: {
      url: { type: 'string', description: 'The value for an IMAGE field.', pattern: '^/media/[0-9a-f]{64}\\.[a-z]+$' },
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
  'StoredImage',
);

/** Takes the bytes of one image, and answers with the address that an IMAGE field then holds. */
export function uploadRoute(images: ImageStore, uploads: RecentUploads, maxBytes: number): Route {
  return route({
    method: 'POST',
    path: '/media/images',
    operationId: 'storeImage',
    summary: 'Stores an image; its format is detected from its content',
    description:
      'Bytes of another format are a 415; an image that is damaged or has too many pixels is a 400. Until an item has the image, only who stored it sees it.',
    access: { permission: uploadPermission },
    errors: ['UNAVAILABLE'],
    upload: { mediaTypes: ['image/*', 'application/octet-stream'], limit: maxBytes },
    answer: storedImage,
    status: { 201: 'The image is stored', 200: 'The same image was already stored' },
    async handler({ upload, caller }) {
      if (upload === undefined) throw bodyMissing('an image');
      const { image, created } = await images.store(upload.bytes);
      uploads.add(caller, image.url);
      return { status: created ? 201 : 200, data: image, headers: { Location: image.url } };
    },
  });
}
