import { poll } from '@gantry/core-common';
import type { ClientBase } from 'pg';
import { SchemaError } from './schema-error';

/** "gantry" in ASCII; the lock is per database. */
const lockKey = 0x67616e747279;

/**
 * Takes the lock under which schemas are brought up to date, so that several hosts may start at once: one works, the
 * others wait and then find the work done. It belongs to the session and ends with it, whatever happens to the host.
 * @throws SchemaError `SCHEMA_LOCKED` when another holds it longer than `timeoutMs`
 */
export async function takeSchemaLock(client: ClientBase, timeoutMs: number): Promise<void> {
  // A statement that waits would keep the holder from creating an index concurrently, which waits for all that run.
  const taken = await poll(async () => (await tryTakeSchemaLock(client)) || undefined, timeoutMs, 100);
  if (taken === true) return;
  throw new SchemaError(
    'SCHEMA_LOCKED',
    `Another host has been updating the schema for more than ${timeoutMs / 1000} s${await describeHolder(client)}.`,
    'Wait until it is done and start again; if it hangs, end it or its PostgreSQL session.',
    undefined,
  );
}

/** Takes the lock unless another session has it. */
export async function tryTakeSchemaLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lockKey]);
  return rows[0]?.taken === true;
}

/** Lets others change the schema before the session ends. */
export async function releaseSchemaLock(client: ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_unlock($1)', [lockKey]);
}

async function describeHolder(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string | null }>(
    `SELECT a.pid, a.application_name AS name, host(a.client_addr) AS address
     FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (l.classid::bigint << 32) + l.objid::bigint = $1`,
    [lockKey],
  );
  const [holder] = rows;
  if (holder === undefined) return '';
  return ` (session ${holder.pid}, ${holder.name}${holder.address === null ? '' : ` from ${holder.address}`})`;
}
