import { setMaxListeners } from 'node:events';
import { endsWithin } from '@gantry/core-common';
import type { Database, Logger } from '@gantry/plugin-api';
import type { Pool, PoolClient } from 'pg';
import { createConnectionGroup, type ConnectionGroup } from './connections/connection-group';
import {
  connectionIdleMs,
  connectionSettings,
  connectTimeoutMs,
  type ConnectionLimits,
} from './connections/connection-settings';
import { isUnavailable, translateOutdated, translateUnavailable } from './database-errors';
import { maxConnections, shareConnections, type ConnectionPurpose } from './connections/connection-shares';
import { createOpenStreams } from './transactions/open-streams';
import { createPluginDatabase } from './plugin-database';
import { limitCheckouts } from './connections/limit-checkouts';
import { SharedPool } from './connections/shared-pool';
import { PreparedQuery, type PreparedStatement, type TextRow } from './transactions/prepared-query';
import { streamRows, type StreamOptions, type StreamSource } from './transactions/stream-rows';
import { readWriteState, type WriteState } from './write-state';

/** A row as an array, in the order of the columns. bigint and numeric come as text, timestamptz as Date. */
export type RowArray = readonly unknown[];

/** A statement with its parameters. */
export interface Statement {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

/** A statement that is run often. */
export interface FrequentStatement extends PreparedStatement {
  /**
   * Plans it for its values each time. A plan for any value would not use the trigram index, and would guess wrongly how many
   * rows a comparison finds; where values make no difference, planning again only costs time.
   */
  readonly planForValues: boolean;
}

/** The host's access to PostgreSQL. Every rejection for an unavailable database is a GantryError `UNAVAILABLE`. */
export interface HostDatabase {
  /** Runs a short statement on the read pool. */
  query(statement: Statement): Promise<readonly RowArray[]>;
  /** Runs a short statement that is prepared on its connections; with one plan for any values, or planned for its values. */
  queryPrepared(statement: FrequentStatement): Promise<readonly TextRow[]>;
  /** Reads any number of rows through a cursor, on separate connections, so that slow readers delay no one. */
  streamRows(options: StreamOptions): AsyncGenerator<readonly RowArray[], void, undefined>;
  /** The database as plugins get it, on separate connections. */
  readonly plugins: Database;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Whether the database takes writes; for health checks. */
  writeState(): Promise<WriteState>;
  /** Connections of each pool, for metrics. */
  usage(): Readonly<Record<PoolPurpose, PoolUsage>>;
  /** Cancels what still streams and closes all connections; waits at most `timeoutMs` (5 s unless given) for open work. */
  close(timeoutMs?: number): Promise<void>;
}

export type PoolPurpose = Exclude<ConnectionPurpose, 'write'>;

export interface PoolUsage {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Connections of each pool at most. */
  readonly sizes?: Readonly<Partial<Record<PoolPurpose, number>>>;
  /** The pools that share PostgreSQL with these. */
  readonly group?: ConnectionGroup;
  /** Milliseconds to connect, or to wait for a free connection; 5 s unless given. */
  readonly connectTimeoutMs?: number;
}

const defaultSizes = shareConnections(maxConnections);

const limits: Readonly<Record<PoolPurpose, ConnectionLimits>> = {
  read: { statementTimeoutMs: 30_000, wholeTables: false, plans: 'force_generic_plan' },
  filter: { statementTimeoutMs: 30_000, plans: 'force_custom_plan' },
  // A stream lasts as long as its reader reads; a reader that stalls is let go by streamRows itself.
  stream: { statementTimeoutMs: 0 },
  plugins: { statementTimeoutMs: 60_000, idleInTransactionTimeoutMs: 60_000 },
};

/** Pools whose connections are held for one statement at a time: one timer limits all of them. */
const limitedByPool: ReadonlySet<PoolPurpose> = new Set(['read', 'filter']);

/**
 * Creates the pools; connects only when first used. An unavailable PostgreSQL never ends the process: what is in
 * flight is rejected with `UNAVAILABLE`, and the pools reconnect as soon as it is available.
 */
export function createDatabase(options: DatabaseOptions): HostDatabase {
  const group = options.group ?? createConnectionGroup();
  const pools = {
    read: createPool(options, group, 'read'),
    filter: createPool(options, group, 'filter'),
    stream: createPool(options, group, 'stream'),
    plugins: createPool(options, group, 'plugins'),
  };
  const stopped = new AbortController();
  // One for each stream that is open.
  setMaxListeners(0, stopped.signal);
  const source: StreamSource = {
    pool: pools.stream,
    open: createOpenStreams(),
    cancelBackend: (pid) => cancelBackend(pools.read, pid),
    stopped: stopped.signal,
  };
  return {
    query: (statement) => queryRows(pools.read, statement),
    queryPrepared: (statement) => queryPrepared(statement.planForValues ? pools.filter : pools.read, statement),
    streamRows: (stream) => streamRows(source, stream),
    plugins: createPluginDatabase(pools.plugins),
    ping: async () => void (await queryRows(pools.read, { sql: 'SELECT 1' })),
    writeState: () => onClient(pools.read, readWriteState),
    usage: () => ({
      read: usageOf(pools.read),
      filter: usageOf(pools.filter),
      stream: usageOf(pools.stream),
      plugins: usageOf(pools.plugins),
    }),
    close: async (timeoutMs = connectTimeoutMs) => {
      stopped.abort(new Error('The host is stopping.'));
      await endsWithin(Promise.all(Object.values(pools).map((pool) => pool.end())), timeoutMs);
    },
  };
}

function createPool(options: DatabaseOptions, group: ConnectionGroup, purpose: PoolPurpose): Pool {
  const timeoutMs = options.connectTimeoutMs ?? connectTimeoutMs;
  const settings = connectionSettings(options.url, purpose, { ...limits[purpose], connectTimeoutMs: timeoutMs });
  const maxHeldMs = limitedByPool.has(purpose) ? settings.query_timeout : undefined;
  const pool = new SharedPool(
    {
      ...settings,
      ...(maxHeldMs === undefined ? {} : { query_timeout: 0 }),
      connectionTimeoutMillis: timeoutMs,
      max: options.sizes?.[purpose] ?? defaultSizes[purpose],
      idleTimeoutMillis: connectionIdleMs,
    },
    group,
  );
  watchConnections(pool, purpose, options.logger);
  if (maxHeldMs !== undefined) limitCheckouts(pool, maxHeldMs);
  return pool;
}

/** Without listeners, a connection that breaks would end the process; one line is logged when it goes and when it is back. */
function watchConnections(pool: Pool, purpose: PoolPurpose, logger: Logger): void {
  let isLost = false;
  const lost = (error: Error): void => {
    if (!isLost) logger.warn({ pool: purpose, reason: error.message }, 'connection to the database lost');
    isLost = true;
  };
  pool.on('error', lost);
  pool.on('connect', (client) => {
    // A connection that breaks while in use notifies only its own listeners.
    client.on('error', lost);
    if (isLost) logger.info({ pool: purpose }, 'connection to the database restored');
    isLost = false;
  });
}

async function queryRows(pool: Pool, statement: Statement): Promise<readonly RowArray[]> {
  const result = await onClient(pool, (client) =>
    client.query<unknown[]>({
      text: statement.sql,
      rowMode: 'array',
      ...(statement.values === undefined ? {} : { values: [...statement.values] }),
    }),
  );
  return result.rows;
}

/** With callbacks: a promise for each step would cost as much as the rest of it. */
function queryPrepared(pool: Pool, statement: PreparedStatement): Promise<readonly TextRow[]> {
  return new Promise((resolve, reject) => {
    const run = (client: PoolClient): void => {
      const done = (error: Error | undefined, [rows = []]: readonly (readonly TextRow[])[] = []): void => {
        client.release(error !== undefined && isUnavailable(error));
        if (error === undefined) resolve(rows);
        else reject(asError(error));
      };
      client.query(new PreparedQuery([statement], done));
    };
    pool.connect((error, client) => {
      if (client === undefined) reject(asError(error));
      else run(client);
    });
  });
}

function asError(error: unknown): Error {
  const translated = translateUnavailable(translateOutdated(error));
  return translated instanceof Error ? translated : new Error('The statement failed', { cause: translated });
}

async function onClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    // pool.query() would throw the connection away after every error; a refused value is no fault of the connection.
    client.release(isUnavailable(error));
    throw translateUnavailable(translateOutdated(error));
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translateUnavailable(error);
  }
}

async function cancelBackend(pool: Pool, pid: number): Promise<void> {
  await queryRows(pool, { sql: 'SELECT pg_cancel_backend($1)', values: [pid] });
}

function usageOf(pool: Pool): PoolUsage {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}
