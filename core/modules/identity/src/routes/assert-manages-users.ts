import { GantryError } from '@gantry/plugin-api';
import { type Rights, type Demand, assertIsAdministrator, assertLasting } from '@gantry/core-http';

/** Of routes about users and API tokens. */
export const managesUsers = { permission: 'users.manage' } as const;

/**
 * Before a change of users, roles or API tokens. What an API token created could outlive it: only one that was made for it is enough.
 */
export const changesAccounts: Demand = { caller: assertLasting };

/** Before a change of roles, and before trying one out. */
export const changesRoles: Demand = { ...changesAccounts, rights: assertIsAdministrator };

/**
 * Before a change of a user who has, or gets, these roles: a user does not give others more rights than the user has.
 * @throws GantryError FORBIDDEN
 */
export function assertMayGive(rights: Rights, roles: readonly string[]): void {
  const more = rights.isAdministrator ? [] : roles.filter((role) => !rights.roles.includes(role));
  if (more.length === 0) return;
  throw new GantryError(
    'FORBIDDEN',
    `Only an administrator, or a user who has ${more.join(', ')}, may change users with these roles.`,
  );
}
