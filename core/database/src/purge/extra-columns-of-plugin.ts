import type { ClientBase } from 'pg';
import { replaceKeptFields } from '../changes/change-tables';
import { targetTable } from '../changes/change-targets';
import { fieldsKept } from '../changes/kept-fields';
import { identifier, quoteIdentifier } from '../identifiers';
import { extraPrefix } from '../schema/plan/extra-columns';
import { readPluginRecords } from '../schema/plugin-records';
import { tableExists } from '../table-exists';

/** The extra columns of a plugin in a table of another one. */
export interface ExtraColumns {
  readonly table: string;
  /** The plugin of the table. */
  readonly owner: string;
  /** Type code of the items. */
  readonly type: string;
  readonly columns: readonly string[];
  /** Names of the fields, also of those whose values are in other tables. */
  readonly fields: readonly string[];
  /** Rows that have a value in one of the columns. */
  readonly rows: number;
}

interface FoundColumns {
  readonly table: string;
  readonly columns: readonly string[];
  readonly source: string | null;
}

/** Reads them without the code of the plugin: their names begin with its id, and the triggers of the tables note the fields. */
export async function readExtraColumns(client: ClientBase, plugin: string): Promise<readonly ExtraColumns[]> {
  const prefix = extraPrefix(plugin);
  const { rows } = await client.query<FoundColumns>(
    `SELECT c.relname AS table,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND starts_with(a.attname, $1) ORDER BY a.attnum) AS columns, p.prosrc AS source
     FROM pg_class c JOIN pg_trigger g ON g.tgrelid = c.oid AND g.tgname = 'gantry_change_insert' JOIN pg_proc p ON p.oid = g.tgfoid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
    [prefix],
  );
  const owners = new Map(
    [...(await readPluginRecords(client)).values()].flatMap(({ plugin: owner, tables }) =>
      tables.map((table) => [table, owner] as const),
    ),
  );
  const found: ExtraColumns[] = [];
  for (const { table, columns, source } of rows) {
    const kept = fieldsKept(new Map([['gantry_change_insert', source ?? '']]));
    const fields = kept.map(({ name }) => name).filter((name) => name.startsWith(`${plugin}$`));
    const owner = owners.get(table);
    if (owner === undefined || fields.length + columns.length === 0) continue;
    const type = table.slice(identifier(owner).length + 1);
    found.push({ table, owner, type, columns, fields, rows: await countValues(client, table, columns) });
  }
  return found;
}

async function countValues(client: ClientBase, table: string, columns: readonly string[]): Promise<number> {
  if (columns.length === 0) return 0;
  const { rows } = await client.query<{ rows: string }>(
    `SELECT count(*) AS rows FROM public.${quoteIdentifier(table)} WHERE ${hasValue(columns)}`,
  );
  return Number(rows[0]?.rows ?? 0);
}

function hasValue(columns: readonly string[]): string {
  return columns.map((column) => `${quoteIdentifier(column)} IS NOT NULL`).join(' OR ');
}

/** SQL of the rows that have a value, with their ids. */
export function valuesOf({ table, columns }: ExtraColumns): string {
  const names = ['id', ...columns].map(quoteIdentifier).join(', ');
  return `(SELECT ${names} FROM public.${quoteIdentifier(table)} WHERE ${hasValue(columns)} ORDER BY id) t`;
}

/** Drops the columns; the trigger of the table goes on without their fields. */
export async function dropExtraColumns(client: ClientBase, { table, columns, fields }: ExtraColumns): Promise<void> {
  const { rows } = await client.query<{ source: string }>(
    `SELECT p.prosrc AS source FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
     WHERE g.tgrelid = $1::regclass AND g.tgname = 'gantry_change_insert'`,
    [`public.${quoteIdentifier(table)}`],
  );
  const kept = fieldsKept(new Map([['gantry_change_insert', rows[0]?.source ?? '']]));
  const left = kept.filter(({ name }) => !fields.includes(name));
  if (left.length < kept.length) await client.query(replaceKeptFields(table, left));
  if (columns.length > 0) {
    const drops = columns.map((column) => `DROP COLUMN ${quoteIdentifier(column)}`);
    await client.query(`ALTER TABLE public.${quoteIdentifier(table)} ${drops.join(', ')}`);
  }
  if (!(await tableExists(client, targetTable))) return;
  await client.query(`DELETE FROM public.${targetTable} WHERE item_table = $1 AND field = ANY ($2::text[])`, [
    table,
    fields,
  ]);
}
