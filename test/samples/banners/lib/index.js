import { definePlugin } from '@gantry/plugin-api';
import { Banner } from './banner.js';

export { Banner };

export default definePlugin({ id: 'banners', itemTypes: [Banner] });
