import { changeEvents } from './changes/change-events';
import { recordEvents } from './schema/plugin-records';
import { searchEvents } from './search/search-events';
import type { TableEvents, WithEvents } from './table-events';
import { storedTypeEvents } from './type-events';

/** What the lowest floor keeps itself, and what others keep. */
export function eventsOf(others: readonly WithEvents[]): readonly TableEvents[] {
  return [
    ...[searchEvents, changeEvents, recordEvents],
    ...others.flatMap(({ events }) => events ?? []),
    storedTypeEvents,
  ];
}
