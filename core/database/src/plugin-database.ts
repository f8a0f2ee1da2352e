import type { Database } from '@gantry/plugin-api';
import type { Pool, PoolClient } from 'pg';
import { isUnavailable, rethrowTranslated } from './database-errors';
import { runQuery, runTransaction } from './transactions/transaction';

/**
 * The plugin-facing database on a pool. `transaction` inside a transaction is a savepoint: what its work throws undoes
 * that part only, and the outer work may continue. One nested transaction at a time; statements of one transaction run one
 * after another, even when they are asked for together.
 */
export function createPluginDatabase(pool: Pool): Database {
  return {
    query: (sql, values) => onConnection(pool, (client) => runQuery(client, sql, values)),
    transaction: (work) => onConnection(pool, (client) => runTransaction(client, work)),
  };
}

async function onConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(rethrowTranslated);
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    // A connection in an unknown state is not used again.
    client.release(isUnavailable(error) || client.getTransactionStatus() !== 'I');
    throw error;
  }
}
