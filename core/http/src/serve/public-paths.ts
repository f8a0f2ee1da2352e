import type { Request } from 'express';
import type { CompiledRoute, RegisteredMount } from '@gantry/core-loader';

/** Paths that show nothing that needs a right, and have no contract: the redirect to the pages, and probes. */
const otherPaths: readonly string[] = ['/', '/livez', '/readyz'];

type WithPath = Pick<CompiledRoute, 'path'>;

/**
 * Whether a request without a credential may go on to the routes, which ask for no rights. Others at the same path, and routes of
 * plugins below a public mount, still need a caller; they ask for it themselves.
 * @param routes those of the platform with the access `public`; their paths have no parameters
 */
export function createIsPublic(
  mounts: readonly RegisteredMount[],
  routes: readonly WithPath[],
): (request: Request) => boolean {
  const prefixes = mounts.filter(({ access }) => access === 'public').map(({ prefix }) => prefix);
  const paths = new Set([...otherPaths, ...routes.map(({ path }) => path)]);
  return ({ path, method }) => paths.has(path) || (isRead(method) && prefixes.some((prefix) => isBelow(path, prefix)));
}

/** Whether a path is that of a public route of a plugin, which acts as the role `public`. Others at the path ask for a caller themselves. */
export function createCallsPublicRoute(routes: readonly WithPath[]): (request: Pick<Request, 'path'>) => boolean {
  const patterns = routes.map(({ path }) => patternOf(path));
  return ({ path }) => patterns.some((pattern) => pattern.test(path));
}

/** Of an Express path whose segments are words and parameters. */
function patternOf(path: string): RegExp {
  // Ids of items are numbers, unlike words at the same place.
  const ofId = path.startsWith('/api/cms/items/') ? String.raw`\d+` : '[^/]+';
  const patternOfSegment = (one: string): string => {
    if (one === ':id') return ofId;
    return one.startsWith(':') ? '[^/]+' : one.replaceAll('.', String.raw`\.`);
  };
  return new RegExp(`^${path.split('/').map(patternOfSegment).join('/')}$`);
}

/**
 * Whether a request reads items or files of items, so that the role `public` decides where there is no credential.
 * @param routes with the access `items`
 */
export function createReadsItems(
  mounts: readonly RegisteredMount[],
  routes: readonly Pick<CompiledRoute, 'method' | 'path'>[],
): (request: AskedPath) => boolean {
  const reads = routes.map((route) => [route.method, patternOf(route.path)] as const);
  const prefixes = mounts.filter(({ access }) => access === 'items').map(({ prefix }) => prefix);
  return ({ method, path }) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    return (
      reads.some(([known, pattern]) => known === asked && pattern.test(path)) ||
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
