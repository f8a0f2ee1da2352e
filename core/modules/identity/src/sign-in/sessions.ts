import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import type { Session } from '../accounts/account-schemas';
import { createSecret, hashSecret } from '../tokens/secrets';
import type { SignedIn } from './sign-in';

export interface SessionLimits {
  /** Minutes without a request after which a session ends. */
  readonly idleMinutes: number;
  /** Minutes after which a session ends in any case. */
  readonly maxMinutes: number;
}

/** From where a session is opened. */
export interface SessionOrigin {
  readonly address: string;
  readonly userAgent: string;
}

export interface Sessions {
  /**
   * Opens one; a session that the browser had ends.
   * @returns the secret for the cookie
   * @throws GantryError UNAUTHENTICATED when the password of the person has changed since it was compared, or the user is disabled
   */
  open(person: SignedIn, origin: SessionOrigin, replaced?: string): Promise<string>;
  /** Ends the session of a secret. */
  close(secret: string): Promise<void>;
  list(userId: string, currentId: string | undefined): Promise<readonly Session[]>;
  /** @returns whether the user had such a session */
  remove(userId: string, id: string): Promise<boolean>;
  /** Ends all sessions of a user, apart from one. */
  removeOthers(userId: string, exceptId: string | undefined): Promise<void>;
}

interface SessionRow extends Omit<Session, 'createdAt' | 'lastSeenAt' | 'isCurrent'> {
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

const maxTextLength = 300;

export function createSessions(database: Database, { idleMinutes, maxMinutes }: SessionLimits): Sessions {
  return {
    open: ({ userId, passwordHash, provenAt }, { address, userAgent }, replaced) =>
      database.transaction(async (transaction) => {
        if (replaced !== undefined) await closeSession(transaction, replaced);
        await transaction.query(
          `DELETE FROM gantry_session WHERE expires_at < now() OR last_seen_at < now() - make_interval(mins => $1)`,
          [idleMinutes],
        );
        const secret = createSecret();
        // The lock makes a change of the user that is under way come before this statement or after its commit, never beside it.
        const opened = await transaction.query(
          `INSERT INTO gantry_session (token_hash, user_id, address, user_agent, expires_at, presence_at)
           SELECT $1, id, $3, $4, now() + make_interval(mins => $5),
             CASE WHEN $6::text IS NOT NULL THEN now() WHEN $7::timestamptz IS NOT NULL THEN least($7::timestamptz, now()) END FROM gantry_user
           WHERE id = $2 AND is_enabled AND password_hash IS NOT DISTINCT FROM $6 FOR SHARE RETURNING id`,
          [
            ...[hashSecret(secret), userId, address, userAgent.slice(0, maxTextLength), maxMinutes, passwordHash],
            provenAt ?? null,
          ],
        );
        if (opened.length > 0) return secret;
        throw new GantryError('UNAUTHENTICATED', 'The password or the account has changed meanwhile. Sign in again.');
      }),
    close: (secret) => closeSession(database, secret),
    async list(userId, currentId) {
      const rows = await database.query<SessionRow>(
        `SELECT id, address, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt"
         FROM gantry_session WHERE user_id = $1 AND expires_at > now()
           AND last_seen_at > now() - make_interval(mins => $2) ORDER BY last_seen_at DESC`,
        [userId, idleMinutes],
      );
      return rows.map(({ createdAt, lastSeenAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isCurrent: row.id === currentId,
      }));
    },
    async remove(userId, id) {
      if (!/^\d{1,18}$/.test(id)) return false;
      const removed = await database.query('DELETE FROM gantry_session WHERE user_id = $1 AND id = $2 RETURNING id', [
        userId,
        id,
      ]);
      return removed.length > 0;
    },
    removeOthers: async (userId, exceptId) =>
      void (await database.query('DELETE FROM gantry_session WHERE user_id = $1 AND id::text IS DISTINCT FROM $2', [
        userId,
        exceptId ?? null,
      ])),
  };
}

async function closeSession(database: Database, secret: string): Promise<void> {
  await database.query('DELETE FROM gantry_session WHERE token_hash = $1', [hashSecret(secret)]);
}
