import type { Request } from 'express';
import type { RegisteredMount } from '../../plugins';

/** What shows nothing that needs a right: liveness, the ways to sign in, and the redirect to the pages. */
const publicPaths: ReadonlySet<string> = new Set([
  '/',
  '/livez',
  '/readyz',
  '/api/platform/session',
  '/api/platform/one-time-links',
  '/api/platform/oidc/start',
  '/api/platform/oidc/callback',
]);

/**
 * Whether a request without a credential may go on to the routes. Routes of plugins below a public mount still need a caller;
 * they ask for it themselves.
 */
export function createIsPublic(mounts: readonly RegisteredMount[]): (request: Request) => boolean {
  const prefixes = mounts.filter(({ access }) => access === 'public').map(({ prefix }) => prefix);
  return ({ path, method }) =>
    publicPaths.has(path) || (isRead(method) && prefixes.some((prefix) => isBelow(path, prefix)));
}

/** What the role `public` may allow: reading items, and what there is of them. Every other path needs a credential. */
const itemReads: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/api\/cms\/items\/(?:types|[^/]+\/(?:metadata|search-metadata|\d+))$/],
  ['POST', /^\/api\/cms\/(?:search|items\/[^/]+\/(?:list|search))$/],
  ['GET', /^\/api\/openapi\.json$/],
];

/** Whether a request reads items or files of items, so that the role `public` decides where there is no credential. */
export function createReadsItems(mounts: readonly RegisteredMount[]): (request: AskedPath) => boolean {
  const prefixes = mounts.filter(({ access }) => access === 'items').map(({ prefix }) => prefix);
  return ({ method, path }) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    return (
      itemReads.some(([known, pattern]) => known === asked && pattern.test(path)) ||
      (asked === 'GET' && prefixes.some((prefix) => isBelow(path, prefix)))
    );
  };
}

type AskedPath = Pick<Request, 'method' | 'path'>;

/** A mount answers nothing else. */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
