import type { ClientBase } from 'pg';
import { quoteIdentifier } from '../../identifiers';
import { readPluginRecords, type PluginVersion } from '../plugin-records';

/** A table of items or links that an earlier version of a plugin has declared. What it refers to cannot be deleted. */
export interface LeftTable {
  readonly plugin: string;
  readonly table: string;
  /** The statement that removes it with its rows; undefined for a plugin that cannot run, whose earlier version may need it. */
  readonly statement?: string;
}

/**
 * Tables of types that the plugins have removed, and of links of fields that they have removed.
 * @param failed ids of plugins that cannot run as they are
 */
export async function findLeftTables(
  client: ClientBase,
  plugins: readonly Pick<PluginVersion, 'id' | 'tables'>[],
  failed: ReadonlySet<string>,
): Promise<readonly LeftTable[]> {
  const records = await readPluginRecords(client);
  const wanted = new Set(
    plugins.flatMap(({ tables }) => tables.flatMap(({ name, renamedFrom = [] }) => [name, ...renamedFrom])),
  );
  const known = plugins.flatMap(({ id, tables }) => {
    const names = [
      ...tables.filter(({ isExtra }) => isExtra !== true).map(({ name }) => name),
      ...(records.get(id)?.tables ?? []),
    ];
    return names.map((name) => [name, id] as const);
  });
  const owners = new Map(known);
  const { rows } = await client.query<{ table: string; owner: string }>(
    `SELECT relname AS table, relname AS owner FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY ($1::name[])
     UNION
     SELECT l.relname, i.relname FROM pg_constraint f
     JOIN pg_class l ON l.oid = f.conrelid JOIN pg_class i ON i.oid = f.confrelid
     JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum = f.conkey[1]
     WHERE f.contype = 'f' AND f.confdeltype = 'c' AND a.attname = 'item_id'
       AND l.relnamespace = 'public'::regnamespace AND starts_with(l.relname::text, i.relname || '_')
       AND i.relnamespace = 'public'::regnamespace AND i.relname = ANY ($1::name[])
     ORDER BY 1`,
    [[...owners.keys()]],
  );
  return rows
    .filter(({ table }) => !wanted.has(table))
    .map(({ table, owner }) => {
      const plugin = owners.get(owner) ?? '';
      return { plugin, table, ...(failed.has(plugin) ? {} : { statement: `DROP TABLE ${quoteIdentifier(table)};` }) };
    });
}
