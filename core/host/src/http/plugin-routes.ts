import { GantryError, type RouteResponse } from '@gantry/plugin-api';
import type { Express, Request, Response } from 'express';
import { withPlainNumbers } from '../items/json';
import type { RegisteredMount, RegisteredRoute } from '../plugins/registered-plugin';
import type { ReadJson } from './body';
import { methodNotAllowed } from './method-not-allowed';
import { parseQuery } from './query';
import { requestIdOf } from './request-context';
import { sendData } from './send';

/** Throws UNAVAILABLE while the plugin is quarantined. */
export type AssertServed = (pluginId: string) => void;

export interface PluginRouteParts {
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
  readonly assertServed: AssertServed;
  readonly readJson: ReadJson;
}

/** Longest time a plugin's route may take to answer. */
const answerTimeoutMs = 30_000;

/** Adds the routes that plugins registered; each is answered in the envelope. */
export function addPluginRoutes(app: Express, parts: PluginRouteParts): void {
  for (const route of parts.routes) {
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    app[method](route.path, (request, response) => answer(route, parts, request, response));
  }
  // After all routes, as the path of one may also fit the pattern of another.
  for (const [path, methods] of methodsByPath(parts.routes)) app.all(path, methodNotAllowed(methods));
  for (const mount of parts.mounts) {
    app.use(mount.prefix, async (request, response, next) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return next();
      parts.assertServed(mount.plugin);
      await mount.handler(request, response, request.path);
    });
  }
}

/** For every path the methods that routes offer at it, as `Allow` names them. */
function methodsByPath(routes: readonly RegisteredRoute[]): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  for (const { path, method } of routes) {
    const more = method === 'GET' ? 'GET, HEAD' : method;
    const known = byPath.get(path);
    byPath.set(path, known === undefined ? more : `${known}, ${more}`);
  }
  return byPath;
}

async function answer(
  route: RegisteredRoute,
  parts: PluginRouteParts,
  request: Request,
  response: Response,
): Promise<void> {
  parts.assertServed(route.plugin);
  const query = parseQuery(request, route.options.query ?? []);
  const body = readsBody(route) ? withPlainNumbers(await parts.readJson(request, response)) : undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('The client went away.')));
  const params = request.params as Readonly<Record<string, string>>;
  const result = await withinTime(
    route.handler({ params, query, body, requestId: requestIdOf(request), signal: gone.signal }),
    route,
  );
  present(response, result);
}

function readsBody({ method, options }: RegisteredRoute): boolean {
  return (options.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'json')) === 'json';
}

function present(response: Response, { status = 200, data, meta, headers }: RouteResponse): void {
  if (status !== 204) {
    sendData(response, status, JSON.stringify(data ?? null), meta, headers);
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.status(204).end();
}

async function withinTime<T>(work: Promise<T>, route: RegisteredRoute): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new GantryError(
          'UNAVAILABLE',
          `The plugin ${route.plugin} did not answer within ${answerTimeoutMs / 1000} seconds.`,
        ),
      );
    }, answerTimeoutMs);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
