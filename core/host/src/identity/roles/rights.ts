import type { Grant, Permission, Role } from '@gantry/contracts';
import { administrator } from '../user-input';

/** The rights of a user: all that the roles of the user allow. One object for each set of roles, until a role changes. */
export interface Rights {
  /** Roles of the user that exist. */
  readonly roles: readonly string[];
  readonly isAdministrator: boolean;
  readonly grants: readonly Grant[];
  /** Names; of an administrator, those that are declared. */
  readonly permissions: readonly string[];
  may(permission: string): boolean;
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
