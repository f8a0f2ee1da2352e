import type { PluginRouter } from '@gantry/plugin-api';
import type { RegisteredMount, RegisteredRoute } from './registered-plugin';
import { isMountPrefix, isRoutePath, methods } from './route-pattern';

/** The router of one plugin, and what was registered on it. */
export interface CollectingRouter {
  readonly router: PluginRouter;
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
  /** Sentences about calls that were not acceptable. */
  readonly problems: readonly string[];
  /** From here on, a call throws. */
  close(): void;
}

/** A router that only remembers; the host serves the routes once all plugins are checked. */
export function createCollectingRouter(plugin: string): CollectingRouter {
  const routes: RegisteredRoute[] = [];
  const mounts: RegisteredMount[] = [];
  const problems: string[] = [];
  let closed = false;
  const assertOpen = (): void => {
    if (closed) throw new Error('Routes can only be registered while register runs');
  };
  const router: PluginRouter = {
    route(method, path, handler, options = {}) {
      assertOpen();
      const wrong = [
        ...(methods.includes(method) ? [] : [`the method "${method}" is none of ${methods.join(', ')}`]),
        ...(isRoutePath(path) ? [] : [`the path "${path}" is not made of /words and /:names`]),
        ...(typeof handler === 'function' ? [] : ['the handler is no function']),
        ...(routes.some((other) => other.method === method && other.path === path) ? ['it is registered twice'] : []),
      ];
      if (wrong.length > 0) problems.push(`${method} ${path}: ${wrong.join(', ')}`);
      else routes.push(Object.freeze({ plugin, method, path, handler, options: Object.freeze({ ...options }) }));
    },
    mount(prefix, handler) {
      assertOpen();
      const wrong = [
        ...(isMountPrefix(prefix) ? [] : ['the prefix is not made of /words']),
        ...(typeof handler === 'function' ? [] : ['the handler is no function']),
        ...(mounts.some((other) => other.prefix === prefix) ? ['it is mounted twice'] : []),
      ];
      if (wrong.length > 0) problems.push(`mount of "${prefix}": ${wrong.join(', ')}`);
      else mounts.push(Object.freeze({ plugin, prefix, handler }));
    },
  };
  return { router: Object.freeze(router), routes, mounts, problems, close: () => (closed = true) };
}
