import { realpathSync } from 'node:fs';
import { Client } from 'pg';
import { codeOf, messageOf } from '@gantry/core-common';
import { LauncherError } from '../common/launcher-error';
import { databaseUser } from './cluster';

const databaseName = 'gantry';

export function databaseUrl(port: number, password: string, database = databaseName): string {
  return `postgres://${databaseUser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** The answer of a server to the question whether it belongs to this home. */
export type Answer = 'ours' | 'another' | 'silent';

/** @throws LauncherError when it is ours but does not take our password. */
export async function probeServer(port: number, password: string, dataFolder: string): Promise<Answer> {
  try {
    return await withClient(databaseUrl(port, password, 'postgres'), async (client) => {
      const result = await client.query<{ data_directory: string }>('SHOW data_directory');
      return realpathSync(result.rows[0]?.data_directory ?? '') === realpathSync(dataFolder) ? 'ours' : 'another';
    });
  } catch (error) {
    if (codeOf(error) === '28P01') throw wrongPassword(dataFolder, error);
    return 'silent';
  }
}

/** Creates the platform's database unless it is there. */
export async function ensureDatabase(port: number, password: string, dataFolder: string): Promise<void> {
  try {
    await withClient(databaseUrl(port, password, 'postgres'), async (client) => {
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
    });
  } catch (error) {
    if (codeOf(error) === '28P01') throw wrongPassword(dataFolder, error);
    throw new LauncherError(
      `The embedded PostgreSQL runs but does not answer as expected: ${messageOf(error)}.`,
      `Read its log, or restore ${dataFolder} from a copy.`,
      { cause: error },
    );
  }
}

async function withClient<T>(connectionString: string, action: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 15_000 });
  // An error event without a listener would end the process; the pending query rejects anyway.
  client.on('error', () => {});
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function wrongPassword(dataFolder: string, cause: unknown): LauncherError {
  return new LauncherError(
    `The database in ${dataFolder} does not accept the password that is stored with it.`,
    'Restore the file "password" from a copy, or move the folder that holds both away to start with an empty database.',
    { cause },
  );
}
