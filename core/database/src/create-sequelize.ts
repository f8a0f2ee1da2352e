import pg, { Client, type ClientConfig } from 'pg';
import { Sequelize, type SequelizeOptions } from 'sequelize-typescript';
import { assertQueueHasRoom, createConnectionGroup, type ConnectionGroup } from './connections/connection-group';
import { connectionIdleMs, connectionSettings, connectTimeoutMs } from './connections/connection-settings';
import { sayOrigin } from './transactions/item-transaction';
import { maxConnections, shareConnections } from './connections/connection-shares';

/** Milliseconds a statement of a write may take. */
const statementTimeoutMs = 30_000;

export interface WritePoolOptions {
  /** Connections at most. */
  readonly size?: number;
  /** Milliseconds to wait for a free connection; 5 s unless given. */
  readonly acquireTimeoutMs?: number;
  /** The pools that share PostgreSQL with this one. */
  readonly group?: ConnectionGroup;
}

const defaultSize = shareConnections(maxConnections).write;

/**
 * The Sequelize instance for writes, with a separate pool; connects when first used. The address is read by pg, so that
 * it means the same here as for the other pools (TLS, sockets, variables such as PGPASSWORD).
 */
export function createSequelize(url: string, options: WritePoolOptions = {}): Sequelize {
  const settings = connectionSettings(url, 'write', { statementTimeoutMs, idleInTransactionTimeoutMs: 60_000 });
  const target = new Client(settings);
  const sequelizeOptions: SequelizeOptions = {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: ListeningClient },
    host: target.host,
    port: target.port,
    ...(target.user === undefined ? {} : { username: target.user }),
    ...(target.database === undefined ? {} : { database: target.database }),
    ...(typeof target.password === 'string' ? { password: target.password } : {}),
    dialectOptions: {
      application_name: settings.application_name,
      options: settings.options,
      keepAlive: true,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: settings.query_timeout,
      ssl: target.ssl,
      // The server's own level; saves a round trip for every connection.
      clientMinMessages: 'ignore',
    },
    pool: {
      max: options.size ?? defaultSize,
      min: 0,
      acquire: options.acquireTimeoutMs ?? connectTimeoutMs,
      idle: connectionIdleMs,
      evict: 2_000,
    },
    logging: false,
  };
  const sequelize = new Sequelize(sequelizeOptions);
  rollBackQuietly(sequelize);
  sayOrigin(sequelize);
  shareConnectionsOf(sequelize, options);
  return sequelize;
}

/** Members that Sequelize's types leave out. */
interface PooledConnections {
  getConnection(options?: object): Promise<unknown>;
  readonly pool: ConnectionPool;
}

interface ConnectionPool {
  readonly maxSize: number;
  /** How many are idle. */
  readonly available: number;
  acquire(): Promise<object>;
  destroy(connection: object): Promise<void>;
}

/** The sharing of connections that SharedPool has, for the pool of Sequelize. */
function shareConnectionsOf(sequelize: Sequelize, options: WritePoolOptions): void {
  const group = options.group ?? createConnectionGroup();
  const connections = (sequelize as unknown as { readonly connectionManager: PooledConnections }).connectionManager;
  const getConnection = connections.getConnection.bind(connections);
  let waiting = 0;
  const open = async (wanted?: object): Promise<unknown> => {
    assertQueueHasRoom(waiting, connections.pool.maxSize);
    waiting += 1;
    try {
      return await getConnection(wanted);
    } finally {
      waiting -= 1;
    }
  };
  const timeoutMs = options.acquireTimeoutMs ?? connectTimeoutMs;
  connections.getConnection = (wanted) => group.acquire(() => open(wanted), timeoutMs);
  group.add(() => closeIdle(connections.pool));
}

/** The pool's own destroyAllNow closes one after the other, and with that also such as are in use by then. */
function closeIdle(pool: ConnectionPool): void {
  for (let left = pool.available; left > 0; left -= 1) {
    // An idle connection is handed out at once.
    void pool
      .acquire()
      .then((connection) => pool.destroy(connection))
      .catch(() => undefined);
  }
}

/** Members that Sequelize's types leave out. */
interface OpenTransaction {
  readonly parent?: object;
  /** Throws its connection away. */
  forceCleanup(): Promise<void>;
}

interface RollsBack {
  rollbackTransaction(transaction: OpenTransaction, options: object): Promise<void>;
}

/**
 * A connection that has ended cannot roll back and need not, as the server does so by itself. Sequelize would print that on
 * the console, not to the log; the owner of the transaction learns of the end from the error before.
 */
function rollBackQuietly(sequelize: Sequelize): void {
  const queryInterface = sequelize.getQueryInterface() as unknown as RollsBack;
  const rollBack = queryInterface.rollbackTransaction.bind(queryInterface);
  queryInterface.rollbackTransaction = async (transaction, options) => {
    try {
      await rollBack(transaction, options);
    } catch (error) {
      if (transaction.parent !== undefined) throw error;
      await transaction.forceCleanup();
    }
  };
}

/**
 * Sequelize listens for errors of a connection a moment after it is made. One that the server ends within that moment would
 * end the process.
 */
class ListeningClient extends Client {
  /** By which Sequelize knows that a connection is not to be used again. */
  _invalid?: boolean;

  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => {
      this._invalid = true;
    });
  }
}
