import type { IncomingMessage } from 'node:http';
import { GantryError, type Caller } from '@gantry/plugin-api';
import type { Principal } from '../../identity';

const key = Symbol('gantry.principal');

interface Marked {
  [key]?: Principal;
}

/** Notes who makes a request. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  (request as Marked)[key] = principal;
}

/** Who makes the request; undefined for a request without a credential to a public path. */
export function findPrincipal(request: IncomingMessage): Principal | undefined {
  return (request as Marked)[key];
}

/** @throws GantryError UNAUTHENTICATED */
export function principalOf(request: IncomingMessage): Principal {
  const principal = findPrincipal(request);
  if (principal !== undefined) return principal;
  throw new GantryError('UNAUTHENTICATED', 'Sign in, or send an API token as "Authorization: Bearer gty_…".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Who makes the request, as plugins see it. */
export function callerOf({ kind, id, name, succeedsLocal }: Principal): Caller {
  return { kind, id, name, ...(succeedsLocal === true ? { succeedsLocal } : {}) };
}
