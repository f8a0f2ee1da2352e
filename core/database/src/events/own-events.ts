import type { ClientBase } from 'pg';
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

/** Lets the owners of tables answer a restore, in its transaction. */
export async function answerRestore(client: ClientBase, owners: readonly WithEvents[]): Promise<void> {
  for (const { restored } of eventsOf(owners)) await restored?.(client);
}
