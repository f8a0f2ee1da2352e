import type { ClientBase } from 'pg';

/** How a table of the copy is at one moment of a transaction. */
export interface TableState {
  readonly name: string;
  /** Another one after the table was rewritten. */
  readonly file: string;
  /** By number, which a rename does not change. */
  readonly columns: Readonly<Record<string, ColumnState>>;
  readonly indexes: readonly string[];
  /** Foreign keys and conditions that hold for all rows. */
  readonly constraints: readonly string[];
  /** Modes of the locks that the transaction holds. */
  readonly locks: readonly string[];
}

type ColumnState = readonly [name: string, type: string, isRequired: boolean, isGenerated: boolean];

/** By oid; those that have been removed are missing. */
export type TableStates = ReadonlyMap<string, TableState>;

const query = `
  SELECT c.oid::text AS oid, c.relname::text AS name, c.relfilenode::text AS file,
    coalesce((SELECT json_object_agg(a.attnum, json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated <> ''))
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), '{}') AS columns,
    ARRAY(SELECT i.indexrelid::text FROM pg_index i WHERE i.indrelid = c.oid) AS indexes,
    ARRAY(SELECT k.oid::text FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('f', 'c') AND k.convalidated) AS constraints,
    ARRAY(SELECT l.mode FROM pg_locks l WHERE l.locktype = 'relation' AND l.relation = c.oid AND l.pid = pg_backend_pid() AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks
  FROM pg_class c WHERE c.oid = ANY ($1::oid[])`;

export async function readTableStates(client: ClientBase, oids: readonly string[]): Promise<TableStates> {
  const { rows } = await client.query<TableState & { readonly oid: string }>(query, [oids]);
  return new Map(rows.map(({ oid, ...state }) => [oid, state]));
}

/** Feed and search follow the items by triggers. */
export function isFilledByTriggers(table: string): boolean {
  return table.startsWith('gantry_change') || table.startsWith('gantry_search');
}
