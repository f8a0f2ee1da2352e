import type { ClientBase } from 'pg';
import { changeEvents } from '../changes/change-events';
import { recordEvents } from '../schema/plugin-records';
import type { TableEvents, WithEvents } from './table-events';
import { storedTypeEvents } from './type-events';
import { deleteOfItemTables } from '../delete-of-item-tables';
import { tableExists } from '../table-exists';

/** Entries of the search, and tables of which they are complete. */
const tables = ['gantry_search', 'gantry_search_tables'];

const searchEvents: TableEvents = {
  async renamed(client, renames) {
    for (const { from, to } of renames.tables) await carryTable(client, from, to);
  },
  purged: (client, purged) => deleteOfItemTables(client, tables, purged),
};

async function carryTable(client: ClientBase, from: string, to: string): Promise<void> {
  for (const table of tables) {
    if (!(await tableExists(client, table))) continue;
    // The triggers that were just replaced have marked the name of today.
    await client.query(`DELETE FROM public.${table} WHERE item_table = $1`, [to]);
    await client.query(`UPDATE public.${table} SET item_table = $2 WHERE item_table = $1`, [from, to]);
  }
  if (!(await tableExists(client, 'gantry_search_tables'))) return;
  await client.query('UPDATE public.gantry_search_tables SET is_complete = false WHERE item_table = $1', [to]);
}

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
