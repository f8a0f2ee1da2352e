import { GantryError, type MountContext, type RouteRequest, type RouteResponse } from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import { withTimeout } from '@gantry/core-common';
import { withPlainNumbers } from '../../common/json';
import type { RegisteredMount, RegisteredRoute } from '../../plugins/record/registered-plugin';
import type { ReadJson } from '../exchange/body';
import { methodNotAllowed, type Routes } from '../exchange/routes';
import { parseQuery } from '../exchange/query';
import { requestIdOf } from '../exchange/request-context';
import { sendData } from '../exchange/send';
import { createSharedResource, sharedResources } from '../exchange/shared-resource';
import { openUpload } from '../exchange/upload';
import { callRoute } from './call-route';
import type { MayRead } from './may-read';
import { emitAsCaller, type OpenCaller } from './run-as-caller';
import { callerOf, type Principal } from '../../identity';
import { assertAllowed, findPrincipal, principalOf, signedInOf } from '../exchange/principal';

/** Throws UNAVAILABLE while the plugin is quarantined. */
export type AssertServed = (pluginId: string) => void;

export interface PluginRouteDependencies {
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
  readonly assertServed: AssertServed;
  /** Runs code of a plugin. */
  readonly enter: <T>(pluginId: string, code: () => T) => T;
  readonly openCaller: OpenCaller;
  readonly readJson: ReadJson;
  readonly mayRead: MayRead;
}

/** Longest time a plugin's route may take to answer; the time in which a body has to arrive comes on top where it reads one itself. */
const answerTimeoutMs = 30_000;
const uploadTimeoutMs = 60_000;

/** The routes that plugins registered; each is answered in the envelope. */
export function pluginRoutes(dependencies: PluginRouteDependencies): Routes {
  const uploads = createSharedResource(sharedResources.uploads);
  return (app) => {
    for (const route of dependencies.routes) {
      const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      const isUpload = typeof route.options.body === 'object';
      app[method](route.path, (request, response) => {
        const answering = (): Promise<void> => answer(route, dependencies, request, response);
        return isUpload ? uploads.run(request, answering) : answering();
      });
    }
    // After all routes, as the path of one may also fit the pattern of another.
    for (const [path, methods] of methodsByPath(dependencies.routes)) app.all(path, methodNotAllowed(methods));
    for (const mount of dependencies.mounts) {
      app.use(mount.prefix, async (request, response, next) => {
        if (request.method !== 'GET' && request.method !== 'HEAD') return next();
        const principal = principalsFor[mount.access](request);
        dependencies.assertServed(mount.plugin);
        const context = mountContext(principal, dependencies.mayRead);
        const runAsCaller = dependencies.openCaller({ request, response }, `GET ${mount.prefix}/*`);
        emitAsCaller({ request, response }, runAsCaller);
        await runAsCaller(() =>
          dependencies.enter(mount.plugin, () => mount.handler(request, response, request.path, context)),
        );
      });
    }
  };
}

/** Who is let through to a mount. @throws GantryError UNAUTHENTICATED */
const principalsFor: Readonly<Record<RegisteredMount['access'], (request: Request) => Principal | undefined>> = {
  public: findPrincipal,
  items: principalOf,
  'signed-in': signedInOf,
};

function mountContext(principal: Principal | undefined, mayRead: MayRead): MountContext {
  if (principal === undefined) return { caller: undefined, mayRead: async () => false };
  return {
    caller: principal.kind === 'public' ? undefined : callerOf(principal),
    mayRead: (...question) => mayRead(principal, ...question),
  };
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
  dependencies: PluginRouteDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  assertAllowed(request, route.options.access);
  const caller = callerOf(principalOf(request));
  dependencies.assertServed(route.plugin);
  const query = parseQuery(request, queryNames(route));
  const content = await contentOf(route, dependencies.readJson, request, response);
  const runAsCaller = dependencies.openCaller({ request, response }, `${route.method} ${route.path}`);
  const gone = new AbortController();
  response.once('close', () => runAsCaller(() => gone.abort(new Error('The client closed the connection.'))));
  const params = request.params as Readonly<Record<string, string>>;
  const timeoutMs = timeoutOf(route);
  const call = { params, query, ...content, caller, requestId: requestIdOf(request), signal: gone.signal };
  const enter = <T>(code: () => T): T => runAsCaller(() => dependencies.enter(route.plugin, code));
  const result = await withTimeout(
    timeoutMs,
    () => enter(() => callRoute(route, call)),
    () => noAnswer(route.plugin, timeoutMs),
  );
  // Getters and toJSON of the answer are code of the plugin.
  present(response, result, (data) => enter(() => JSON.stringify(data)));
}

function queryNames({ options, schemas }: RegisteredRoute): readonly string[] {
  return schemas.query === undefined ? (options.query ?? []) : Object.keys(schemas.query.json.properties);
}

async function contentOf(
  { method, options }: RegisteredRoute,
  readJson: ReadJson,
  request: Request,
  response: Response,
): Promise<Pick<RouteRequest, 'body' | 'upload'>> {
  const kind = options.body ?? (method === 'GET' || method === 'DELETE' ? 'none' : 'json');
  if (typeof kind === 'object') return { body: undefined, upload: openUpload(request, kind) };
  if (kind === 'json') return { body: withPlainNumbers(await readJson(request, response)) };
  // An unused body is still checked on writes: a form of another site must not get through.
  if (method !== 'GET') await readJson(request, response);
  return { body: undefined };
}

function present(
  response: Response,
  { status = 200, data, meta, headers }: RouteResponse,
  stringify: (data: unknown) => string,
): void {
  if (status !== 204) {
    sendData(response, status, stringify(data ?? null), meta, headers);
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.status(204).end();
}

function timeoutOf({ options }: RegisteredRoute): number {
  return typeof options.body === 'object' ? uploadTimeoutMs : answerTimeoutMs;
}

function noAnswer(plugin: string, timeoutMs: number): GantryError {
  return new GantryError('UNAVAILABLE', `The plugin ${plugin} did not answer within ${timeoutMs / 1000} seconds.`);
}
