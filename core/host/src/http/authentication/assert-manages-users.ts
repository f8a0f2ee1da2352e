import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { ChangeAuthor, Identity, Rights } from '../../identity';
import type { Demand } from '../exchange/host-routes';
import { assertHas, assertIsAdministrator, assertLasting, principalOf } from '../exchange/principal';
import { authorOf } from '../exchange/record-action';
import { assertSignInMode } from './assert-sign-in-mode';

/** Of routes about users and API tokens. */
export const managesUsers = { permission: 'users.manage' } as const;

/**
 * Before a change of users, roles or API tokens. What an API token created could outlive it: only one that was made for it is enough.
 */
export const changesAccounts: Demand = { caller: assertLasting };

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

/**
 * Before a change of roles by a route without a contract.
 * @throws GantryError UNAUTHENTICATED, FORBIDDEN, CONFLICT while the platform is open
 */
export function assertManagesRoles(
  identity: Pick<Identity, 'isSignInRequired'>,
  request: IncomingMessage,
): ChangeAuthor {
  const needs = (rights: Rights): void => {
    assertHas(rights, managesUsers.permission);
    assertIsAdministrator(rights);
  };
  needs(principalOf(request).rights);
  assertSignInMode(identity);
  assertLasting(principalOf(request));
  return authorOf(request, needs);
}
