import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLogger, type FileLock } from '@gantry/core-common';
import { LauncherError } from '../common/launcher-error';
import { acquireHomeLock } from '../home/home-lock';
import { startPostgres, type RunningPostgres } from '../postgres/start-postgres';
import { createEmbeddedTemporal } from '../temporal/embedded-temporal';
import { cacheFolder } from '../common/cache-folder';

export interface TestServersOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Absolute folders of the platform. */
  readonly config: { readonly home: string; readonly project: string; readonly pluginPath: readonly string[] };
  /** Whether an embedded Temporal runs, too. */
  readonly temporal: boolean;
}

/** The servers of the host process of a test platform. */
export interface TestServers {
  /** Where the servers are, for the environment of the host process. */
  readonly environment: Readonly<Record<string, string>>;
  /** JavaScript file of the host process. */
  readonly hostEntry: string;
  /** Drops the database, and stops the servers unless another platform of this process uses them. */
  close(): Promise<void>;
}

/**
 * An empty database for one test platform, on an embedded PostgreSQL whose files are kept in the cache of the user from test run to
 * test run, so that only the first one makes them.
 * @throws LauncherError when the servers cannot be started
 */
export async function openTestServers({ config, environment, temporal }: TestServersOptions): Promise<TestServers> {
  // The home of a test platform is temporary: what is kept belongs to the project.
  const cache = cacheFolder(environment, join(config.project, '.gantry'));
  const postgres = await acquireServer(cache);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  await execute(postgres.url, `CREATE DATABASE ${name}`);
  const temporalServer = createEmbeddedTemporal({
    config,
    environment: { ...environment, GANTRY_CACHE: cache },
    logger: silentLogger,
    onChange: () => {},
  });
  if (temporal) await temporalServer.start(new AbortController().signal);
  return {
    environment: { DATABASE_URL: url.href, ...(temporal ? temporalServer.env() : {}) },
    hostEntry: require.resolve('@gantry/host/test-main'),
    close: async () => {
      if (temporal) await temporalServer.stop();
      await execute(postgres.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await postgres.release();
    },
  };
}

interface SharedServer {
  readonly postgres: RunningPostgres;
  readonly lock: FileLock;
  users: number;
}

/** One for all test platforms of this process. */
const shared: { current?: Promise<SharedServer> } = {};

async function acquireServer(cache: string): Promise<{ readonly url: string; release(): Promise<void> }> {
  shared.current ??= startServer(cache);
  const starting = shared.current;
  const server = await starting.catch((error: unknown) => {
    delete shared.current;
    throw error;
  });
  server.users += 1;
  return {
    url: server.postgres.url,
    release: async () => {
      server.users -= 1;
      if (server.users > 0) return;
      delete shared.current;
      // A test database is never read again: what a crash would lose does not matter, and the files are consistent.
      await server.postgres.stop();
      server.lock.release();
    },
  };
}

/** More processes than that hardly run tests at once. */
const maxServers = 64;
/** A crash of the machine may lose the database of a test. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** Each process that runs tests has a separate server: the first one that no other process has. */
async function startServer(cache: string): Promise<SharedServer> {
  const folder = join(cache, 'test-postgres-18');
  for (let index = 0; index < maxServers; index += 1) {
    const home = join(folder, String(index));
    const lock = acquireHomeLock(home, 'test platform');
    if (!('release' in lock)) continue;
    try {
      return { postgres: await startPostgres({ home, settings }), lock, users: 0 };
    } catch (error) {
      lock.release();
      throw error;
    }
  }
  throw new LauncherError(
    `${maxServers} processes use the test databases in ${folder}.`,
    'End some of the tests that run at the same time.',
  );
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
