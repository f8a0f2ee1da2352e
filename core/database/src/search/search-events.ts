import type { ClientBase } from 'pg';
import { deleteOfItemTables } from '../delete-of-item-tables';
import type { TableEvents } from '../events/table-events';
import { tableExists } from '../table-exists';

/** Entries of the search, and tables of which they are complete. */
const tables = ['gantry_search', 'gantry_search_tables'];

export const searchEvents: TableEvents = {
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
