import type { ClientBase } from 'pg';
import { identifier, quoteIdentifier } from '../identifiers';
import { readPluginRecords } from '../schema/plugin-records';
import type { TableEvents } from '../events/table-events';
import { extraPrefix } from '../schema/plan/extra-columns';
import { readExtraColumns, type ExtraColumns } from './extra-columns-of-plugin';

/** A table of items or links of a plugin, as it is in the database. */
export interface PluginTable {
  readonly name: string;
  /** Type code; of a link table, the one of the items that it belongs to. */
  readonly type: string;
  readonly isLinks: boolean;
  readonly rows: number;
  /** Different addresses of images in its columns. */
  readonly images: number;
}

/** Rows of tables that stay and refer to items of the plugin. */
export interface OutsideReference {
  readonly table: string;
  readonly column: string;
  readonly constraint: string;
  readonly referencedTable: string;
  readonly rows: number;
}

/** Tables and rows of a plugin in a database. */
export interface PluginSurvey {
  readonly plugin: string;
  readonly types: readonly string[];
  readonly tables: readonly PluginTable[];
  /** Columns in tables of other plugins. */
  readonly extras: readonly ExtraColumns[];
  readonly references: readonly OutsideReference[];
  /** Tables that have the prefix of the plugin and are not of its types: its migrations may have made them. */
  readonly otherTables: readonly string[];
}

/** Reads what the database holds of a plugin, without its code: types that were in use are recorded. */
export async function surveyPlugin(
  client: ClientBase,
  plugin: string,
  events: readonly TableEvents[],
): Promise<PluginSurvey> {
  const known = await knownTypes(client, events);
  const types = await typesOf(client, plugin, known);
  const extras = await readExtraColumns(client, plugin);
  const found = await tablesOf(client, plugin, types, extras);
  const tables: PluginTable[] = [];
  for (const { name, type, isLinks } of found) {
    const images = await imageColumns(client, name);
    tables.push({ name, type, isLinks, ...(await countRows(client, name, images)) });
  }
  const names = tables.map(({ name }) => name);
  return {
    plugin,
    types,
    tables,
    extras,
    references: await outsideReferences(client, names),
    otherTables: await otherTables(client, plugin, names, [...known.keys()]),
  };
}

/** Names of its tables of items and links, without counting anything. */
export async function pluginTables(
  client: ClientBase,
  plugin: string,
  events: readonly TableEvents[],
): Promise<readonly string[]> {
  const known = await knownTypes(client, events);
  const extras = await readExtraColumns(client, plugin);
  const found = await tablesOf(client, plugin, await typesOf(client, plugin, known), extras);
  return found.map(({ name }) => name);
}

type KnownTypes = ReadonlyMap<string, readonly string[]>;

async function knownTypes(client: ClientBase, events: readonly TableEvents[]): Promise<KnownTypes> {
  const found = new Map<string, readonly string[]>();
  for (const { knownTypes: read } of events) {
    const known = (await read?.(client)) ?? new Map<string, readonly string[]>();
    for (const [plugin, types] of known) found.set(plugin, [...(found.get(plugin) ?? []), ...types]);
  }
  return found;
}

/** Types that a start has recorded, and types whose tables a command has made. */
async function typesOf(client: ClientBase, plugin: string, known: KnownTypes): Promise<readonly string[]> {
  const prefix = `${identifier(plugin)}_`;
  const tables = (await readPluginRecords(client)).get(plugin)?.tables ?? [];
  const recorded = tables.filter((table) => table.startsWith(prefix)).map((table) => table.slice(prefix.length));
  return [...new Set([...(known.get(plugin) ?? []), ...recorded])].toSorted();
}

type FoundTable = Pick<PluginTable, 'name' | 'type' | 'isLinks'>;

/** A link table belongs to the items that it goes with; that of an extra field, to the plugin of the field. */
async function tablesOf(
  client: ClientBase,
  plugin: string,
  types: readonly string[],
  extras: readonly ExtraColumns[],
): Promise<readonly FoundTable[]> {
  const items = new Map(types.map((type) => [identifier(plugin, type), type]));
  const extended = new Map(extras.map(({ table, type }) => [table, type]));
  const { rows } = await client.query<{ name: string; owner: string; isLinks: boolean }>(
    `SELECT relname AS name, relname AS owner, false AS "isLinks" FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY ($1::name[])
     UNION ALL
     SELECT l.relname, i.relname, true FROM pg_constraint f
     JOIN pg_class l ON l.oid = f.conrelid JOIN pg_class i ON i.oid = f.confrelid
     JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum = f.conkey[1]
     WHERE f.contype = 'f' AND f.confdeltype = 'c' AND a.attname = 'item_id'
       AND l.relnamespace = 'public'::regnamespace AND i.relnamespace = 'public'::regnamespace
       AND ((i.relname = ANY ($1::name[]) AND starts_with(l.relname::text, i.relname || '_'))
         OR (i.relname = ANY ($2::name[]) AND starts_with(l.relname::text, i.relname || '_' || $3)))
     ORDER BY 3, 1`,
    [[...items.keys()], [...extended.keys()], extraPrefix(plugin)],
  );
  return rows.map(({ name, owner, isLinks }) => ({
    name,
    type: items.get(owner) ?? extended.get(owner) ?? '',
    isLinks,
  }));
}

/** Columns of addresses of images have a separate index with a limit of bytes. */
async function imageColumns(client: ClientBase, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT a.attname AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indrelid = $1::regclass AND i.indnatts = 1 AND pg_get_expr(i.indpred, i.indrelid) LIKE '(octet_length%'
     ORDER BY a.attname`,
    [`public.${quoteIdentifier(table)}`],
  );
  return rows.map(({ name }) => name);
}

async function countRows(
  client: ClientBase,
  table: string,
  images: readonly string[],
): Promise<Pick<PluginTable, 'rows' | 'images'>> {
  const name = `public.${quoteIdentifier(table)}`;
  const { rows } = await client.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${name}`);
  if (images.length === 0) return { rows: Number(rows[0]?.rows ?? 0), images: 0 };
  const values = images.map((column) => `SELECT ${quoteIdentifier(column)}::text AS address FROM ${name}`);
  const { rows: counted } = await client.query<{ images: string }>(
    `SELECT count(DISTINCT nullif(address, '')) AS images FROM (${values.join(' UNION ALL ')}) AS a`,
  );
  return { rows: Number(rows[0]?.rows ?? 0), images: Number(counted[0]?.images ?? 0) };
}

async function outsideReferences(client: ClientBase, tables: readonly string[]): Promise<readonly OutsideReference[]> {
  const { rows } = await client.query<Omit<OutsideReference, 'rows'>>(
    `SELECT l.relname AS "table", a.attname AS "column", f.conname AS "constraint", r.relname AS "referencedTable"
     FROM pg_constraint f JOIN pg_class l ON l.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid
     JOIN pg_attribute a ON a.attrelid = l.oid AND a.attnum = f.conkey[1]
     WHERE f.contype = 'f' AND l.relnamespace = 'public'::regnamespace AND r.relnamespace = 'public'::regnamespace
       AND r.relname = ANY ($1::name[]) AND NOT l.relname = ANY ($1::name[]) ORDER BY 1, 2`,
    [tables],
  );
  const references: OutsideReference[] = [];
  for (const reference of rows) {
    const { rows: counted } = await client.query<{ rows: string }>(
      `SELECT count(*) AS rows FROM public.${quoteIdentifier(reference.table)} WHERE ${quoteIdentifier(reference.column)} IS NOT NULL`,
    );
    references.push({ ...reference, rows: Number(counted[0]?.rows ?? 0) });
  }
  return references;
}

/** Without those of types of other plugins, whose ids may begin with this one. */
async function otherTables(
  client: ClientBase,
  plugin: string,
  own: readonly string[],
  plugins: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND starts_with(relname::text, $1) AND NOT relname = ANY ($2::name[]) ORDER BY 1`,
    [`${identifier(plugin)}_`, own],
  );
  const prefixes = plugins
    .filter((other) => other !== plugin)
    .map((other) => `${identifier(other)}_`)
    .filter((one) => one.startsWith(identifier(plugin)));
  return rows.map(({ name }) => name).filter((name) => !prefixes.some((prefix) => name.startsWith(prefix)));
}
