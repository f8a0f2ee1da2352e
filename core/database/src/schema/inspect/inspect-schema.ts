import type { ClientBase } from 'pg';
import { changeTable } from '../../changes/change-tables';
import { fieldsKept } from '../../changes/kept-fields';
import type { TableSpec } from '../../table-spec';
import type {
  ActualColumn,
  ActualForeignKey,
  ActualIndex,
  ActualSchema,
  ActualTable,
  TrigramSupport,
} from './actual-schema';

/** Reads what the schema `public` holds of the wanted tables; the number of queries does not grow with theirs. */
export async function inspectSchema(client: ClientBase, wanted: readonly TableSpec[]): Promise<ActualSchema> {
  const names = [...new Set(wanted.flatMap((table) => [table.name, ...linkTablesBefore(table)]))];
  const indexNames = wanted.flatMap((table) => table.indexes.map((index) => index.name));
  const server = await readServer(client);
  const relations = await readRelations(client, [...names, ...indexNames]);
  const columns = await readColumns(client, names);
  const indexes = await readIndexes(client, names, columns, server.version);
  const foreignKeys = await readForeignKeys(client, names);
  const triggers = await readTriggers(client, names);
  const linked = await readRelations(client, linkTablesKept(triggers));
  const tables = names.filter((name) => ['a table', 'a partitioned table'].includes(relations.get(name) ?? ''));
  return {
    tables: new Map(tables.map((name) => [name, tableOf(name, { columns, indexes, foreignKeys, triggers })])),
    relationKinds: new Map([...linked, ...relations]),
    trigram: server.trigram,
    hasSearch: server.hasSearch,
    hasChanges: server.hasChanges,
  };
}

/** Those of fields that a trigger keeps, also of extra fields whose plugins are not there. */
function linkTablesKept(triggers: ByTable<Trigger>): readonly string[] {
  const sources = [...triggers.values()].map((own) => new Map(own.map(({ trigger, source }) => [trigger, source])));
  return sources.flatMap((own) => fieldsKept(own).flatMap(({ linkTable }) => linkTable ?? []));
}

/** Link tables of references that may have been to several items. */
function linkTablesBefore({ columns }: TableSpec): readonly string[] {
  return columns.flatMap(({ linkTables = [] }) => linkTables);
}

interface NumberedColumn extends ActualColumn {
  readonly number: number;
}

interface PartsOfTables {
  readonly columns: ByTable<NumberedColumn>;
  readonly indexes: ByTable<ActualIndex>;
  readonly foreignKeys: ByTable<ActualForeignKey>;
  readonly triggers: ByTable<Trigger>;
}

function tableOf(name: string, { columns, indexes, foreignKeys, triggers }: PartsOfTables): ActualTable {
  const ofTable = indexes.get(name) ?? [];
  const primary = ofTable.find((index) => index.primary);
  return {
    name,
    columns: byName(columns.get(name)),
    primaryKey: primary === undefined ? [] : primary.columns.filter((column) => column !== null),
    indexes: byName(ofTable.filter((index) => !index.primary)),
    foreignKeys: byName(foreignKeys.get(name)),
    triggers: new Map(triggers.get(name)?.map(({ trigger, source }) => [trigger, source])),
  };
}

function byName<T extends { readonly name: string }>(values: readonly T[] = []): ReadonlyMap<string, T> {
  return new Map(values.map((value) => [value.name, value]));
}

async function readRelations(client: ClientBase, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<[name: string, kind: string]>(
    client,
    `SELECT relname, relkind FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1::name[])`,
    [names],
  );
  return new Map(rows.map(([name, kind]) => [name, relationKinds[kind] ?? 'a relation']));
}

const relationKinds: Readonly<Record<string, string>> = {
  r: 'a table',
  p: 'a partitioned table',
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
  i: 'an index',
  I: 'a partitioned index',
  S: 'a sequence',
  c: 'a composite type',
};

type ColumnRow = [
  table: string,
  number: number,
  name: string,
  type: string,
  required: boolean,
  identity: string,
  generated: string,
  expression: string | null,
];

async function readColumns(client: ClientBase, tables: readonly string[]): Promise<ByTable<NumberedColumn>> {
  const rows = await readRows<ColumnRow>(
    client,
    `SELECT c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
            a.attgenerated, pg_get_expr(d.adbin, d.adrelid)
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY ($1::name[])
     ORDER BY c.relname, a.attnum`,
    [tables],
  );
  return grouped(rows, ([table, number, name, type, required, identity, generated, expression]) => ({
    table,
    number,
    name,
    type,
    nullable: !required,
    ...(expression === null ? {} : { default: expression }),
    identity: identity !== '' || (expression?.startsWith('nextval(') ?? false),
    generated: generated !== '',
  }));
}

type IndexRow = [
  table: string,
  name: string,
  unique: boolean,
  primary: boolean,
  method: string,
  columnNumbers: string,
  operatorClasses: string,
  options: string,
  condition: string | null,
  special: boolean,
  valid: boolean,
  ofConstraint: boolean,
];

/** Numbers are turned into names here: in the query that would cost several times as much. */
async function readIndexes(
  client: ClientBase,
  tables: readonly string[],
  columns: ByTable<NumberedColumn>,
  serverVersion: number,
): Promise<ByTable<ActualIndex>> {
  const rows = await readRows<IndexRow>(
    client,
    `SELECT t.relname, c.relname, i.indisunique, i.indisprimary, m.amname, i.indkey::text, i.indclass::text,
            i.indoption::text, pg_get_expr(i.indpred, i.indrelid), i.indnatts <> i.indnkeyatts
              OR ${serverVersion >= 150_000 ? 'i.indnullsnotdistinct' : 'false'}, i.indisvalid,
            EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
     FROM pg_class t
     JOIN pg_index i ON i.indrelid = t.oid
     JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_am m ON m.oid = c.relam
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND t.relname = ANY ($1::name[])`,
    [tables],
  );
  const operatorClasses = await readOperatorClasses(client);
  const names = new Map([...columns].map(([table, all]) => [table, new Map(all.map((one) => [one.number, one.name]))]));
  return grouped(
    rows,
    ([table, name, unique, primary, method, numbers, classes, options, condition, special, valid, ofConstraint]) => ({
      table,
      name,
      unique,
      primary,
      method,
      columns: numbers.split(' ').map((number) => names.get(table)?.get(Number(number)) ?? null),
      operatorClasses: classes.split(' ').map((id) => operatorClasses.get(id) ?? null),
      ...conditionOf(condition, special || /[^0 ]/.test(options)),
      valid,
      ofConstraint,
    }),
  );
}

/** PostgreSQL writes the condition with its own brackets and casts: `(octet_length((image)::text) <= 1024)`. */
function conditionOf(condition: string | null, special: boolean): Pick<ActualIndex, 'maxBytes' | 'special'> {
  const maxBytes = /^\(octet_length\(.+\) <= (\d+)\)$/.exec(condition ?? '')?.[1];
  if (maxBytes === undefined) return { special: special || condition !== null };
  return { maxBytes: Number(maxBytes), special };
}

/** Names of the operator classes that are not the default of their type, by id. */
async function readOperatorClasses(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await readRows<[string, string]>(client, 'SELECT oid::text, opcname FROM pg_opclass WHERE NOT opcdefault', []),
  );
}

type ForeignKeyRow = [
  table: string,
  name: string,
  columns: string[],
  referencedTable: string,
  referencedColumns: string[],
  onDelete: string,
  onUpdate: string,
  validated: boolean,
];

async function readForeignKeys(client: ClientBase, tables: readonly string[]): Promise<ByTable<ActualForeignKey>> {
  const rows = await readRows<ForeignKeyRow>(
    client,
    `SELECT t.relname, f.conname, ${columnNames('f.conrelid', 'f.conkey')},
            CASE WHEN r.relnamespace = 'public'::regnamespace THEN r.relname::text ELSE f.confrelid::regclass::text END,
            ${columnNames('f.confrelid', 'f.confkey')}, f.confdeltype, f.confupdtype, f.convalidated
     FROM pg_class t
     JOIN pg_constraint f ON f.conrelid = t.oid AND f.contype = 'f'
     JOIN pg_class r ON r.oid = f.confrelid
     WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND t.relname = ANY ($1::name[])`,
    [tables],
  );
  return grouped(rows, ([table, name, columns, referencedTable, referencedColumns, onDelete, onUpdate, validated]) => ({
    table,
    name,
    columns,
    referencedTable,
    referencedColumns,
    onDelete: actions[onDelete] ?? onDelete,
    onUpdate: actions[onUpdate] ?? onUpdate,
    validated,
  }));
}

function columnNames(relation: string, numbers: string): string {
  return `ARRAY(SELECT a.attname FROM unnest(${numbers}) WITH ORDINALITY k (number, position)
                JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k.number ORDER BY k.position)::text[]`;
}

interface Trigger {
  readonly table: string;
  readonly trigger: string;
  readonly source: string;
}

async function readTriggers(client: ClientBase, tables: readonly string[]): Promise<ByTable<Trigger>> {
  const rows = await readRows<[table: string, trigger: string, source: string]>(
    client,
    `SELECT c.relname, g.tgname, p.prosrc
     FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1::name[])
       AND g.tgname ~ '^(zz_)?gantry_(search|change|links)_' AND g.tgenabled IN ('O', 'A')`,
    [tables],
  );
  return grouped(rows, ([table, trigger, source]) => ({ table, trigger, source }));
}

const actions: Readonly<Record<string, string>> = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
};

interface Server {
  readonly version: number;
  readonly trigram: TrigramSupport;
  readonly hasSearch: boolean;
  readonly hasChanges: boolean;
}

type ServerRow = [
  version: number,
  schema: string | null,
  available: boolean,
  permitted: boolean,
  hasSearch: boolean,
  hasChanges: boolean,
];

async function readServer(client: ClientBase): Promise<Server> {
  const [row] = await readRows<ServerRow>(
    client,
    `SELECT current_setting('server_version_num')::int,
            (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
             WHERE e.extname = 'pg_trgm'),
            EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm'),
            has_database_privilege(current_database(), 'CREATE'),
            to_regclass('public.gantry_search') IS NOT NULL, to_regclass('public.${changeTable}') IS NOT NULL`,
    [],
  );
  const [version, schema, available, permitted, hasSearch, hasChanges] = row ?? [0, null, false, false, false, false];
  return { version, trigram: trigramSupport(schema, available, permitted), hasSearch, hasChanges };
}

function trigramSupport(schema: string | null, available: boolean, permitted: boolean): TrigramSupport {
  if (schema !== null) return { status: 'installed', schema };
  if (!available) return { status: 'unavailable', reason: 'it is not installed on the server' };
  if (!permitted) return { status: 'unavailable', reason: 'this user may not create extensions in this database' };
  return { status: 'installable' };
}

type ByTable<T> = ReadonlyMap<string, readonly T[]>;

/** Rows as arrays, in the order of the columns. */
async function readRows<R extends unknown[]>(
  client: ClientBase,
  text: string,
  values: readonly unknown[],
): Promise<readonly R[]> {
  const result = await client.query<R>({ text, values: [...values], rowMode: 'array' });
  return result.rows;
}

/** The descriptions of rows, by their table. */
function grouped<R, T extends { readonly table: string }>(rows: readonly R[], describe: (row: R) => T): ByTable<T> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const value = describe(row);
    const group = groups.get(value.table);
    if (group === undefined) groups.set(value.table, [value]);
    else group.push(value);
  }
  return groups;
}
