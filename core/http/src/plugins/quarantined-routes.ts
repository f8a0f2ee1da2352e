import { GantryError } from '@gantry/plugin-api';
import {
  type PluginRegistry,
  type RegisteredMount,
  type RegisteredRoute,
  hostPathOf,
  parseRoute,
  type RoutePattern,
} from '@gantry/core-loader';

export interface QuarantinedRoutes {
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
}

/**
 * The routes in the manifests of plugins whose code never registered them. They answer 503, so that no client
 * takes a plugin that failed for one that is not there; routes that are served come before them.
 */
export function quarantinedRoutes(
  registry: Pick<PluginRegistry, 'reports' | 'registeredPlugins' | 'served'>,
): QuarantinedRoutes {
  const registered = new Set(registry.registeredPlugins().map(({ manifest }) => manifest.id));
  const promised = registry
    .reports()
    .filter(({ id }) => !registered.has(id) && registry.served(id) === 'quarantined')
    .flatMap(({ id, contributes }) => contributes.routes.flatMap((text) => promiseOf(id, text) ?? []));
  return {
    routes: promised
      .filter(({ path }) => !isMount(path))
      .map((promise) => ({ ...promise, handler: never, options: {}, schemas: {} })),
    mounts: promised
      .filter(({ path }) => isMount(path))
      .map(({ plugin, path }) => ({ plugin, prefix: path.slice(0, -2), handler: never, access: 'signed-in' as const })),
  };
}

type Promised = Pick<RegisteredRoute, 'plugin' | 'path' | 'method'>;

/** A plugin may be quarantined because it claims what is the host's. */
function promiseOf(plugin: string, text: string): Promised | undefined {
  const pattern: RoutePattern | undefined = parseRoute(text);
  if (pattern === undefined || hostPathOf(pattern) !== undefined) return undefined;
  return { plugin, method: pattern.method, path: text.slice(pattern.method.length + 1) };
}

function isMount(path: string): boolean {
  return path.endsWith('/*');
}

/** Whether the plugin is served is checked before; a quarantined one stays so until the host restarts. */
function never(): never {
  throw new GantryError('UNAVAILABLE', 'The plugin is not in use.');
}
