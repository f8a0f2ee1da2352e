import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

export class BannerSettings extends BaseItem {}

const declare = (name, options) => Field(options)(BannerSettings.prototype, name);

declare('heading', { displayName: 'Heading', required: true, default: 'News', maxLength: 70 });
declare('seconds', { displayName: 'Seconds for each banner', type: 'NUMBER', column: 'INTEGER', min: 1, default: 8 });

ItemType({ displayName: 'Banner settings', singleton: true })(BannerSettings);
