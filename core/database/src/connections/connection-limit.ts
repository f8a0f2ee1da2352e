import type { Client } from 'pg';
import { connectionSettings } from './connection-settings';
import { rethrowTranslated } from '../database-errors';
import { withClient } from './with-client';

/**
 * Reads how many connections PostgreSQL allows to the user of this address: `max_connections` without those kept for
 * administrators, or the CONNECTION LIMIT of the database or the role.
 * @throws GantryError `UNAVAILABLE`
 */
export async function readConnectionLimit(url: string): Promise<number> {
  const settings = connectionSettings(url, 'start', { statementTimeoutMs: 10_000 });
  return withClient(settings, readLimit).catch(rethrowTranslated);
}

async function readLimit(client: Client): Promise<number> {
  const { rows } = await client.query<{ readonly limits: readonly number[] }>(
    `SELECT ARRAY[current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true)::int, 0),
         (SELECT datconnlimit FROM pg_database WHERE datname = current_database()),
         (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user)] AS limits`,
  );
  // -1 means no limit.
  return Math.min(...(rows[0]?.limits ?? []).filter((limit) => limit >= 0));
}
