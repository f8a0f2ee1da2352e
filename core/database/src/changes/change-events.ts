import type { ClientBase } from 'pg';
import { deleteOfItemTables } from '../delete-of-item-tables';
import type { RenamedField } from '../schema/renames/find-renames';
import type { TableEvents } from '../events/table-events';
import { tableExists } from '../table-exists';
import { changeTable } from './change-tables';
import { targetTable } from './change-targets';

export const changeEvents: TableEvents = {
  async renamed(client, { tables, types }) {
    for (const { from, to } of tables) await carryTable(client, from, to);
    for (const { table, fields } of types) for (const field of fields) await carryHistory(client, table, field);
  },
  purged: (client, purged) => deleteOfItemTables(client, [changeTable, targetTable], purged),
};

async function carryTable(client: ClientBase, from: string, to: string): Promise<void> {
  if (await tableExists(client, changeTable)) {
    await client.query(`UPDATE public.${changeTable} SET item_table = $2 WHERE item_table = $1`, [from, to]);
  }
  await carryTargets(client, from, to);
}

async function carryTargets(client: ClientBase, from: string, to: string): Promise<void> {
  if (!(await tableExists(client, targetTable))) return;
  // The triggers that were just replaced have noted the name of today.
  await client.query(`DELETE FROM public.${targetTable} WHERE item_table = $1`, [to]);
  await client.query(`UPDATE public.${targetTable} SET item_table = $2 WHERE item_table = $1`, [from, to]);
  await client.query(`UPDATE public.${targetTable} SET target = $2 WHERE target = $1`, [from, to]);
}

/** Versions from before the rename are read, compared and restored by the name of today. */
async function carryHistory(client: ClientBase, table: string, field: RenamedField): Promise<void> {
  if (!(await tableExists(client, changeTable))) return;
  const renamed = (column: string): string =>
    `CASE WHEN ${column} ? $2 AND coalesce(${column} -> $3, 'null') = 'null'
       THEN ${column} - $2 || jsonb_build_object($3::text, ${column} -> $2) ELSE ${column} END`;
  await client.query(
    `UPDATE public.${changeTable} SET values = ${renamed('values')}, previous = ${renamed('previous')}, labels = ${renamed('labels')}
     WHERE item_table = $1 AND (values ? $2 OR previous ? $2 OR labels ? $2)`,
    [table, field.from, field.to],
  );
  if (!(await tableExists(client, targetTable))) return;
  await client.query(`DELETE FROM public.${targetTable} WHERE item_table = $1 AND field = $2`, [table, field.to]);
  await client.query(`UPDATE public.${targetTable} SET field = $3 WHERE item_table = $1 AND field = $2`, [
    table,
    field.from,
    field.to,
  ]);
}
