import { BaseItem, Field, ItemType, type Related } from '@gantry/plugin-api';
import { Event } from './event';

/** A part of a page that shows one event. @public */
@ItemType({
  displayName: 'Top event component',
  displayNamePlural: 'Top events',
  icon: 'M12 4l2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z',
  columns: ['title', 'event'],
})
export class TopEventComponent extends BaseItem {
  @Field({ displayName: 'Title', placeholder: 'Do not miss', searchable: true })
  declare title: string | null;

  @Field({ displayName: 'Event', type: 'REFERENCE', targetEntity: () => Event, searchable: true })
  declare event: Related<Event> | null;
}
