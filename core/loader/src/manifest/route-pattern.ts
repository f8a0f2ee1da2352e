import type { Method } from '@gantry/plugin-api';

/** A route as the manifest writes it, for example `POST /place-order`, `GET /orders/:orderId` or, for a mount, `GET /admin/*`. */
export interface RoutePattern {
  readonly method: Method;
  /** `:name` matches any one segment, a last `*` any number of them. */
  readonly segments: readonly string[];
}

export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const word = String.raw`[A-Za-z0-9._~@-]+`;
const pathSyntax = new RegExp(String.raw`^(?:/|(?:/${word}|/:[A-Za-z_][A-Za-z0-9_]*)+)$`);
const mountSyntax = new RegExp(String.raw`^(?:/${word})+$`);

/** Paths that the host itself answers, with all below them. */
const hostPaths: readonly string[] = ['/api', '/livez', '/readyz', '/metrics', '/plugins'];

/** A path that {@link PluginRouter.route} takes: words and `:name` segments. */
export function isRoutePath(path: unknown): boolean {
  return typeof path === 'string' && pathSyntax.test(path);
}

/** A prefix that {@link PluginRouter.mount} takes: words only. */
export function isMountPrefix(prefix: unknown): boolean {
  return typeof prefix === 'string' && mountSyntax.test(prefix);
}

/** @returns undefined for what is no route. */
export function parseRoute(text: string): RoutePattern | undefined {
  const [method, path, ...rest] = text.split(' ');
  const known = methods.find((name) => name === method);
  if (known === undefined || path === undefined || rest.length > 0) return undefined;
  const isMount = known === 'GET' && path.endsWith('/*') && isMountPrefix(path.slice(0, -2));
  return isMount || isRoutePath(path) ? { method: known, segments: segmentsOf(path) } : undefined;
}

/** Whether some request would be answered by both. */
export function routesOverlap(first: RoutePattern, second: RoutePattern): boolean {
  return first.method === second.method && segmentsOverlap(first.segments, second.segments);
}

/** The host's path that the route would take over, if any. */
export function hostPathOf({ segments }: RoutePattern): string | undefined {
  return hostPaths.find((path) => segmentsOverlap(segments, segmentsOf(`${path}/*`)));
}

function segmentsOverlap(
  [first, ...restOfFirst]: readonly string[],
  [second, ...restOfSecond]: readonly string[],
): boolean {
  if (first === '*' || second === '*') return true;
  if (first === undefined || second === undefined) return first === second;
  const matches = first.startsWith(':') || second.startsWith(':') || first.toLowerCase() === second.toLowerCase();
  return matches && segmentsOverlap(restOfFirst, restOfSecond);
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}
