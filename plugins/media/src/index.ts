import { definePlugin } from '@gantry/plugin-api';
import { parseMediaConfig } from './config';
import { focalPointKind } from './image-details/focal-point';
import { MediaImage } from './image-details/media-image';
import { createMedia } from './media';
import { fileKind } from './stored-files/file-kind';

export { imageStore } from './images/image-store';
export { fileKind, focalPointKind, MediaImage };
export type { FocalPoint, FocalPointSettings } from './image-details/focal-point';
export type { FileSettings } from './stored-files/file-kind';
export { fileStore } from './stored-files/file-store';
export type { FileContent, FileDescription, FileStore } from './stored-files/file-store';
export type { ImageContent, ImageDescription, ImageStore } from './images/image-store';

export default definePlugin({
  id: 'media',
  itemTypes: [MediaImage],
  fieldKinds: [fileKind, focalPointKind],
  config: (environment) => ({ ...parseMediaConfig(environment) }),
  ...createMedia(),
});
