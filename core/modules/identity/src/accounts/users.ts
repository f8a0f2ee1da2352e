import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import type { User } from './account-schemas';
import { createSecret, hashSecret } from '../tokens/secrets';
import { readSignIn, requireSignIn } from '../settings';
import { isOfProvider, lockAccounts, readAdministrators } from './account-changes';
import { assertRolesExist } from '../roles/stored-roles';
import { administrator, newUserInput } from './user-input';
import { expectation } from '@gantry/core-common';

/** Without a name to show, it is the login. */
export type NewUser = Pick<User, 'login' | 'kind' | 'roles'> & Partial<Pick<User, 'displayName'>>;
export type UserChange = Partial<Pick<User, 'displayName' | 'roles' | 'isEnabled'>>;

/** A link with which a person sets a password, once. */
export interface OneTimeLink {
  /** 256 random bits; only their hash is stored. */
  readonly secret: string;
  /** ISO 8601, 15 minutes ahead. */
  readonly expiresAt: string;
}

/** The accounts. Every function runs in one transaction. */
export interface Users {
  list(): Promise<readonly User[]>;
  /** @throws GantryError NOT_FOUND */
  get(id: string): Promise<User>;
  /**
   * The first person with the role administrator switches sign-in on.
   * @throws GantryError VALIDATION_FAILED; CONFLICT for a login that is in use, or when the first one is no administrator
   */
  create(user: NewUser): Promise<User>;
  /**
   * A role that is added ends the one-time link of the user.
   * @throws GantryError NOT_FOUND, VALIDATION_FAILED for an unknown role, CONFLICT when no enabled administrator would remain who can
   *   sign in
   */
  update(id: string, change: UserChange): Promise<User>;
  /** @throws GantryError NOT_FOUND, CONFLICT when no enabled administrator would remain who can sign in */
  remove(id: string): Promise<User>;
  /** Replaces an earlier link. @throws GantryError NOT_FOUND, CONFLICT for a service account, a disabled user or one of the provider */
  createLink(id: string): Promise<OneTimeLink>;
  findByLogin(login: string): Promise<User | undefined>;
}

const columns = `id, login, display_name AS "displayName", kind, roles, is_enabled AS "isEnabled",
  password_hash IS NOT NULL AS "hasPassword", created_at AS "createdAt",
  (SELECT e.issuer FROM gantry_external_identity e WHERE e.user_id = gantry_user.id ORDER BY e.id DESC LIMIT 1)
    AS "identityProvider"`;

interface UserRow extends Omit<User, 'createdAt'> {
  readonly createdAt: Date;
}

export function createUsers(database: Database): Users {
  return {
    async list() {
      const rows = await database.query<UserRow>(`SELECT ${columns} FROM gantry_user ORDER BY login`);
      return rows.map(present);
    },
    get: (id) => getUser(database, id),
    create: async (user) => changing(database, (transaction) => insertUser(transaction, validated(user))),
    update: (id, change) =>
      changing(database, async (transaction) => {
        const user = await getUser(transaction, id);
        const administrators = await readAdministrators(transaction);
        await assertRolesExist(transaction, change.roles ?? []);
        await transaction.query(
          'UPDATE gantry_user SET display_name = $2, roles = $3, is_enabled = $4, updated_at = now() WHERE id = $1',
          [id, change.displayName ?? user.displayName, change.roles ?? user.roles, change.isEnabled ?? user.isEnabled],
        );
        if (change.isEnabled !== undefined) await endSessions(transaction, id);
        // The holder of the link was given the earlier roles.
        if (change.roles?.some((role) => !user.roles.includes(role)) === true) await endLinks(transaction, id);
        await assertAdministratorAfter(transaction, administrators);
        return getUser(transaction, id);
      }),
    remove: (id) =>
      changing(database, async (transaction) => {
        const user = await getUser(transaction, id);
        const administrators = await readAdministrators(transaction);
        await transaction.query('DELETE FROM gantry_user WHERE id = $1', [id]);
        await assertAdministratorAfter(transaction, administrators);
        return user;
      }),
    createLink: (id) => changing(database, (transaction) => insertLink(transaction, id)),
    async findByLogin(login) {
      const [row] = await database.query<UserRow>(`SELECT ${columns} FROM gantry_user WHERE login = $1`, [
        login.toLowerCase(),
      ]);
      return row === undefined ? undefined : present(row);
    },
  };
}

/** One change of accounts at a time: whether an administrator remains depends on all of them. */
async function changing<T>(database: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await lockAccounts(transaction);
    return work(transaction);
  });
}

async function getUser(database: Database, id: string): Promise<User> {
  const isId = /^[1-9]\d{0,17}$/.test(id);
  const [row] = isId ? await database.query<UserRow>(`SELECT ${columns} FROM gantry_user WHERE id = $1`, [id]) : [];
  if (row === undefined) throw new GantryError('NOT_FOUND', `There is no user ${id.slice(0, 40)}.`);
  return present(row);
}

/** @throws GantryError VALIDATION_FAILED */
function validated(user: NewUser): NewUser {
  const { data, error } = newUserInput.safeParse(user, { error: expectation });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  const reason = issue?.message ?? 'not valid';
  const message = reason.startsWith(path) ? reason : `${path} ${reason}`;
  throw new GantryError('VALIDATION_FAILED', `The user cannot be created: ${message}.`);
}

async function insertUser(transaction: Database, user: NewUser): Promise<User> {
  await assertRolesExist(transaction, user.roles);
  const isAdministrator = user.kind === 'person' && user.roles.includes(administrator);
  if (!isAdministrator && (await readSignIn(transaction)) === undefined) {
    throw new GantryError(
      'CONFLICT',
      'The first user must be a person with the role administrator: it switches sign-in on.',
    );
  }
  const [row] = await transaction.query<UserRow>(
    `INSERT INTO gantry_user (login, display_name, kind, roles) VALUES ($1, $2, $3, $4)
     ON CONFLICT (login) DO NOTHING RETURNING ${columns}`,
    [user.login.toLowerCase(), user.displayName ?? user.login, user.kind, user.roles],
  );
  if (row === undefined) throw new GantryError('CONFLICT', `There is already a user ${user.login}.`);
  const created = present(row);
  if (isAdministrator) await requireSignIn(transaction, created.id);
  return created;
}

/**
 * After a change by which somebody may have ceased to be administrator. With an identity provider, there may have been none.
 * @param before the administrators before the change
 */
async function assertAdministratorAfter(
  transaction: Database,
  before: Awaited<ReturnType<typeof readAdministrators>>,
): Promise<void> {
  const after = await readAdministrators(transaction);
  if (before.length > 0 && after.length === 0) {
    throw new GantryError(
      'CONFLICT',
      'This is the last enabled administrator. Give the role administrator to another person first.',
    );
  }
  const canSignIn = ({ canSignIn: can }: (typeof before)[number]): boolean => can;
  if (!before.some(canSignIn) || after.some(canSignIn)) return;
  throw new GantryError(
    'CONFLICT',
    'This is the last enabled administrator who can sign in: the others have neither a password nor an account of the identity provider. Let another one set a password first.',
  );
}

async function insertLink(transaction: Database, id: string): Promise<OneTimeLink> {
  const user = await getUser(transaction, id);
  if (user.kind === 'service') throw new GantryError('CONFLICT', 'A service account has API tokens and no password.');
  if (!user.isEnabled) throw new GantryError('CONFLICT', 'The user is disabled. Enable it first.');
  if (await isOfProvider(transaction, id)) {
    throw new GantryError(
      'CONFLICT',
      `${user.login} signs in with the identity provider and has no password here. The password is changed at the provider.`,
    );
  }
  await endLinks(transaction, id);
  // Until the link is used, the sessions of the user go on; they are to make nothing that outlasts them.
  await transaction.query('UPDATE gantry_session SET presence_at = NULL WHERE user_id = $1', [id]);
  const secret = createSecret();
  const [row] = await transaction.query<{ readonly expiresAt: Date }>(
    `INSERT INTO gantry_one_time_link (token_hash, user_id, expires_at)
     VALUES ($1, $2, now() + interval '15 minutes') RETURNING expires_at AS "expiresAt"`,
    [hashSecret(secret), id],
  );
  return { secret, expiresAt: row?.expiresAt.toISOString() ?? '' };
}

async function endSessions(transaction: Database, id: string): Promise<void> {
  await transaction.query('DELETE FROM gantry_session WHERE user_id = $1', [id]);
  await endLinks(transaction, id);
  await transaction.query('DELETE FROM gantry_known_device WHERE user_id = $1', [id]);
}

async function endLinks(transaction: Database, id: string): Promise<void> {
  await transaction.query('DELETE FROM gantry_one_time_link WHERE user_id = $1', [id]);
}

function present({ createdAt, ...user }: UserRow): User {
  return { ...user, id: String(user.id), createdAt: createdAt.toISOString() };
}
