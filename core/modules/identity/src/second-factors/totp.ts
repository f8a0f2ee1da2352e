import type { Database } from '@gantry/plugin-api';
import { GantryError, invalidValue } from '@gantry/plugin-api/errors';
import { Secret, TOTP } from 'otpauth';
import { reseal, type SecretBox } from '@gantry/core-common';
import { addFactor, removeFactor } from './change-factors';

/** The settings of an authenticator app. */
export interface TotpSetup {
  /** Base32, to be typed. */
  readonly secret: string;
  /** `otpauth://totp/…`, to be shown as a QR code. */
  readonly uri: string;
}

/** Codes of authenticator apps (RFC 6238) as a second factor: 6 digits, 30 seconds, SHA-1, as every app expects. */
export interface Totp {
  /** Begins the setup; a code of the app confirms it. @throws GantryError CONFLICT when one is set up */
  begin(userId: string, login: string): Promise<TotpSetup>;
  /** @returns recovery codes of the first second factor, shown once; else none. @throws GantryError VALIDATION_FAILED for a wrong code, CONFLICT without a setup */
  confirm(userId: string, code: string): Promise<readonly string[]>;
  remove(userId: string): Promise<void>;
  isRequired(userId: string): Promise<boolean>;
  /** Whether the code is right; each one is right once. */
  accept(userId: string, code: string): Promise<boolean>;
}

interface TotpRow {
  readonly sealed: string;
  readonly isConfirmed: boolean;
  readonly lastStep: string;
}

const periodSeconds = 30;
/** Clocks of telephones differ by some seconds: the code before and the one after are right as well. */
const window = 1;

export function createTotp(database: Database, box: SecretBox): Totp {
  return {
    async begin(userId, login) {
      if ((await readRow(database, userId))?.isConfirmed === true) {
        throw new GantryError('CONFLICT', 'An authenticator app is set up already. Remove it first.');
      }
      const secret = new Secret({ size: 20 });
      await database.query(
        `INSERT INTO gantry_totp (user_id, encrypted_secret, recovery_hashes) VALUES ($1, $2, '{}')
         ON CONFLICT (user_id) DO UPDATE SET encrypted_secret = EXCLUDED.encrypted_secret, last_step = 0`,
        [userId, box.seal(secret.base32, userId)],
      );
      return { secret: secret.base32, uri: totpOf(secret, login).toString() };
    },
    async confirm(userId, code) {
      const row = await readRow(database, userId);
      if (row === undefined || row.isConfirmed) {
        throw new GantryError('CONFLICT', 'No setup of an authenticator app is in progress. Begin the setup first.');
      }
      if (!(await acceptCode(database, box, userId, row, code))) throw wrongCode();
      const { recoveryCodes } = await addFactor(database, userId, (transaction) =>
        transaction.query('UPDATE gantry_totp SET is_confirmed = true WHERE user_id = $1', [userId]),
      );
      return recoveryCodes;
    },
    remove: (userId) =>
      removeFactor(database, userId, async (transaction) => {
        await transaction.query('DELETE FROM gantry_totp WHERE user_id = $1', [userId]);
      }),
    isRequired: async (userId) => (await readRow(database, userId))?.isConfirmed === true,
    async accept(userId, code) {
      const row = await readRow(database, userId);
      return row?.isConfirmed === true && acceptCode(database, box, userId, row, code);
    },
  };
}

/** Encrypts the secrets of all apps with the newest key. @returns of each whether it could be decrypted */
export async function resealTotp(transaction: Database, box: SecretBox): Promise<readonly boolean[]> {
  const rows = await transaction.query<{ readonly userId: string; readonly sealed: string }>(
    'SELECT user_id::text AS "userId", encrypted_secret AS sealed FROM gantry_totp ORDER BY user_id FOR UPDATE',
  );
  const resealed = rows.map(({ userId, sealed }) => ({ userId, sealed: reseal(box, sealed, userId) }));
  const read = resealed.filter(({ sealed }) => sealed !== undefined);
  await transaction.query(
    `UPDATE gantry_totp t SET encrypted_secret = u.sealed
     FROM unnest($1::bigint[], $2::text[]) AS u(user_id, sealed) WHERE t.user_id = u.user_id`,
    [read.map(({ userId }) => userId), read.map(({ sealed }) => sealed)],
  );
  return resealed.map(({ sealed }) => sealed !== undefined);
}

/** A code that somebody has seen on a screen is of no use a second time: its step must be later than the last one. */
async function acceptCode(
  database: Database,
  box: SecretBox,
  userId: string,
  { sealed }: TotpRow,
  code: string,
): Promise<boolean> {
  const digits = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(digits)) return false;
  const delta = totpOf(openSecret(box, sealed, userId), '').validate({ token: digits, window });
  if (delta === null) return false;
  const step = Math.floor(Date.now() / 1_000 / periodSeconds) + delta;
  const used = await database.query(
    'UPDATE gantry_totp SET last_step = $2 WHERE user_id = $1 AND last_step < $2 RETURNING id',
    [userId, step],
  );
  return used.length > 0;
}

/** A restored database on a home without its key: recovery codes are hashes and still work. */
function openSecret(box: SecretBox, sealed: string, userId: string): Secret {
  try {
    return Secret.fromBase32(box.open(sealed, userId));
  } catch (cause) {
    throw new GantryError(
      'CONFLICT',
      'The authenticator app of this account was set up with another secret key of the platform. Use a recovery code, or have an administrator restore the file secret-key or run: gantry users reset <login> --second-factor',
      { cause },
    );
  }
}

async function readRow(database: Database, userId: string): Promise<TotpRow | undefined> {
  const [row] = await database.query<TotpRow>(
    `SELECT encrypted_secret AS sealed, is_confirmed AS "isConfirmed", last_step AS "lastStep"
     FROM gantry_totp WHERE user_id = $1`,
    [userId],
  );
  return row;
}

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: 'Gantry', label, secret, period: periodSeconds, digits: 6, algorithm: 'SHA1' });
}

function wrongCode(): GantryError {
  return invalidValue('code', 'The code is wrong. Enter the 6 digits that the app shows now');
}
