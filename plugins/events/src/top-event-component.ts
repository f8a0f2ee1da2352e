import { BaseItem, Field, ItemType, type Related } from '@gantry/plugin-api';
import { Event } from './event';

/** A part of a page that shows one event. @public */
@ItemType({ displayName: 'Top event component', columns: ['title', 'event'] })
export class TopEventComponent extends BaseItem {
  @Field({ displayName: 'Title', placeholder: 'Do not miss', searchable: true })
  declare title: string | null;

  @Field({ displayName: 'Event', type: 'REFERENCE', targetEntity: () => Event, searchable: true })
  declare event: Related<Event> | null;
}
