import type { PluginProblem } from '@gantry/contracts';
import type { Manifest } from './manifest';
import { createProblem, type ProblemCode } from '../problem-kinds';
import { parseRoute, routesOverlap, type RoutePattern } from './route-pattern';

/** A name that only one plugin may have. */
interface Claim {
  readonly code: ProblemCode;
  readonly what: string;
  /** Compared for equality, except between routes. */
  readonly key: string;
}

interface OwnedRoute {
  readonly route: string;
  readonly pattern: RoutePattern;
  readonly owner: string;
}

/**
 * Finds plugins that claim a name which an earlier plugin has: item type (and with it the model, whose name differs from
 * the type code in letter case only), task queue or route. The earlier one keeps the name, so that a newcomer
 * cannot take a running plugin down; it keeps it even if its code fails later, so that a name never changes hands by accident.
 * Tables belong to the plugins whose types compile (see compilePlugins).
 */
export function findCollisions(manifests: readonly Manifest[]): ReadonlyMap<string, readonly PluginProblem[]> {
  const problems = new Map<string, readonly PluginProblem[]>();
  const owners = new Map<string, string>();
  const routes: OwnedRoute[] = [];
  for (const manifest of manifests) {
    const claims = claimsOf(manifest);
    const patterns = routesOf(manifest);
    const own = [
      ...claims.flatMap((claim) => takenBy(claim, owners.get(claim.key), manifest.id)),
      ...patterns.flatMap((one) => overlapping(one, routes)),
    ];
    if (own.length > 0) {
      problems.set(manifest.id, own);
      continue;
    }
    for (const { key } of claims) owners.set(key, manifest.id);
    routes.push(...patterns);
  }
  return problems;
}

function claimsOf({ contributes }: Manifest): readonly Claim[] {
  return [
    ...contributes.itemTypes.map((code): Claim => ({
      code: 'TYPE_CODE_TAKEN',
      what: `the item type "${code}"`,
      key: `type ${code}`,
    })),
    ...contributes.taskQueues.map((queue): Claim => ({
      code: 'TASK_QUEUE_TAKEN',
      what: `the task queue "${queue}"`,
      key: `queue ${queue}`,
    })),
  ];
}

function takenBy({ code, what }: Claim, owner: string | undefined, id: string): readonly PluginProblem[] {
  return owner === undefined ? [] : [taken(code, what, owner, id)];
}

function routesOf({ id, contributes }: Manifest): readonly OwnedRoute[] {
  return contributes.routes.flatMap((route) => {
    const pattern = parseRoute(route);
    return pattern === undefined ? [] : [{ route, pattern, owner: id }];
  });
}

function overlapping(
  { route, pattern, owner: id }: OwnedRoute,
  routes: readonly OwnedRoute[],
): readonly PluginProblem[] {
  return routes
    .filter((other) => routesOverlap(pattern, other.pattern))
    .map((other) => {
      const same = other.route === route ? '' : `, which answers the same requests as its "${other.route}"`;
      return taken('ROUTE_TAKEN', `the route "${route}"${same}`, other.owner, id);
    });
}

const renames: Readonly<Partial<Record<ProblemCode, string>>> = {
  TYPE_CODE_TAKEN: 'Give the class another name, or a separate code (@ItemType({ code })),',
  TASK_QUEUE_TAKEN: 'Name another task queue',
  ROUTE_TAKEN: 'Choose another path',
};

function taken(code: ProblemCode, what: string, owner: string, id: string): PluginProblem {
  return createProblem(
    code,
    `Both ${owner} and ${id} contribute ${what}; ${owner} keeps it`,
    `${renames[code] ?? 'Choose another name'} in ${id}; or disable one of the two: gantry plugins disable ${id}, or gantry plugins disable ${owner}`,
  );
}
