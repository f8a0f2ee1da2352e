import type { PluginDefinition, RegisterContext } from '@gantry/plugin-api';
import type { RegisteredRoute } from '../record/registered-plugin';
import { createCollectingRouter } from './plugin-router';

/**
 * The routes that a plugin registers, for documents about them: its `register` runs, and what it gets besides the router does nothing.
 * @throws Error for routes that are refused
 */
export function routesOfPlugin({ id, register }: PluginDefinition): readonly RegisteredRoute[] {
  const { router, routes, problems } = createCollectingRouter(id);
  const nothing: unknown = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });
  const context = new Proxy(
    { router, config: {} },
    { get: (given, key): unknown => Reflect.get(given, key) ?? nothing },
  );
  register?.(context as unknown as RegisterContext);
  if (problems.length > 0) throw new Error(`${id}: ${problems.join('; ')}`);
  return routes;
}
