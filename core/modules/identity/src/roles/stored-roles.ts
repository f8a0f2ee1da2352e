import type { Role } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import { GantryError, invalidValue } from '@gantry/plugin-api/errors';
import { publicRole } from '@gantry/core-http/ports';
import { builtInRoles } from './built-in-roles';
import { grantsInForce, readReturned } from './known-types';

type RoleRow = Omit<Role, 'isBuiltIn'>;

const columns = `name, display_name AS "displayName", description, grants, permissions`;

/** Exists on every platform, and allows nothing until an administrator gives it grants. */
const withoutCredential: Role = {
  name: publicRole,
  displayName: 'Public',
  description: 'Rights of requests without a credential.',
  grants: [],
  permissions: [],
  isBuiltIn: false,
};

/** The built-in ones first. */
export async function readRoles(database: Database): Promise<readonly Role[]> {
  const rows = await database.query<RoleRow>(`SELECT ${columns} FROM gantry_role ORDER BY name`);
  return withBuiltIn(rows);
}

/** The same with the grants that apply: not to types and fields that were removed and added again since they were written. */
export async function readRolesInForce(database: Database): Promise<readonly Role[]> {
  const rows = await database.query<RoleRow & { readonly writtenAt: Date }>(
    `SELECT ${columns}, updated_at AS "writtenAt" FROM gantry_role ORDER BY name`,
  );
  const returned = await readReturned(database);
  return withBuiltIn(
    rows.map(({ writtenAt, ...row }) => ({ ...row, grants: grantsInForce(row.grants, writtenAt, returned) })),
  );
}

function withBuiltIn(rows: readonly RoleRow[]): readonly Role[] {
  const stored = rows.map((row) => ({ ...row, isBuiltIn: false }));
  const isStored = stored.some(({ name }) => name === publicRole);
  return [...builtInRoles, ...(isStored ? [] : [withoutCredential]), ...stored];
}

/** @throws GantryError NOT_FOUND */
export async function readRole(database: Database, name: string): Promise<Role> {
  const role = (await readRoles(database)).find((candidate) => candidate.name === name);
  if (role === undefined) throw new GantryError('NOT_FOUND', `There is no role ${name.slice(0, 60)}.`);
  return role;
}

/** @throws GantryError VALIDATION_FAILED that lists the roles that users can have */
export async function assertRolesExist(database: Database, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const known = (await readRoles(database)).map(({ name }) => name).filter((name) => name !== publicRole);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw invalidValue('roles', `There is no role ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
}
