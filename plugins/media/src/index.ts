import { definePlugin } from '@gantry/plugin-api';
import { parseMediaConfig } from './config';
import { createMedia } from './media';
import { fileKind } from './stored-files/file-kind';

export { imageStore } from './image-store';
export { fileKind };
export type { FileSettings } from './stored-files/file-kind';
export { fileStore } from './stored-files/file-store';
export type { FileContent, FileDescription, FileStore } from './stored-files/file-store';
export type { ImageContent, ImageDescription, ImageStore } from './image-store';

export default definePlugin({
  id: 'media',
  fieldKinds: [fileKind],
  config: (environment) => ({ ...parseMediaConfig(environment) }),
  ...createMedia(),
});
