import type { Rights } from '@gantry/core-http/ports';
import type { Permission, Role } from '@gantry/contracts';
import { administrator } from '../accounts/user-input';

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
