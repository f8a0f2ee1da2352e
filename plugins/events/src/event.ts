import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

/** An event at a place on a day. @public */
@ItemType({
  displayName: 'Event',
  icon: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  columns: ['name', 'code', 'place', 'startsOn', 'image'],
  unique: [['code']],
})
export class Event extends BaseItem {
  // The name precedes the code, because the first of them that has a value labels the item in pickers.
  @Field({ displayName: 'Name', placeholder: 'Open garden day', searchable: true })
  declare name: string | null;

  @Field({ displayName: 'Code', placeholder: 'open-garden-day', searchable: true, required: true })
  declare code: string;

  @Field({ displayName: 'Place', placeholder: 'Town hall, Springfield', searchable: true })
  declare place: string | null;

  @Field({ displayName: 'First day', type: 'DATE', placeholder: '2026-06-14', searchable: true })
  declare startsOn: string | null;

  @Field({ displayName: 'Image', type: 'IMAGE' })
  declare image: string | null;

  @Field({ displayName: 'Description', type: 'TEXT', format: 'markdown' })
  declare description: string | null;
}
