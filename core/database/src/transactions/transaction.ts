import type { Database } from '@gantry/plugin-api';
import type { ClientBase, QueryResult } from 'pg';
import { rethrowTranslated } from '../database-errors';
import { quoteIdentifier } from '../identifiers';

/** Does not wait long for a server that has frozen. */
const rollback = { text: 'ROLLBACK', query_timeout: 2_000 };

/** Runs work in one transaction on a connection: committed when it resolves, rolled back when it throws. */
export async function runTransaction<T>(client: ClientBase, work: (database: Database) => Promise<T>): Promise<T> {
  await client.query('BEGIN').catch(rethrowTranslated);
  const scope = new TransactionScope(new StatementQueue(client));
  try {
    const result = await work(scope);
    await scope.end();
    await commit(client);
    return result;
  } catch (error) {
    await scope.end().catch(() => undefined);
    // Fails only with the connection, and then the server rolls back by itself.
    await client.query(rollback).catch(() => undefined);
    throw error;
  }
}

/** Rows of a statement; of the last one where the text holds several, as in psql. */
export async function runQuery<R extends object>(
  client: ClientBase,
  sql: string,
  values?: readonly unknown[],
): Promise<readonly R[]> {
  const result = (await client.query(sql, values && [...values]).catch(rethrowTranslated)) as
    | QueryResult
    | readonly QueryResult[];
  const last = 'rows' in result ? result : result.at(-1);
  return (last?.rows ?? []) as readonly R[];
}

async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query('COMMIT').catch(rethrowTranslated);
  if (command === 'ROLLBACK') {
    throw new Error(
      'The transaction was rolled back: one of its statements had failed and the error was caught. ' +
        'Run a statement that may fail in a nested transaction.',
    );
  }
}

/** The database that the work of one transaction, or of one savepoint in it, gets. */
class TransactionScope implements Database {
  private hasEnded = false;
  private hasNested = false;

  constructor(
    private readonly statements: StatementQueue,
    private readonly depth = 0,
    private readonly parent?: TransactionScope,
  ) {}

  async query<R extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<readonly R[]> {
    return this.run((client) => runQuery<R>(client, sql, values));
  }

  async transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.hasNested) {
      throw new Error('A nested transaction is already open: await it, or use the database that it passed.');
    }
    this.hasNested = true;
    try {
      return await this.runNested(work);
    } finally {
      this.hasNested = false;
    }
  }

  /** Waits for statements that are still under way and takes no further ones. */
  async end(): Promise<void> {
    await this.statements.settled();
    this.hasEnded = true;
    if (this.hasNested) throw new Error('A nested transaction is still open: await it before its outer work resolves.');
  }

  private async runNested<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const savepoint = quoteIdentifier(`gantry_${this.depth}`);
    const nested = new TransactionScope(this.statements, this.depth + 1, this);
    await this.run((client) => runQuery(client, `SAVEPOINT ${savepoint}`));
    try {
      const result = await work(nested);
      await nested.end();
      await this.run((client) => runQuery(client, `RELEASE SAVEPOINT ${savepoint}`));
      return result;
    } catch (error) {
      nested.hasEnded = true;
      await this.run((client) =>
        runQuery(client, `ROLLBACK TO SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`),
      );
      throw error;
    }
  }

  private async run<T>(statement: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.statements.run((client) => {
      if (!this.isOpen()) {
        throw new Error('The transaction has ended: await all its statements before its work resolves.');
      }
      return statement(client);
    });
  }

  private isOpen(): boolean {
    return !this.hasEnded && (this.parent === undefined || this.parent.isOpen());
  }
}

/** One connection runs one statement at a time. */
class StatementQueue {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: ClientBase) {}

  async run<T>(statement: (client: ClientBase) => Promise<T>): Promise<T> {
    const result = this.last.then(() => statement(this.client));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when no statement waits or runs. */
  async settled(): Promise<void> {
    let seen: Promise<unknown>;
    do {
      seen = this.last;
      await seen;
    } while (seen !== this.last);
  }
}
