import type { Method, PluginRouter, RouteOptions } from '@gantry/plugin-api';
import type { RegisteredMount, RegisteredRoute } from '../record/registered-plugin';
import { isMountPrefix, isRoutePath, methods } from '../manifest/route-pattern';
import { compileRouteSchemas } from './route-schemas';

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
    if (closed) throw new Error('Routes can be registered in register only');
  };
  const router: PluginRouter = {
    route(method, path, handler, options = {}) {
      assertOpen();
      const { schemas, problems: schemaProblems } = compileRouteSchemas(method, path, options);
      const wrong = [
        ...(methods.includes(method) ? [] : [`the method "${method}" is not one of ${methods.join(', ')}`]),
        ...(isRoutePath(path) ? [] : [`the path "${path}" must consist of /words and /:names`]),
        ...(typeof handler === 'function' ? [] : ['the handler is not a function']),
        ...optionProblems(options),
        ...bodyProblems(method, options.body),
        ...schemaProblems,
        ...(routes.some((other) => other.method === method && other.path === path) ? ['it is registered twice'] : []),
      ];
      const route = { plugin, method, path, handler, options: Object.freeze({ ...options }), schemas };
      if (wrong.length > 0) problems.push(`${method} ${path}: ${wrong.join(', ')}`);
      else routes.push(Object.freeze(route));
    },
    mount(prefix, handler, { access = 'signed-in' } = {}) {
      assertOpen();
      const wrong = [
        ...(isMountPrefix(prefix) ? [] : ['the prefix must consist of /words']),
        ...(typeof handler === 'function' ? [] : ['the handler is not a function']),
        ...(['public', 'items', 'signed-in'].includes(access) ? [] : ['the access must be public, items or signed-in']),
        ...(mounts.some((other) => other.prefix === prefix) ? ['it is mounted twice'] : []),
      ];
      if (wrong.length > 0) problems.push(`mount of "${prefix}": ${wrong.join(', ')}`);
      else mounts.push(Object.freeze({ plugin, prefix, handler, access }));
    },
  };
  return { router: Object.freeze(router), routes, mounts, problems, close: () => (closed = true) };
}

const optionNames: readonly string[] = [
  'schemas',
  'query',
  'body',
  'summary',
  'openapi',
  'access',
] satisfies (keyof RouteOptions)[];

function optionProblems(options: RouteOptions): readonly string[] {
  const query: unknown = options.query ?? [];
  const unknown = Object.keys(options).filter((name) => !optionNames.includes(name));
  return [
    ...unknown.map((name) => `the option ${name} is not one of ${optionNames.join(', ')}`),
    ...(Array.isArray(query) ? [] : ['query is not a list of parameters']),
    ...accessProblems(options.access),
  ];
}

/** Plugins in plain JavaScript have no compiler that reports it, and what is not understood must not be open. */
function accessProblems(access: unknown): readonly string[] {
  if (access === undefined || access === 'signed-in') return [];
  const isPermission =
    typeof access === 'object' && access !== null && 'permission' in access && typeof access.permission === 'string';
  return isPermission ? [] : ["access is neither 'signed-in' nor { permission: '…' }"];
}

const mediaTypeSyntax = /^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/;

function bodyProblems(method: Method, body: RouteOptions['body']): readonly string[] {
  if (body === undefined || body === 'json' || body === 'none') return [];
  const { mediaTypes, limit } = body;
  // Plugins in plain JavaScript have no compiler that reports it.
  const listed: readonly unknown[] = Array.isArray(mediaTypes) ? mediaTypes : [];
  const known = listed.length > 0 && listed.every((type) => typeof type === 'string' && mediaTypeSyntax.test(type));
  return [
    ...(method === 'GET' || method === 'DELETE' ? [`a body is not allowed with ${method}`] : []),
    ...(known ? [] : ['the media types of the body must be like image/png or image/*']),
    ...(Number.isSafeInteger(limit) && limit > 0 ? [] : ['the limit of the body is not a number of bytes']),
  ];
}
