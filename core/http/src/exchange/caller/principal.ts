import type { IncomingMessage } from 'node:http';
import { GantryError, type RouteAccess } from '@gantry/plugin-api';
import type { Principal } from '../../ports/authenticator';
import type { Rights } from '../../ports/rights';

const key = Symbol('gantry.principal');
const credentialKey = Symbol('gantry.credential');
const presenceKey = Symbol('gantry.needsPresence');

/** Questions about the credential of a request while the request runs. */
export interface Credential {
  /** Finds out again who makes the request. @throws GantryError when the credential is not valid any more */
  confirm(): void | Promise<void>;
  /** @throws PresenceRequired for the session of a person who has not proven to be present */
  assertPresent(): Promise<void>;
}

interface Marked {
  [key]?: Principal;
  [credentialKey]?: Credential;
  [presenceKey]?: true;
}

/** Notes who makes a request. */
export function setPrincipal(request: IncomingMessage, principal: Principal, credential: Credential): void {
  (request as Marked)[key] = principal;
  (request as Marked)[credentialKey] = credential;
}

/** Notes that what the request makes outlasts its credential; see {@link assertPresent}. */
export function markPresence(request: IncomingMessage): void {
  (request as Marked)[presenceKey] = true;
}

/** Whether {@link markPresence} was called. */
export function needsPresence(request: IncomingMessage): boolean {
  return (request as Marked)[presenceKey] === true;
}

/**
 * Before the body of a request is read, so that nothing is done for one that is refused. The transaction of the change asks again.
 * Of API tokens, those that were made for it are enough.
 * @throws GantryError FORBIDDEN, PresenceRequired; never where the route does not need it
 */
export async function assertPresent(request: IncomingMessage): Promise<void> {
  if (!needsPresence(request)) return;
  assertLasting(principalOf(request));
  await (request as Marked)[credentialKey]?.assertPresent();
}

/**
 * Before what outlasts the credential of the request: an API token has to be made for it.
 * @throws GantryError FORBIDDEN
 */
export function assertLasting({ tokenId, managesAccounts }: Principal): void {
  if (tokenId === undefined || managesAccounts === true) return;
  throw new GantryError(
    'FORBIDDEN',
    'This request creates access that outlasts the API token, and the token may not do that. Use a token with managesAccounts (gantry tokens create --manages-accounts), sign in with a browser, or run the command on the machine of the platform.',
  );
}

/**
 * To be called when the body of a request has arrived: a client can send it so slowly that its session has ended meanwhile.
 * @returns undefined where nothing has to be waited for
 * @throws GantryError UNAUTHENTICATED, CONFLICT
 */
export function confirmPrincipal(request: IncomingMessage): Promise<void> | void {
  return (request as Marked)[credentialKey]?.confirm();
}

/** Who makes the request; undefined for a request without a credential to a public path. */
export function findPrincipal(request: IncomingMessage): Principal | undefined {
  return (request as Marked)[key];
}

/** @throws GantryError UNAUTHENTICATED */
export function principalOf(request: IncomingMessage): Principal {
  const principal = findPrincipal(request);
  if (principal !== undefined) return principal;
  throw notSignedIn();
}

/**
 * The same without the role `public`, which gets to the routes of plugins below a mount for files of items.
 * @throws GantryError UNAUTHENTICATED
 */
export function signedInOf(request: IncomingMessage): Principal {
  const principal = principalOf(request);
  if (principal.kind === 'public') throw notSignedIn();
  return principal;
}

function notSignedIn(): GantryError {
  return unauthenticated('Sign in, or send an API token as "Authorization: Bearer gty_…".');
}

/** @throws GantryError UNAUTHENTICATED, FORBIDDEN */
function assertPermission(request: IncomingMessage, permission: string): void {
  assertHas(principalOf(request).rights, permission);
}

/** @throws GantryError FORBIDDEN */
export function assertHas(rights: Rights, permission: string): void {
  if (rights.may(permission)) return;
  throw new GantryError('FORBIDDEN', `Your roles do not have the permission ${permission}.`);
}

export function unauthenticated(message: string): GantryError {
  return new GantryError('UNAUTHENTICATED', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** @throws GantryError FORBIDDEN */
export function assertIsAdministrator({ isAdministrator }: Rights): void {
  if (isAdministrator) return;
  throw new GantryError('FORBIDDEN', 'Only an administrator may do this.');
}

/**
 * Before the handler of a route. One that says nothing about its callers is for administrators: a plugin that was
 * written before there were roles does not open anything to them.
 * @throws GantryError UNAUTHENTICATED, FORBIDDEN
 */
export function assertAllowed(request: IncomingMessage, access: RouteAccess | undefined): void {
  if (access === 'public') return;
  if (access === 'items') {
    principalOf(request);
    return;
  }
  signedInOf(request);
  if (access === undefined) assertIsAdministrator(principalOf(request).rights);
  else if (access === 'signed-in') return;
  else assertPermission(request, access.permission);
}
