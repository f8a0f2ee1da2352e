import { BaseItem, definePlugin, Field, ItemType } from '@gantry/plugin-api';

/** The extra fields of an item with a page of its own. */
export class SeoFields {}

const declare = (owner, name, options) => Field(options)(owner.prototype, name);

declare(SeoFields, 'title', { displayName: 'Title', searchable: true, maxLength: 70 });
declare(SeoFields, 'description', { displayName: 'Description', type: 'TEXT', maxLength: 200 });
declare(SeoFields, 'picture', { displayName: 'Picture', type: 'IMAGE' });

export class SeoSettings extends BaseItem {}

declare(SeoSettings, 'siteName', { displayName: 'Name of the site', required: true, default: 'My site' });
ItemType({ displayName: 'SEO settings', singleton: true })(SeoSettings);

export default definePlugin({
  id: 'seo',
  itemTypes: [SeoSettings],
  extraFields: [
    { type: 'catalog.Product', fields: SeoFields, unique: [['title']] },
    { type: 'articles.Article', fields: SeoFields },
  ],
});
