import type { IncomingMessage } from 'node:http';
import { GantryError } from '@gantry/plugin-api';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { administrator, isSameText, type Identity, type Principal } from '../../identity';
import { isForwarded } from '../exchange/forwarded';
import { isLoopbackAddress } from '../exchange/loopback';
import { setPrincipal } from '../exchange/principal';
import { readCookie, type SessionCookies } from './session-cookie';

export interface AuthenticationDependencies {
  readonly identity: Pick<Identity, 'isSignInRequired' | 'authenticator'>;
  readonly cookies: SessionCookies;
  /** The token of the home, for commands on this machine. */
  readonly localToken: string;
  /** Whether a request without a credential reaches the path; what answers it shows nothing that needs a right. */
  readonly isPublic: (request: Request) => boolean;
}

/** A user of this machine. */
const local: Principal = Object.freeze({ kind: 'local', id: 'local', name: 'local', roles: [administrator] });

/**
 * Finds out who makes the request, before all routes. Where sign-in is required, a request without a valid credential ends here:
 * a route that is added later is closed unless its path is named as public.
 */
export function createAuthentication(dependencies: AuthenticationDependencies): RequestHandler {
  return (request, response, next) => {
    if (!dependencies.identity.isSignInRequired()) {
      setPrincipal(request, local);
      next();
      return undefined;
    }
    const found = findPrincipal(dependencies, request);
    if (found instanceof Promise) return admitLater(dependencies, found, request, response, next);
    admit(dependencies, request, response, found);
    next();
    return undefined;
  };
}

async function admitLater(
  dependencies: AuthenticationDependencies,
  found: Promise<Principal | undefined>,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  admit(dependencies, request, response, await orAnonymous(found, dependencies.isPublic(request)));
  next();
}

/** What is public is served while the database is unavailable, too: liveness above all. */
async function orAnonymous(found: Promise<Principal | undefined>, isPublic: boolean): Promise<Principal | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isPublic) return undefined;
    throw error;
  }
}

function admit(
  { isPublic, cookies }: AuthenticationDependencies,
  request: Request,
  response: Response,
  principal: Principal | undefined,
): void {
  if (principal !== undefined) {
    if (principal.sessionId !== undefined) assertFromPage(request);
    // There is no other role yet.
    if (!principal.roles.includes(administrator)) {
      throw new GantryError('FORBIDDEN', 'Your account has no role. Ask an administrator for one.');
    }
    setPrincipal(request, principal);
    return;
  }
  const hasCredential = request.headers.authorization !== undefined;
  if (!hasCredential && isPublic(request)) return;
  response.setHeader('WWW-Authenticate', 'Bearer');
  const isExpired = readCookie(request, cookies.session) !== undefined;
  throw new GantryError('UNAUTHENTICATED', messageFor(hasCredential, isExpired));
}

function messageFor(hasCredential: boolean, isExpired: boolean): string {
  if (hasCredential) return 'The API token is unknown, has expired or was revoked. Create another one.';
  if (isExpired) return 'The session has ended. Sign in again.';
  return 'Sign in, or send an API token as "Authorization: Bearer gty_…".';
}

function findPrincipal(
  { identity, cookies, localToken }: AuthenticationDependencies,
  request: Request,
): Principal | undefined | Promise<Principal | undefined> {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer ([\w-]{20,200})$/i.exec(authorization)?.[1];
    if (token === undefined) return undefined;
    if (!token.startsWith('local_')) return identity.authenticator.apiToken(token);
    return isOnThisMachine(request) && isSameText(token, localToken) ? local : undefined;
  }
  const secret = readCookie(request, cookies.session);
  return secret === undefined ? undefined : identity.authenticator.session(secret);
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
