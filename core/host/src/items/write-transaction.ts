import { GantryError } from '@gantry/plugin-api';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import { isTransactionConflict, translateUnavailable } from '../database/database-errors';
import { transactionStatements } from '../database/transaction-statements';
import type { ItemTypeDescriptor } from './descriptor';
import type { StoredValues } from './payload';
import { translateWriteError, type WriteContext } from './write-errors';
import { missing, type ItemWriterParts, type WriteParts, type WrittenRow } from './write-parts';
import { validationFailed } from './write-problems';

/** How often a transaction that deadlocks is tried. */
export const attempts = 3;
const maxRetryDelayMs = 50;

/** Runs a write of one item in a transaction; what it throws becomes the error that the client gets. */
export function write(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  action: 'create' | 'update',
  values: StoredValues,
  work: (transaction: Transaction) => Promise<WrittenRow>,
): Promise<WrittenRow> {
  return translated(parts, type, action, values, () => inTransaction(parts, work));
}

export async function translated<T>(
  parts: WriteParts,
  type: ItemTypeDescriptor,
  action: 'create' | 'update',
  values: StoredValues,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await translateError(parts, error, {
      type,
      action,
      describeForeignKey: async () => validationFailed(type, action, await missing(parts, type, values)),
    });
  }
}

/** Inside another transaction, a deadlock is left to that one, which begins again. */
export async function translateError({ parent }: WriteParts, error: unknown, context: WriteContext): Promise<unknown> {
  return parent !== undefined && isTransactionConflict(error) ? error : translateWriteError(error, context);
}

/**
 * Tries again after a deadlock, which PostgreSQL resolves by ending one of the transactions. Inside another transaction it is a
 * savepoint, so that what fails leaves the rest as it is.
 */
export async function inTransaction<T>(
  { sequelize, parent }: ItemWriterParts,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  if (parent !== undefined) return sequelize.transaction({ transaction: parent }, work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sequelize.transaction(work);
    } catch (error) {
      if (attempt === attempts || !isTransactionConflict(error)) throw error;
      // Those that waited for each other would do so again.
      await delay(Math.random() * maxRetryDelayMs * attempt);
    }
  }
}

/** Runs one statement, which is a transaction by itself; inside another one it is a savepoint. */
export function alone<T, P extends ItemWriterParts>(parts: P, work: (parts: P) => Promise<T>): Promise<T> {
  return parts.parent === undefined ? work(parts) : inTransaction(parts, () => work(parts));
}

/** Runs work in one transaction, with everything that reads and writes inside it. */
export async function inside<T, P extends ItemWriterParts>(parts: P, work: (inner: P) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(parts, (transaction) => {
      const { runStatement, query } = transactionStatements(transaction);
      return work({ ...parts, parent: transaction, repository: parts.repository.within(runStatement), query });
    });
  } catch (error) {
    if (parts.parent !== undefined) throw error;
    throw isTransactionConflict(error) ? keptInConflict(error) : translateUnavailable(error);
  }
}

function keptInConflict(cause: unknown): GantryError {
  return new GantryError(
    'UNAVAILABLE',
    `Other transactions changed the same items in another order ${attempts} times. Try again, or change items in one order everywhere.`,
    { headers: { 'Retry-After': '1' }, cause },
  );
}
