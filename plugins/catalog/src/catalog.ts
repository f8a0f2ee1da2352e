import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** A catalog: the home of categories and products, each of them STAGED or ONLINE. @public */
@ItemType({
  displayName: 'Catalog',
  icon: 'M5 4h13v16H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h11',
  columns: ['name', 'code'],
  unique: [['code']],
})
export class Catalog extends BaseItem {
  // The name precedes the code, because the first of them that has a value labels the item in pickers.
  @Field({ displayName: 'Name', placeholder: 'Spring collection', searchable: true })
  declare name: string | null;

  @Field({ displayName: 'Code', placeholder: 'spring', searchable: true, required: true })
  declare code: string;
}
