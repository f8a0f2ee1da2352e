import { randomBytes } from 'node:crypto';
import type { Database } from '@gantry/plugin-api';
import { hashSecret } from '../tokens/secrets';

const recoveryCodes = 10;

/** Replaces the recovery codes of a person. @returns them; only their hashes are stored */
export async function createRecoveryCodes(transaction: Database, userId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodes }, createRecoveryCode);
  await removeRecoveryCodes(transaction, userId);
  await transaction.query(
    'INSERT INTO gantry_recovery_code (user_id, code_hash) SELECT $1, hash FROM unnest($2::text[]) AS hash',
    [userId, codes.map(hashSecret)],
  );
  return codes;
}

export async function removeRecoveryCodes(transaction: Database, userId: string): Promise<void> {
  await transaction.query('DELETE FROM gantry_recovery_code WHERE user_id = $1', [userId]);
}

/** Whether the code is one of the person; each is right once. */
export async function acceptRecoveryCode(database: Database, userId: string, code: string): Promise<boolean> {
  const values = [userId, hashSecret(code.trim().toLowerCase())];
  const used = await database.query(
    'DELETE FROM gantry_recovery_code WHERE user_id = $1 AND code_hash = $2 RETURNING id',
    values,
  );
  if (used.length > 0) return true;
  const usedEarlier = await database.query(
    `UPDATE gantry_totp SET recovery_hashes = array_remove(recovery_hashes, $2)
     WHERE user_id = $1 AND is_confirmed AND $2 = ANY (recovery_hashes) RETURNING id`,
    values,
  );
  return usedEarlier.length > 0;
}

/**
 * Earlier versions kept the codes with the authenticator app. Those of an app that is to be removed, or beside which another
 * factor is added, become codes of the person.
 */
export async function moveEarlierCodes(transaction: Database, userId: string): Promise<void> {
  // A code that is used at the same time is used before or after this.
  await transaction.query('SELECT 1 FROM gantry_totp WHERE user_id = $1 FOR UPDATE', [userId]);
  await transaction.query(
    `INSERT INTO gantry_recovery_code (user_id, code_hash)
     SELECT user_id, unnest(recovery_hashes) FROM gantry_totp WHERE user_id = $1 AND is_confirmed`,
    [userId],
  );
  await transaction.query("UPDATE gantry_totp SET recovery_hashes = '{}' WHERE user_id = $1", [userId]);
}

/** 80 random bits, to be written down. */
function createRecoveryCode(): string {
  const text = randomBytes(10).toString('hex');
  return `${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10, 15)}-${text.slice(15)}`;
}
