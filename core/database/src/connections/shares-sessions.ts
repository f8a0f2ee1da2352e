import type { Client } from 'pg';
import { connectionSettings } from './connection-settings';
import { withClient } from './with-client';

/** A pooler may choose any of the sessions that it has; one that has many is asked again. */
const rounds = 3;

/**
 * Whether connections share sessions of PostgreSQL, as a pooler of transactions has it: a transaction on a second connection takes
 * the session of the first one, or leaves it another one. A server, or a connection pooler in session mode, gives each connection one of
 * its own until it ends.
 */
export function sharesSessions(url: string): Promise<boolean> {
  const settings = connectionSettings(url, 'check', { statementTimeoutMs: 10_000 });
  return withClient(settings, (first) =>
    withClient(settings, async (second) => {
      const session = await sessionOf(first);
      for (let round = 0; round < rounds; round += 1) {
        await second.query('BEGIN');
        // First: where a pooler has one session only, the other connection would wait for the end of the transaction.
        if ((await sessionOf(second)) === session || (await sessionOf(first)) !== session) return true;
        await second.query('COMMIT');
      }
      return false;
    }),
  );
}

/** Of all servers behind one address: processes of two of them can have the same number. */
async function sessionOf(client: Client): Promise<string> {
  const sql = "SELECT pg_backend_pid() || ' of ' || pg_postmaster_start_time() AS session";
  const { rows } = await client.query<{ session: string }>(sql);
  return rows[0]?.session ?? '';
}
