import { GantryError } from '@gantry/plugin-api';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import {
  isTransactionConflict,
  transactionStatements,
  translateUnavailable,
  type OriginOptions,
} from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { changeOrigin } from '../policy/change-origin';
import { translateWriteError, type WriteContext } from './write-errors';
import { missing, type ItemWriterDependencies, type WriteDependencies, type WrittenRow } from './write-dependencies';
import { validationFailed } from './write-problems';

/** Collaborators of a write, and the scope in which it acts. */
export type InScope<P extends ItemWriterDependencies> = P & Pick<WriteDependencies, 'scope' | 'restoredVersion'>;

/** How often a transaction that deadlocks is tried. */
export const attempts = 3;
const maxRetryDelayMs = 50;

/**
 * Runs a write of one item in a transaction, which begins with its first statements; what it throws becomes the error that the client
 * gets.
 */
export function write(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  action: 'create' | 'update' | 'restore',
  values: StoredValues,
  work: (transaction: Transaction) => Promise<WrittenRow>,
): Promise<WrittenRow> {
  return translated(dependencies, type, action, values, () => inTransaction(dependencies, work, { beginsLater: true }));
}

export async function translated<T>(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  action: 'create' | 'update' | 'restore',
  values: StoredValues,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await translateError(dependencies, error, {
      type,
      action,
      describeForeignKey: async () => validationFailed(type, action, await missing(dependencies, type, values)),
    });
  }
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
  { sequelize, parent, scope, restoredVersion }: InScope<ItemWriterDependencies>,
  work: (transaction: Transaction) => Promise<T>,
  begins: Pick<OriginOptions, 'beginsLater'> = {},
): Promise<T> {
  if (parent !== undefined) return sequelize.transaction({ transaction: parent }, work);
  const options: OriginOptions = { origin: changeOrigin(scope, undefined, restoredVersion), ...begins };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sequelize.transaction(options, work);
    } catch (error) {
      if (attempt === attempts || !isTransactionConflict(error)) throw error;
      // Those that waited for each other would do so again.
      await delay(Math.random() * maxRetryDelayMs * attempt);
    }
  }
}

/** Runs one statement, which is a transaction by itself; inside another one it is a savepoint. */
export function alone<T, P extends InScope<ItemWriterDependencies>>(
  dependencies: P,
  work: (dependencies: P) => Promise<T>,
): Promise<T> {
  return dependencies.parent === undefined ? work(dependencies) : inTransaction(dependencies, () => work(dependencies));
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
