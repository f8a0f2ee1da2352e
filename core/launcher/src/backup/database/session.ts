import { Client } from 'pg';
import type { ClientBase } from 'pg';

/** Values are written in the same way whatever the server's settings are, names with their schema, and nothing times out. */
const settings = [
  "SET search_path = ''",
  "SET datestyle = 'ISO, YMD'",
  "SET intervalstyle = 'postgres'",
  "SET timezone = 'UTC'",
  "SET client_encoding = 'UTF8'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  'SET synchronize_seqscans = off',
  'SET check_function_bodies = off',
].join('; ');

const connectTimeoutMs = 15_000;

/** Runs the work on a new connection, which ends when the signal aborts. */
export async function withSession<T>(
  url: string,
  signal: AbortSignal,
  work: (client: ClientBase) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'gantry backup',
  });
  // Without a listener a connection that breaks would end the process; pending calls reject anyway.
  client.on('error', () => undefined);
  const end = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    await client.connect();
    await client.query(settings);
    return await work(client);
  } finally {
    signal.removeEventListener('abort', end);
    await client.end().catch(() => undefined);
  }
}
