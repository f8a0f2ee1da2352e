import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import type { Passwords } from './passwords';
import { createSecret, hashSecret } from '../tokens/secrets';

/** A person whose password was right, or whom the identity provider has confirmed. */
export interface SignedIn {
  readonly userId: string;
  readonly login: string;
  /** Hash of that password; null by a provider. A session is opened only while it is still the one of the user. */
  readonly passwordHash: string | null;
  /** When the provider asked the person to sign in; undefined where it may have remembered an earlier sign-in. */
  readonly provenAt?: Date | undefined;
}

/** To whom a one-time link belongs. */
export type LinkOwner = Pick<SignedIn, 'userId' | 'login'>;

/** Another password for the person of a session. */
export interface PasswordChange {
  readonly userId: string;
  readonly sessionId: string;
  readonly current: string;
  readonly next: string;
}

/** The same once the current password was compared: hashes take too long for a transaction. */
export interface PreparedPasswordChange extends Pick<PasswordChange, 'userId' | 'sessionId'> {
  readonly currentHash: string;
  readonly nextHash: string;
}

/** Proofs of who somebody is. */
export interface SignIn {
  /** @returns undefined for an unknown login, a wrong password or a disabled user; all take the same time */
  withPassword(login: string, password: string): Promise<SignedIn | undefined>;
  /** To whom the link belongs. @returns undefined for a link that is not valid */
  findLink(secret: string): Promise<LinkOwner | undefined>;
  /** @throws GantryError VALIDATION_FAILED for a password that cannot be set */
  assertAcceptable(password: string): Promise<void>;
  /** For {@link withLink}. @throws GantryError VALIDATION_FAILED for a password that cannot be set */
  hashPassword(password: string): Promise<string>;
  /**
   * Sets the password of the user to whom the link belongs; the link, all sessions, all known browsers and the identities of
   * former providers of the user end.
   * @returns undefined for a link that is not valid
   */
  withLink(secret: string, passwordHash: string): Promise<SignedIn | undefined>;
  /** Before something that a session alone must not be enough for. @throws GantryError FORBIDDEN for a wrong password, CONFLICT without one */
  assertPassword(userId: string, password: string): Promise<void>;
  /** @throws GantryError FORBIDDEN for a wrong current password, VALIDATION_FAILED for one that cannot be set, CONFLICT without one */
  prepareChange(change: PasswordChange): Promise<PreparedPasswordChange>;
  /**
   * Ends the other sessions and the known browsers of the person.
   * @throws GantryError CONFLICT when the password was set or the session ended meanwhile
   */
  changePassword(change: PreparedPasswordChange): Promise<void>;
  /** Remembers a browser from which a person signed in, in place of what it had. @returns the secret for its cookie */
  rememberDevice(userId: string, previous: string | undefined): Promise<string>;
  /** Whether a person signed in to that account from this browser before. */
  isKnownDevice(login: string, secret: string): Promise<boolean>;
}

interface UserRow {
  readonly id: string;
  readonly login: string;
  readonly hash: string | null;
}

const deviceDays = 180;

export function createSignIn(database: Database, passwords: Passwords): SignIn {
  return {
    async withPassword(login, password) {
      const [row] = await database.query<UserRow>(
        `SELECT id, login, password_hash AS hash FROM gantry_user
         WHERE login = $1 AND is_enabled AND kind = 'person'`,
        [login.toLowerCase()],
      );
      const isRight = await passwords.matches(password, row?.hash ?? undefined);
      if (!isRight || row?.hash == null) return undefined;
      return { userId: String(row.id), login: row.login, passwordHash: row.hash };
    },
    findLink: (secret) => findLink(database, secret),
    assertAcceptable: (password) => passwords.assertAcceptable(password),
    hashPassword: (password) => passwords.hash(password),
    withLink: (secret, passwordHash) => useLink(database, secret, passwordHash),
    assertPassword: async (userId, password) => void (await assertPassword(database, passwords, userId, password)),
    async prepareChange({ userId, sessionId, current, next }) {
      const currentHash = await assertPassword(database, passwords, userId, current);
      return { userId, sessionId, currentHash, nextHash: await passwords.hash(next) };
    },
    changePassword: (change) => changePassword(database, change),
    async rememberDevice(userId, previous) {
      const secret = createSecret();
      await database.query('DELETE FROM gantry_known_device WHERE expires_at < now() OR token_hash = $1', [
        hashSecret(previous ?? ''),
      ]);
      await database.query(
        `INSERT INTO gantry_known_device (token_hash, user_id, expires_at)
         VALUES ($1, $2, now() + make_interval(days => $3))`,
        [hashSecret(secret), userId, deviceDays],
      );
      return secret;
    },
    async isKnownDevice(login, secret) {
      const found = await database.query(
        `SELECT 1 FROM gantry_known_device d JOIN gantry_user u ON u.id = d.user_id
         WHERE d.token_hash = $1 AND u.login = $2 AND d.expires_at > now()`,
        [hashSecret(secret), login.toLowerCase()],
      );
      return found.length > 0;
    },
  };
}

async function assertPassword(
  database: Database,
  passwords: Passwords,
  userId: string,
  password: string,
): Promise<string> {
  const [row] = await database.query<UserRow>(
    'SELECT id, login, password_hash AS hash FROM gantry_user WHERE id = $1',
    [userId],
  );
  if (row?.hash === null) {
    throw new GantryError(
      'CONFLICT',
      'This account has no password: it signs in with the identity provider, where the password and second factors are changed.',
    );
  }
  const isRight = await passwords.matches(password, row?.hash ?? undefined);
  if (isRight && row?.hash != null) return row.hash;
  throw new GantryError('FORBIDDEN', 'The current password is wrong.');
}

async function changePassword(
  database: Database,
  { userId, sessionId, currentHash, nextHash }: PreparedPasswordChange,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const changed = await transaction.query(
      `UPDATE gantry_user SET password_hash = $3, updated_at = now()
       WHERE id = $1 AND password_hash = $2 AND is_enabled
         AND EXISTS (SELECT FROM gantry_session WHERE id = $4 AND user_id = $1) RETURNING id`,
      [userId, currentHash, nextHash, sessionId],
    );
    if (changed.length === 0) {
      throw new GantryError(
        'CONFLICT',
        'The password was set in another way, or the session has ended. Sign in again.',
      );
    }
    await transaction.query('DELETE FROM gantry_session WHERE user_id = $1 AND id <> $2', [userId, sessionId]);
    await transaction.query('DELETE FROM gantry_known_device WHERE user_id = $1', [userId]);
  });
}

async function useLink(database: Database, secret: string, passwordHash: string): Promise<SignedIn | undefined> {
  const link = await findLink(database, secret);
  if (link === undefined) return undefined;
  const { userId } = link;
  return database.transaction(async (transaction) => {
    const used = await transaction.query<{ readonly id: string }>(
      'DELETE FROM gantry_one_time_link WHERE token_hash = $1 AND expires_at > now() RETURNING user_id AS id',
      [hashSecret(secret)],
    );
    if (used.length === 0) return undefined;
    await transaction.query('UPDATE gantry_user SET password_hash = $2, updated_at = now() WHERE id = $1', [
      userId,
      passwordHash,
    ]);
    await transaction.query('DELETE FROM gantry_session WHERE user_id = $1', [userId]);
    await transaction.query('DELETE FROM gantry_known_device WHERE user_id = $1', [userId]);
    await transaction.query('DELETE FROM gantry_external_identity WHERE user_id = $1', [userId]);
    return { ...link, passwordHash };
  });
}

async function findLink(database: Database, secret: string): Promise<LinkOwner | undefined> {
  const [row] = await database.query<LinkOwner>(
    `SELECT u.id::text AS "userId", u.login FROM gantry_one_time_link l JOIN gantry_user u ON u.id = l.user_id
     WHERE l.token_hash = $1 AND l.expires_at > now() AND u.is_enabled`,
    [hashSecret(secret)],
  );
  return row;
}
