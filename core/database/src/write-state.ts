import type { ClientBase, QueryResult } from 'pg';
import { sqlStateOf } from './database-errors';

/** Whether a database that answers takes writes too. */
export type WriteState = 'writable' | 'read-only' | 'full';

/**
 * Reads whether transactions are read-only, and keeps more rows than the given memory holds: PostgreSQL then needs about
 * 300 kB of its disk, which it frees at once. A write to a table needs the disk only when the table grows.
 */
const probe = `SET LOCAL work_mem = '64kB';
  WITH filler AS MATERIALIZED (SELECT repeat(n::text, 300) AS text FROM generate_series(100, 399) AS n)
  SELECT current_setting('transaction_read_only') AS "readOnly", count(*) FROM filler`;

/** SQLSTATE disk_full, io_error and configuration_limit_exceeded (temp_file_limit). */
const fullStates: ReadonlySet<string> = new Set(['53100', '58030', '53400']);

/** @throws the error of a database that does not answer */
export async function readWriteState(client: ClientBase): Promise<WriteState> {
  try {
    // Several statements in one text have one result each, which the types of pg leave out.
    const results = (await client.query(probe)) as unknown as readonly QueryResult<{ readonly readOnly: string }>[];
    return results.at(-1)?.rows[0]?.readOnly === 'on' ? 'read-only' : 'writable';
  } catch (error) {
    if (fullStates.has(sqlStateOf(error) ?? '')) return 'full';
    throw error;
  }
}
