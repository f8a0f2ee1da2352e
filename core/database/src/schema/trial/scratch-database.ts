import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { connectionSettings } from '../../connections/connection-settings';
import { quoteIdentifier } from '../../identifiers';
import { withClient } from '../../connections/with-client';

const prefix = 'gantry_check_';
/** Longer than any check takes. */
const staleAfterMs = 15 * 60_000;
/** Of a single statement; the tables are empty. */
const statementTimeoutMs = 20_000;

/**
 * Gives work an empty database of the same server for as long as it takes. What processes that were killed have left is removed.
 * A database and not a schema: whatever a statement names, it cannot reach a real table.
 * @throws DatabaseError 42501 when the user may not create databases
 */
export async function withScratchDatabase<T>(
  server: Client,
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  await dropStale(server);
  const name = `${prefix}${Date.now()}_${randomBytes(4).toString('hex')}`;
  await server.query(
    `CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
  );
  try {
    return await withClient(connectionSettings(addressOf(url, name), 'check', { statementTimeoutMs }), work);
  } finally {
    await server.query(dropStatement(name)).catch(() => undefined);
  }
}

function addressOf(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function dropStale(server: Client): Promise<void> {
  const { rows } = await server.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname::text, $1)',
    [prefix],
  );
  for (const { datname } of rows) {
    const createdAt = Number(/^gantry_check_(\d+)_[0-9a-f]+$/.exec(datname)?.[1]);
    if (Date.now() - createdAt < staleAfterMs) continue;
    // Another check may be at it.
    await server.query(dropStatement(datname)).catch(() => undefined);
  }
}

function dropStatement(name: string): string {
  return `DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`;
}
