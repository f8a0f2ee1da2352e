import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import { administrator, type Identity } from '../../identity';
import { assertAdministrator, assertPermission, principalOf } from '../exchange/principal';
import { assertSignInMode } from './assert-sign-in-mode';

/**
 * Before a change of users, roles or API tokens. An API token is not enough: what it created would outlive it.
 * @throws GantryError UNAUTHENTICATED, FORBIDDEN, CONFLICT while the platform is open
 */
export function assertManagesUsers(identity: Pick<Identity, 'isSignInRequired'>, request: IncomingMessage): void {
  assertPermission(request, 'users.manage');
  assertSignInMode(identity);
  if (principalOf(request).tokenId === undefined) return;
  throw new GantryError(
    'FORBIDDEN',
    'Users, roles and API tokens are changed by a person who is signed in with a browser, or by a command on the machine of the platform.',
  );
}

/**
 * Before a change of a user who has, or gets, these roles: a user does not give others more rights than the user has.
 * @throws GantryError FORBIDDEN
 */
export function assertMayGive(request: IncomingMessage, roles: readonly string[]): void {
  const { rights } = principalOf(request);
  const more = rights.isAdministrator ? [] : roles.filter((role) => !rights.roles.includes(role));
  if (more.length === 0) return;
  throw new GantryError(
    'FORBIDDEN',
    `Only a user who has the role ${more.join(', ')}, or the role ${administrator}, may change users with it.`,
  );
}

/**
 * Before a change of roles, and before trying one out.
 * @throws GantryError as {@link assertManagesUsers} does
 */
export function assertManagesRoles(identity: Pick<Identity, 'isSignInRequired'>, request: IncomingMessage): void {
  assertManagesUsers(identity, request);
  assertAdministrator(request);
}
