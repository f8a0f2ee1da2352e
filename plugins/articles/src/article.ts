import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** An article. @public */
@ItemType({
  displayName: 'Article',
  icon: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  columns: ['title', 'slug', 'image'],
  unique: [['slug']],
})
export class Article extends BaseItem {
  @Field({ displayName: 'Title', placeholder: 'Ten tools for a small garden', searchable: true, required: true })
  declare title: string;

  @Field({
    displayName: 'Slug',
    placeholder: 'ten-tools-for-a-small-garden',
    searchable: true,
    section: 'Address',
    help: 'The last part of the address of the article; unique.',
  })
  declare slug: string | null;

  @Field({ displayName: 'Body', type: 'TEXT', format: 'markdown' })
  declare body: string | null;

  @Field({ displayName: 'Image', type: 'IMAGE' })
  declare image: string | null;
}
