import type { Database } from '@gantry/plugin-api';
import { GantryError, invalidValue } from '@gantry/plugin-api/errors';
import type { ApiToken, CreatedToken, NewApiToken } from '../accounts/account-schemas';
import { assertRolesExist } from '../roles/stored-roles';
import { createApiTokenText, hashSecret } from './secrets';
import { administrator } from '../accounts/user-input';

export interface ApiTokens {
  /** Of one user, or of all. */
  list(userId?: string): Promise<readonly ApiToken[]>;
  /** @returns the token with its text, which is shown once. @throws GantryError NOT_FOUND for an unknown user, VALIDATION_FAILED for roles that the user does not have */
  create(userId: string, token: NewApiToken): Promise<CreatedToken>;
  /** Revokes it, of one user, or of any. @throws GantryError NOT_FOUND */
  revoke(id: string, userId?: string): Promise<ApiToken>;
}

const publicIdPattern = /^[A-Za-z0-9]{12}$/;

const columns = `public_id AS id, user_id AS "userId", name, roles, manages_accounts AS "managesAccounts", created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt"`;

interface TokenRow extends Pick<ApiToken, 'id' | 'userId' | 'name' | 'roles' | 'managesAccounts'> {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

export function createApiTokens(database: Database): ApiTokens {
  return {
    async list(userId) {
      const rows = await database.query<TokenRow>(
        `SELECT ${columns} FROM gantry_api_token WHERE $1::bigint IS NULL OR user_id = $1 ORDER BY id`,
        [userId ?? null],
      );
      return rows.map(present);
    },
    async create(userId, { name, expiresInDays, roles, managesAccounts = false }) {
      const { publicId, text } = createApiTokenText();
      if (roles !== undefined) await assertRolesOf(database, userId, roles);
      const [row] = await database.query<TokenRow>(
        `INSERT INTO gantry_api_token (token_hash, public_id, user_id, name, expires_at, roles, manages_accounts)
         SELECT $1, $2, id, $4, now() + make_interval(days => $5), $6, $7 FROM gantry_user WHERE id = $3 RETURNING ${columns}`,
        [hashSecret(text), publicId, userId, name, expiresInDays, roles ?? null, managesAccounts],
      );
      if (row === undefined) throw new GantryError('NOT_FOUND', `There is no user ${userId}.`);
      return { ...present(row), token: text };
    },
    async revoke(id, userId) {
      const found = publicIdPattern.test(id)
        ? await database.query<TokenRow>(
            `DELETE FROM gantry_api_token WHERE public_id = $1 AND ($2::bigint IS NULL OR user_id = $2) RETURNING ${columns}`,
            [id, userId ?? null],
          )
        : [];
      const [row] = found;
      if (row === undefined) throw new GantryError('NOT_FOUND', `There is no API token ${id.slice(0, 40)}.`);
      return present(row);
    },
  };
}

/**
 * The rights of a token are decided when it is used: roles that the user has lost do not count.
 * @throws GantryError VALIDATION_FAILED
 */
async function assertRolesOf(database: Database, userId: string, roles: readonly string[]): Promise<void> {
  await assertRolesExist(database, roles);
  const [user] = await database.query<{ readonly roles: readonly string[] }>(
    'SELECT roles FROM gantry_user WHERE id = $1',
    [userId],
  );
  const missing = user === undefined ? [] : roles.filter((role) => !rolesOfToken([role], user.roles).includes(role));
  if (missing.length === 0) return;
  throw invalidValue('roles', `The user does not have the role ${missing.join(', ')}`);
}

/** The roles with which a token acts: those it is limited to, as far as its user has them. An administrator has all. */
export function rolesOfToken(limitedTo: readonly string[] | null, ofUser: readonly string[]): readonly string[] {
  if (limitedTo === null) return ofUser;
  return ofUser.includes(administrator) ? limitedTo : limitedTo.filter((role) => ofUser.includes(role));
}

function present({ createdAt, expiresAt, lastUsedAt, ...row }: TokenRow): ApiToken {
  return {
    ...row,
    userId: String(row.userId),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
