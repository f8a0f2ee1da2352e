import type { Role } from '@gantry/contracts';
import type { Immutable } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { z } from 'zod';
import { findRepeated, expectation } from '@gantry/core-common';
import { publicRole } from '@gantry/core-http/ports';
import { newRoleOf, roleInput } from './role-input';
import type { NewRole } from './roles';

const formatVersion = 1;
/** The roles of a file. */
export const rolesFile = z.strictObject({
  formatVersion: z.literal(formatVersion),
  roles: z.array(roleInput).max(1_000),
});

/** The roles as a file by which they get to another platform. Without those that every platform has: built-in ones, and `public` without grants. */
export function toRolesFile(roles: readonly Role[]): string {
  const stored = roles.flatMap(({ isBuiltIn, ...role }) =>
    isBuiltIn || (role.name === publicRole && role.grants.length === 0) ? [] : [role],
  );
  return `${JSON.stringify({ formatVersion, roles: stored }, undefined, 2)}\n`;
}

/** @throws GantryError VALIDATION_FAILED that names what is wrong and where */
export function parseRolesFile(text: string): readonly NewRole[] {
  const { data, error } = rolesFile.safeParse(readJson(text), { error: expectation });
  if (data !== undefined) return distinctRoles(data);
  const problems = error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new GantryError('VALIDATION_FAILED', `The file has no valid roles. ${problems.join('; ')}`);
}

/** @throws GantryError VALIDATION_FAILED for a role that the file has twice */
export function distinctRoles(file: Immutable<z.output<typeof rolesFile>>): readonly NewRole[] {
  const roles = file.roles.map(newRoleOf);
  const [twice] = findRepeated(roles.map(({ name }) => name));
  if (twice === undefined) return roles;
  throw new GantryError('VALIDATION_FAILED', `The file has the role ${twice} twice. Remove one of them.`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GantryError('VALIDATION_FAILED', 'The file is not JSON.', { cause });
  }
}
