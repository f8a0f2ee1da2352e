import { GantryError } from '@gantry/plugin-api';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sequelize, Transaction } from 'sequelize';
import {
  isTransactionConflict,
  transactionStatements,
  translateUnavailable,
  type OriginOptions,
} from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { changeOrigin } from '../policy/change-origin';
import type { Scope } from '../policy/scope';
import type { ItemRepository } from '../read/item-repository';
import { missingItems } from './reference-check';
import type { WriteHooks } from './rows/write-hooks';
import { translateWriteError, type WriteContext } from './write-errors';
import type { ItemWriterDependencies, WriteDependencies, WrittenRow } from './write-dependencies';
import { validationFailed } from './write-problems';

/** Collaborators of a write, and the scope in which it acts. */
export type InScope<P extends ItemWriterDependencies> = P & Pick<WriteDependencies, 'scope' | 'restoredVersion'>;

/** The write of one item, for its errors. */
interface OneWrite {
  readonly type: ItemTypeDescriptor;
  readonly action: 'create' | 'update' | 'restore';
  readonly values: StoredValues;
}

/** The transaction of a write, and in whose name it writes. */
export interface WriteSession {
  readonly scope: Scope;
  readonly transaction: Transaction;
  readonly hooks: WriteHooks | undefined;
  /** Rows as objects. */
  query<R extends object>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** How often a transaction that deadlocks is tried. */
export const attempts = 3;
const maxRetryDelayMs = 50;

/**
 * Runs a write of one item in a transaction, which begins with its first statements; what it throws becomes the error that the client
 * gets.
 */
export function write(
  dependencies: WriteDependencies,
  one: OneWrite,
  work: (session: WriteSession) => Promise<WrittenRow>,
): Promise<WrittenRow> {
  const inSession = (transaction: Transaction) => work(sessionIn(dependencies, transaction));
  return inTransaction(dependencies, inSession, { beginsLater: true }).catch((error: unknown) =>
    rethrow(dependencies, one, error),
  );
}

/**
 * The same for one statement, which is a transaction by itself; inside another one it is a savepoint.
 * @param run gives undefined where the statement changed nothing
 */
export function writeAlone<R extends WrittenRow | undefined>(
  dependencies: WriteDependencies,
  one: OneWrite,
  run: (repository: ItemRepository) => Promise<R>,
): Promise<R> {
  const { parent, repository, notify } = dependencies;
  const failed = (error: unknown): Promise<never> => rethrow(dependencies, one, error);
  if (parent !== undefined) return inTransaction(dependencies, () => run(repository)).catch(failed);
  // Without async functions, whose promises every create would pay for (docs/decisions/0008).
  return run(repository).then((row) => {
    if (row !== undefined) notify?.();
    return row;
  }, failed);
}

/** @throws the error that the client gets */
async function rethrow(
  dependencies: WriteDependencies,
  { type, action, values }: OneWrite,
  error: unknown,
): Promise<never> {
  throw await translateError(dependencies, error, {
    type,
    action,
    describeForeignKey: async () => validationFailed(type, action, await missingItems(dependencies, type, values)),
  });
}

/** Inside another transaction, a deadlock is left to that one, which begins again. */
export async function translateError(
  { parent, types, query }: WriteDependencies,
  error: unknown,
  context: Omit<WriteContext, 'model' | 'query'>,
): Promise<unknown> {
  if (parent !== undefined && isTransactionConflict(error)) return error;
  return translateWriteError(error, { ...context, query, model: types.find(context.type.code)?.model });
}

/**
 * Tries again after a deadlock, which PostgreSQL resolves by ending one of the transactions. Inside another transaction it is a
 * savepoint, so that what fails leaves the rest as it is.
 */
export async function inTransaction<T>(
  { sequelize, parent, scope, restoredVersion, notify }: InScope<ItemWriterDependencies>,
  work: (transaction: Transaction) => Promise<T>,
  begins: Pick<OriginOptions, 'beginsLater'> = {},
): Promise<T> {
  if (parent !== undefined) return sequelize.transaction({ transaction: parent }, work);
  const options: OriginOptions = { origin: changeOrigin(scope, undefined, restoredVersion), ...begins };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await sequelize.transaction(options, work);
      notify?.();
      return result;
    } catch (error) {
      if (attempt === attempts || !isTransactionConflict(error)) throw error;
      // Transactions that waited for each other would do so again.
      await delay(Math.random() * maxRetryDelayMs * attempt);
    }
  }
}

/** Runs work in one transaction, with everything that reads and writes inside it. */
export async function inside<T, P extends InScope<ItemWriterDependencies>>(
  dependencies: P,
  work: (inner: P) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(dependencies, (transaction) => {
      const { runStatement, query } = transactionStatements(transaction);
      return work({
        ...dependencies,
        parent: transaction,
        repository: dependencies.repository.within(runStatement),
        query,
      });
    });
  } catch (error) {
    if (dependencies.parent !== undefined) throw error;
    throw isTransactionConflict(error) ? keptInConflict(error) : translateUnavailable(error);
  }
}

function keptInConflict(cause: unknown): GantryError {
  return new GantryError(
    'UNAVAILABLE',
    `Other transactions changed the same items in another order ${attempts} times. Try again, or change the items in the same order in every transaction.`,
    { headers: { 'Retry-After': '1' }, cause },
  );
}

interface SessionParts {
  readonly sequelize: Sequelize;
  readonly scope: Scope;
  readonly hooks?: WriteHooks | undefined;
}

export function sessionIn({ sequelize, scope, hooks }: SessionParts, transaction: Transaction): WriteSession {
  return {
    scope,
    transaction,
    hooks,
    async query<R extends object>(sql: string, values?: readonly unknown[]) {
      const bind = values === undefined ? {} : { bind: [...values] };
      const [rows] = await sequelize.query(sql, { transaction, ...bind });
      return rows as readonly R[];
    },
  };
}
