import type { Grant, Permission, Role } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { bumpVersion, lockAccounts, rolesVersion } from '../accounts/account-changes';
import { builtInRoles } from './built-in-roles';
import { publicRole, type Rights } from '@gantry/core-http/ports';
import { recordTypes, type DeclaredType } from './known-types';
import { readRole, readRoles, readRolesInForce } from './stored-roles';
import { administrator } from '../accounts/user-input';

/** A role to be stored. */
export type NewRole = Omit<Role, 'isBuiltIn'>;

/** The roles, built-in and stored. Changes run one at a time with those of users. */
export interface Roles {
  list(): Promise<readonly Role[]>;
  /** @throws GantryError NOT_FOUND */
  get(name: string): Promise<Role>;
  /** @throws GantryError CONFLICT for a name that is in use, VALIDATION_FAILED as all writes of the role `public` that do more than read */
  create(role: NewRole): Promise<Role>;
  /** @throws GantryError NOT_FOUND; CONFLICT for a built-in role */
  replace(role: NewRole): Promise<Role>;
  /** @throws GantryError NOT_FOUND; CONFLICT for a built-in role, or one that users have */
  remove(name: string): Promise<Role>;
  /** Creates or replaces all of them, or none. @throws GantryError CONFLICT for a built-in role */
  import(roles: readonly NewRole[]): Promise<readonly Role[]>;
  /** Notes which types and fields the plugins have that are in use: grants do not come back with a field that was removed. */
  recordTypes(plugins: readonly string[], types: readonly DeclaredType[]): Promise<void>;
  /** Permissions that can be granted besides items. */
  permissions(): readonly Permission[];
  /** The rights of users with such roles. A name that is not a role gives none. */
  rightsOf(names: readonly string[]): Rights;
  /** Reads the roles again if another process has changed them. */
  reload(): Promise<void>;
  /** The same where the version of the roles was read already. */
  refresh(version: string): Promise<void>;
}

/** @param permissions of modules, and of the plugins that are in use */
export function createRoles(database: Database, permissions: () => readonly Permission[]): Roles {
  let known: { readonly version: string; readonly roles: readonly Role[] } = { version: '', roles: builtInRoles };
  let rights = new Map<string, Rights>();
  const rightsFrom = (names: readonly string[]): Rights =>
    createRights(
      known.roles.filter(({ name }) => names.includes(name)),
      permissions(),
    );
  const refresh = async (version: string): Promise<void> => {
    if (version === known.version) return;
    known = { version, roles: await readRolesInForce(database) };
    // Rights that are equal stay the same object: what was made for them is kept, and requests under way go on.
    rights = new Map(
      [...rights].map(([key, before]) => {
        const now = rightsFrom(key.split(','));
        return [key, isSameRights(before, now) ? before : now];
      }),
    );
  };
  const change = async <T>(work: (transaction: Database) => Promise<T>): Promise<T> =>
    database.transaction(async (transaction) => {
      await lockAccounts(transaction);
      const result = await work(transaction);
      await bumpVersion(transaction);
      return result;
    });
  return {
    list: () => readRoles(database),
    get: (name) => readRole(database, name),
    create: (role) => change((transaction) => insertRole(transaction, role)),
    replace: (role) =>
      change(async (transaction) => {
        assertNotBuiltIn(role.name);
        await readRole(transaction, role.name);
        return writeRole(transaction, role);
      }),
    remove: (name) => change((transaction) => removeRole(transaction, name)),
    import: (roles) => change((transaction) => importRoles(transaction, roles)),
    recordTypes: (plugins, types) => recordTypes(database, plugins, types),
    permissions,
    rightsOf(names) {
      const key = names.toSorted().join();
      const found = rights.get(key);
      if (found !== undefined) return found;
      const made = rightsFrom(names);
      rights.set(key, made);
      return made;
    },
    async reload() {
      const [row] = await database.query<{ readonly version: string }>(`SELECT ${rolesVersion} AS version`);
      await refresh(row?.version ?? '');
    },
    refresh,
  };
}

/** The rights of an administrator who sees the pages as other roles show them, of which none may exist any more; else those that the user has. */
export function rightsViewedAs(
  roles: Pick<Roles, 'rightsOf'>,
  rights: Rights,
  viewsAs: readonly string[] | undefined,
): Rights {
  if (viewsAs === undefined || !rights.isAdministrator) return rights;
  return roles.rightsOf(viewsAs);
}

function isBuiltIn(name: string): boolean {
  return builtInRoles.some((role) => role.name === name);
}

function assertNotBuiltIn(name: string): void {
  if (isBuiltIn(name)) {
    throw new GantryError('CONFLICT', `The role ${name} is built in and cannot be changed.`);
  }
}

async function insertRole(transaction: Database, role: NewRole): Promise<Role> {
  const found = await transaction.query('SELECT 1 FROM gantry_role WHERE name = $1', [role.name]);
  if (found.length > 0 || isBuiltIn(role.name)) {
    throw new GantryError('CONFLICT', `There is already a role ${role.name}.`);
  }
  return writeRole(transaction, role);
}

async function importRoles(transaction: Database, roles: readonly NewRole[]): Promise<readonly Role[]> {
  const written: Role[] = [];
  for (const role of roles) {
    assertNotBuiltIn(role.name);
    written.push(await writeRole(transaction, role));
  }
  return written;
}

/** @throws GantryError VALIDATION_FAILED for a role that lets be changed without a credential */
function assertReadsOnly({ name, grants, permissions }: NewRole): void {
  if (name !== publicRole) return;
  if (permissions.length === 0 && grants.every(({ actions }) => actions.every((action) => action === 'read'))) return;
  throw new GantryError(
    'VALIDATION_FAILED',
    `The role ${publicRole} is for requests without a credential: it can have the action read, and no permissions.`,
  );
}

async function writeRole(transaction: Database, role: NewRole): Promise<Role> {
  assertReadsOnly(role);
  const { name, displayName, description, grants, permissions } = role;
  await transaction.query(
    `INSERT INTO gantry_role (name, display_name, description, grants, permissions) VALUES ($1, $2, $3, $4::jsonb, $5)
     ON CONFLICT (name) DO UPDATE SET display_name = EXCLUDED.display_name, description = EXCLUDED.description,
       grants = EXCLUDED.grants, permissions = EXCLUDED.permissions, updated_at = now()`,
    [name, displayName, description, JSON.stringify(grants satisfies readonly Grant[]), permissions],
  );
  return { ...role, isBuiltIn: false };
}

async function removeRole(transaction: Database, name: string): Promise<Role> {
  assertNotBuiltIn(name);
  const role = await readRole(transaction, name);
  const users = await transaction.query<{ readonly login: string }>(
    'SELECT login FROM gantry_user WHERE $1 = ANY (roles) ORDER BY login LIMIT 6',
    [name],
  );
  if (users.length > 0) {
    const named = users.slice(0, 5).map(({ login }) => login);
    const more = users.length > 5 ? ' and others' : '';
    throw new GantryError(
      'CONFLICT',
      `The role ${name} is given to ${named.join(', ')}${more}. Give them another one first.`,
    );
  }
  // A role that gets the name later is another one. A token that is limited to no role is allowed nothing.
  await transaction.query('UPDATE gantry_api_token SET roles = array_remove(roles, $1) WHERE $1 = ANY (roles)', [name]);
  await transaction.query('DELETE FROM gantry_role WHERE name = $1', [name]);
  return role;
}

function isSameRights(one: Rights, other: Rights): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Adds roles up. */
export function createRights(roles: readonly Role[], declared: readonly Permission[]): Rights {
  const names = roles.map(({ name }) => name);
  const isAdministrator = names.includes(administrator);
  const held = new Set([
    ...roles.flatMap(({ permissions }) => permissions),
    ...declared
      .filter((permission) => isAdministrator || permission.roles?.some((role) => names.includes(role)))
      .map(({ name }) => name),
  ]);
  return Object.freeze({
    roles: names,
    isAdministrator,
    grants: roles.flatMap(({ grants }) => grants),
    permissions: [...held],
    may: (permission: string) => isAdministrator || held.has(permission),
  });
}
