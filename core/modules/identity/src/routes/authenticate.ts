import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { NextFunction, Request, RequestHandler } from 'express';
import { administrator } from '../accounts/user-input';
import { isSameText } from '@gantry/core-common';
import { rightsViewedAs } from '../roles/roles';
import type { Identity } from '../create-identity';
import {
  type AuthenticatedPaths,
  type Principal,
  clientAddress,
  isForwarded,
  isLoopbackAddress,
  setPrincipal,
  unauthenticated,
  recordAnonymousRefusal,
} from '@gantry/core-http';
import { readCookie, readViewAs, type SessionCookies } from './sign-in/session-cookie';
import { viewAsPath } from './view-as-routes';

export interface AuthenticationDependencies extends AuthenticatedPaths {
  readonly identity: Pick<Identity, 'isSignInRequired' | 'authenticator' | 'audit' | 'presence' | 'roles'>;
  readonly cookies: SessionCookies;
  /** The token of the home, for commands on this machine. */
  readonly localToken: string;
}

interface Dependencies extends AuthenticationDependencies {
  readonly local: Principal;
}

/**
 * Finds out who makes the request, before all routes. Where sign-in is required, a request without a valid credential ends here:
 * a route that is added later is closed unless its path is named as public.
 */
export function createAuthentication(given: AuthenticationDependencies): RequestHandler {
  // A user of this machine.
  const rights = given.identity.roles.rightsOf([administrator]);
  const local: Principal = Object.freeze({ kind: 'local', id: 'local', name: 'local', login: 'local', rights });
  const dependencies: Dependencies = { ...given, local };
  return (request, _response, next) => {
    const found = findPrincipal(dependencies, request);
    if (found instanceof Promise) return admitLater(dependencies, found, request, next);
    if (found === undefined) return refuseUnlessPublic(dependencies, request, next);
    const preparing = admit(dependencies, request, found);
    if (preparing !== undefined) return goOnAfter(preparing, next);
    next();
    return undefined;
  };
}

async function goOnAfter(preparing: Promise<void>, next: NextFunction): Promise<void> {
  await preparing;
  next();
}

async function admitLater(
  dependencies: Dependencies,
  found: Promise<Principal | undefined>,
  request: Request,
  next: NextFunction,
): Promise<void> {
  const principal = await orAnonymous(found, dependencies.isPublic(request));
  if (principal === undefined) return refuseUnlessPublic(dependencies, request, next);
  await admit(dependencies, request, principal);
  next();
}

/** Public paths are served while the database is unavailable, too: liveness above all. */
async function orAnonymous(found: Promise<Principal | undefined>, isPublic: boolean): Promise<Principal | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isPublic) return undefined;
    throw error;
  }
}

function admit(dependencies: Dependencies, request: Request, found: Principal): Promise<void> | undefined {
  const principal = viewedAs(dependencies, request, found);
  if (principal.sessionId !== undefined) assertFromPage(request);
  if (principal.rights.roles.length === 0) assertNeedsNoRole(dependencies, request, principal);
  setPrincipal(request, principal, {
    confirm() {
      const check = (now: Principal | undefined): void =>
        assertUnchanged(principal, now && viewedAs(dependencies, request, now));
      const now = findPrincipal(dependencies, request);
      return now instanceof Promise ? now.then(check) : check(now);
    },
    async assertPresent() {
      const { sessionId } = principal;
      if (sessionId !== undefined) await dependencies.identity.presence.assertProven(sessionId);
    },
  });
  // Public paths ask for no rights, and are served while the database is unavailable.
  return dependencies.isPublic(request) ? undefined : dependencies.prepare(principal);
}

/** A browser that views the pages as roles of which none exists any more can end that, and shows the pages that do so. */
function assertNeedsNoRole({ isPublic }: Dependencies, request: Request, { viewsAs }: Principal): void {
  if (viewsAs === undefined) {
    throw new GantryError('FORBIDDEN', 'Your account has no role. Ask an administrator for one.');
  }
  if (isPublic(request) || (request.method === 'DELETE' && request.path === viewAsPath)) return;
  throw new GantryError(
    'FORBIDDEN',
    `This browser views the pages as ${viewsAs.join(', ') || 'a role that its cookie does not name'}, which does not exist. End the view at the top of the page, or with DELETE ${viewAsPath}.`,
  );
}

/** An administrator who tries out roles has their rights only, for every request of the browser. */
function viewedAs({ cookies, identity: { roles } }: Dependencies, request: Request, principal: Principal): Principal {
  if (principal.sessionId === undefined || !principal.rights.isAdministrator) return principal;
  const viewsAs = readViewAs(request, cookies);
  if (viewsAs === undefined) return principal;
  const rights = rightsViewedAs(roles, principal.rights, viewsAs);
  return { ...principal, rights, viewsAs: rights.roles.length === 0 ? viewsAs : rights.roles };
}

/** @throws GantryError UNAUTHENTICATED, CONFLICT */
function assertUnchanged(before: Principal, now: Principal | undefined): void {
  const hasEnded = now === undefined || (now.kind === 'public' && before.kind !== 'public');
  if (hasEnded) throw unauthenticated('The credential of the request ended while its body was being sent.');
  if (now.id === before.id && now.rights === before.rights) return;
  throw new GantryError('CONFLICT', 'Your roles were changed while the request was being sent. Send it again.');
}

async function refuseUnlessPublic(
  { isPublic, callsPublicRoute, cookies, identity }: Dependencies,
  request: Request,
  next: NextFunction,
): Promise<void> {
  const hasCredential = request.headers.authorization !== undefined;
  if (!hasCredential && (isPublic(request) || callsPublicRoute(request))) {
    next();
    return;
  }
  if (hasCredential) {
    await recordAnonymousRefusal(identity, { address: clientAddress(request) }, 'token-refused');
  }
  const isExpired = readCookie(request, cookies.session) !== undefined;
  throw unauthenticated(messageFor(hasCredential, isExpired));
}

function messageFor(hasCredential: boolean, isExpired: boolean): string {
  if (hasCredential) return 'The API token is unknown, has expired or was revoked. Create another one.';
  if (isExpired) return 'The session has ended. Sign in again.';
  return 'Sign in, or send an API token as "Authorization: Bearer gty_…".';
}

function findPrincipal(
  { identity, cookies, localToken, local, readsItems }: Dependencies,
  request: Request,
): Principal | undefined | Promise<Principal | undefined> {
  if (!identity.isSignInRequired()) return local;
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer ([\w-]{20,200})$/i.exec(authorization)?.[1];
    if (token === undefined) return undefined;
    if (!token.startsWith('local_')) return identity.authenticator.apiToken(token);
    return isOnThisMachine(request) && isSameText(token, localToken) ? local : undefined;
  }
  const anonymous = () => (readsItems(request) ? identity.authenticator.anonymous() : undefined);
  const secret = readCookie(request, cookies.session);
  if (secret === undefined) return anonymous();
  // A browser goes on to send the cookie of a session that has ended, which must not hide what everybody sees.
  const found = identity.authenticator.session(secret);
  return found instanceof Promise ? found.then((principal) => principal ?? anonymous()) : (found ?? anonymous());
}

function isOnThisMachine(request: IncomingMessage): boolean {
  return isLoopbackAddress(request.socket.remoteAddress ?? '') && !isForwarded(request);
}

/**
 * A browser sends the cookie by itself: a write must show that a page of the platform sent it. The gate has compared the two
 * headers; browsers send at least one of them.
 */
function assertFromPage({ method, headers }: IncomingMessage): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (headers['sec-fetch-site'] !== undefined || headers.origin !== undefined) return;
  throw new GantryError(
    'FORBIDDEN',
    'A write with a session cookie must have the header Origin. Programs send an API token instead.',
  );
}
