import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import { isHeldByOthers, isUnavailable, reasonOf, sqlStateOf } from '../database-errors';
import { quoteIdentifier } from '../identifiers';
import type { SchemaFailure } from '../schema/plan/schema-plan';
import type { SearchSpec, TableSpec } from '../table-spec';
import { createSearchTrigrams, fillStatement, removeOrphansStatement, searchTrigrams } from './search-tables';

export interface FillOptions {
  readonly logger: Logger;
  /** Milliseconds that a batch waits in all for items that others write. */
  readonly tableTimeoutMs: number;
}

/** Items of a batch: their writers wait for about as long as one import batch takes. */
const batchSize = 2_000;

/** Less than PostgreSQL's deadlock_timeout: of two sessions that wait for each other, the writer of items never loses. */
const lockTimeoutMs = 300;

/**
 * Writes the entries of all tables that are not complete: of new ones, of those whose rule has changed, and after a start that was
 * interrupted here. Triggers keep what is written meanwhile. The trigram index is made at the end, which takes a fraction of the
 * time when there are many items.
 * @throws when the connection to the database is lost
 */
export async function fillSearch(
  client: ClientBase,
  tables: readonly TableSpec[],
  options: FillOptions,
): Promise<readonly SchemaFailure[]> {
  const failures: SchemaFailure[] = [];
  const incomplete = await readIncomplete(client, tables);
  for (const { table, search } of incomplete) {
    const failure = await fillTable(client, table, search, options);
    if (failure !== undefined) failures.push(failure);
  }
  if (tables.some(({ search }) => search !== undefined)) await createTrigramIndex(client);
  if (incomplete.length > 0) await client.query('ANALYZE public.gantry_search');
  return failures;
}

interface Incomplete {
  readonly table: TableSpec;
  readonly search: SearchSpec;
}

async function readIncomplete(client: ClientBase, tables: readonly TableSpec[]): Promise<readonly Incomplete[]> {
  const searched = tables.flatMap((table) => (table.search === undefined ? [] : [{ table, search: table.search }]));
  if (searched.length === 0) return [];
  const { rows } = await client.query<{ item_table: string }>(
    'SELECT item_table FROM public.gantry_search_tables WHERE NOT is_complete AND item_table = ANY ($1::text[])',
    [searched.map(({ table }) => table.name)],
  );
  const names = new Set(rows.map((row) => row.item_table));
  return searched.filter(({ table }) => names.has(table.name));
}

async function fillTable(
  client: ClientBase,
  table: TableSpec,
  search: SearchSpec,
  { logger, tableTimeoutMs }: FillOptions,
): Promise<SchemaFailure | undefined> {
  try {
    await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
    const statement = fillStatement(table.name, search);
    let entries = 0;
    for (let after: string | null = '0'; after !== null;) {
      const [last, count]: Batch = await fillBatch(client, statement, after, tableTimeoutMs);
      after = last;
      entries += count;
    }
    await client.query(removeOrphansStatement(table.name));
    await client.query('UPDATE public.gantry_search_tables SET is_complete = true WHERE item_table = $1', [table.name]);
    if (entries > 0) logger.info({ plugin: table.plugin, table: table.name, entries }, 'search entries written');
    return undefined;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return failureOf(table, error);
  } finally {
    await client.query('SET lock_timeout = 0');
  }
}

type Batch = readonly [last: string | null, count: number];

/** Tries again while others hold items of the batch, which then ends before a deadlock would be found. */
async function fillBatch(client: ClientBase, text: string, after: string, timeoutMs: number): Promise<Batch> {
  const end = Date.now() + timeoutMs;
  for (let size = batchSize; ; size = Math.max(1, Math.floor(size / 2))) {
    try {
      const values = [after, size];
      const { rows } = await client.query<[string | null, number]>({ text, values, rowMode: 'array' });
      return rows[0] ?? [null, 0];
    } catch (error) {
      if (!['55P03', '40P01'].includes(sqlStateOf(error) ?? '') || Date.now() > end) throw error;
    }
  }
}

async function createTrigramIndex(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
     WHERE e.extname = 'pg_trgm' AND to_regclass('public.${searchTrigrams}') IS NULL`,
  );
  if (rows[0] !== undefined) await client.query(createSearchTrigrams(rows[0].schema));
}

function failureOf({ plugin, name }: TableSpec, error: unknown): SchemaFailure {
  const table = quoteIdentifier(name);
  if (isHeldByOthers(error)) {
    return {
      plugin,
      code: 'SCHEMA_TABLE_BUSY',
      reason: `Table ${table} is in use by other sessions: the search entries of its items cannot be written in time.`,
      remedy: 'End long transactions that use it, then start again.',
    };
  }
  return {
    plugin,
    code: 'SCHEMA_STEP_FAILED',
    reason: `Table ${table}: PostgreSQL rejects the search entries of its items: ${reasonOf(error)}.`,
    remedy: 'Fix the cause, then start again.',
  };
}
