import { definePlugin } from '@gantry/plugin-api';
import { parseMediaConfig } from './config';
import { createMedia } from './media';

export default definePlugin({
  id: 'media',
  config: (environment) => ({ ...parseMediaConfig(environment) }),
  ...createMedia(),
});
