import type { ClientBase } from 'pg';
import { quoteIdentifier } from '../../identifiers';

/** Rows that something depends on. */
export interface RowProbe {
  readonly table: string;
  /** SQL after `SELECT FROM`. */
  readonly rows: string;
  /** Rows that are counted; whether there is one unless given. */
  readonly max?: number;
}

/** @returns of each, how many there are */
export type CountRows = (probes: readonly RowProbe[]) => Promise<readonly number[]>;

/** All rows of a table. */
export function rowsOfTable(table: string): RowProbe {
  return { table, rows: quoteIdentifier(table) };
}

/** Rows with a value in a column. */
export function rowsWithValue(table: string, column: string): RowProbe {
  return { table, rows: `${quoteIdentifier(table)} WHERE ${quoteIdentifier(column)} IS NOT NULL` };
}

/** Counts in the database of the connection. */
export function rowCounter(client: ClientBase): CountRows {
  return async (probes) => {
    if (probes.length === 0) return [];
    const counts = probes.map(
      ({ rows, max = 1 }, index) => `SELECT ${index}, count(*)::int FROM (SELECT FROM ${rows} LIMIT ${max}) p`,
    );
    const found = await client.query<[number, number]>({ text: counts.join(' UNION ALL '), rowMode: 'array' });
    const byIndex = new Map(found.rows);
    return probes.map((_probe, index) => byIndex.get(index) ?? 0);
  };
}
