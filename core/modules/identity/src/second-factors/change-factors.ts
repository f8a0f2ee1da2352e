import type { Database } from '@gantry/plugin-api';
import { createRecoveryCodes, moveEarlierCodes, removeRecoveryCodes } from './recovery-codes';

/** SQL condition: the user `$1` has an authenticator app or a passkey. */
const hasFactorSql = `EXISTS (SELECT FROM gantry_totp WHERE user_id = $1 AND is_confirmed)
  OR EXISTS (SELECT FROM gantry_passkey WHERE user_id = $1)`;

export async function hasFactor(database: Database, userId: string): Promise<boolean> {
  const [row] = await database.query<{ readonly found: boolean }>(`SELECT ${hasFactorSql} AS found`, [userId]);
  return row?.found === true;
}

/** A second factor that was added. */
interface Added<T> {
  readonly added: T;
  /** Of the first factor of any kind; else empty. */
  readonly recoveryCodes: readonly string[];
}

/** Adds a second factor of a person. Changes of one person wait for each other: exactly one factor is the first. */
export async function addFactor<T>(
  database: Database,
  userId: string,
  add: (transaction: Database) => Promise<T>,
): Promise<Added<T>> {
  return database.transaction(async (transaction) => {
    await lockUser(transaction, userId);
    const isFirst = !(await hasFactor(transaction, userId));
    await moveEarlierCodes(transaction, userId);
    const added = await add(transaction);
    return { added, recoveryCodes: isFirst ? await createRecoveryCodes(transaction, userId) : [] };
  });
}

/** Removes a second factor of a person; the recovery codes go with the last one. */
export async function removeFactor<T>(
  database: Database,
  userId: string,
  remove: (transaction: Database) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await lockUser(transaction, userId);
    await moveEarlierCodes(transaction, userId);
    const removed = await remove(transaction);
    if (!(await hasFactor(transaction, userId))) await removeRecoveryCodes(transaction, userId);
    return removed;
  });
}

async function lockUser(transaction: Database, userId: string): Promise<void> {
  await transaction.query('SELECT 1 FROM gantry_user WHERE id = $1 FOR UPDATE', [userId]);
}
