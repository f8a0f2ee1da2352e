import type { ClientBase } from 'pg';
import type { PurgedPlugin } from './events/table-events';
import { tableExists } from './table-exists';

/** Deletes the rows about items of a purged plugin. @param tables have the column `item_table` */
export async function deleteOfItemTables(
  client: ClientBase,
  tables: readonly string[],
  { itemTables }: Pick<PurgedPlugin, 'itemTables'>,
): Promise<void> {
  for (const table of tables) {
    if (!(await tableExists(client, table))) continue;
    await client.query(`DELETE FROM public.${table} WHERE item_table = ANY ($1::text[])`, [itemTables]);
  }
}
