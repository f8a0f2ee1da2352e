import { definePlugin } from '@gantry/plugin-api';
import { Banner } from './banner.js';
import { BannerSettings } from './banner-settings.js';

export { Banner, BannerSettings };

export default definePlugin({ id: 'banners', itemTypes: [Banner, BannerSettings] });
