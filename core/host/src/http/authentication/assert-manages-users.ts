import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { ChangeAuthor, Identity, Rights } from '../../identity';
import { assertHas, assertIsAdministrator, assertLasting, principalOf } from '../exchange/principal';
import { assertSignInMode } from './assert-sign-in-mode';
import { authorOf } from '../exchange/record-action';

/**
 * Before a change of users, roles or API tokens. What an API token created could outlive it: only one that was made for it is enough.
 * @returns the author of the change, whose rights are compared again when it is made
 * @throws GantryError UNAUTHENTICATED, FORBIDDEN, CONFLICT while the platform is open
 */
export function assertManagesUsers(
  identity: Pick<Identity, 'isSignInRequired'>,
  request: IncomingMessage,
  needs: (rights: Rights) => void = managesUsers,
): ChangeAuthor {
  const principal = principalOf(request);
  needs(principal.rights);
  assertSignInMode(identity);
  assertLasting(principal);
  return authorOf(request, needs);
}

/** @throws GantryError FORBIDDEN */
function managesUsers(rights: Rights): void {
  assertHas(rights, 'users.manage');
}

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
 * Before a change of roles, and before trying one out.
 * @throws GantryError as {@link assertManagesUsers} does
 */
export function assertManagesRoles(
  identity: Pick<Identity, 'isSignInRequired'>,
  request: IncomingMessage,
): ChangeAuthor {
  return assertManagesUsers(identity, request, (rights) => {
    managesUsers(rights);
    assertIsAdministrator(rights);
  });
}
