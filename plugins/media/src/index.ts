import { definePlugin } from '@gantry/plugin-api';
import { parseMediaConfig } from './config';
import { createMedia } from './media';

export { imageStore } from './image-store';
export type { ImageContent, ImageDescription, ImageStore } from './image-store';

export default definePlugin({
  id: 'media',
  config: (environment) => ({ ...parseMediaConfig(environment) }),
  ...createMedia(),
});
