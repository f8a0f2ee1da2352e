import { changeEvents } from '../changes/change-events';
import { recordEvents } from '../schema/plugin-records';
import { searchEvents } from '../search/search-events';
import type { TableEvents, WithEvents } from './table-events';
import { storedTypeEvents } from './type-events';

/** The events of the tables of this package, and of those of others. */
export function eventsOf(others: readonly WithEvents[]): readonly TableEvents[] {
  return [
    ...[searchEvents, changeEvents, recordEvents],
    ...others.flatMap(({ events }) => events ?? []),
    storedTypeEvents,
  ];
}
