import { GantryError, type MountContext } from '@gantry/plugin-api';
import type { Request, Response } from 'express';
import { withTimeout } from '@gantry/core-common';
import type { RegisteredMount, RegisteredRoute } from '@gantry/core-loader';
import { createRouteLimits } from '../exchange/route-limits';
import { answerRoute, callerAndSignal, serveRoutes, type RouteServer, type RunCode } from '../exchange/answer-route';
import type { Routes } from '../exchange/routes';
import { createSharedResource, holderOf, sharedResources } from '../exchange/shared-resource';
import { callerOf } from '../exchange/caller/callers';
import type { Principal } from '../ports';
import { findPrincipal, principalOf, signedInOf } from '../exchange/caller/principal';
import type { MayRead } from './may-read';
import { emitAsCaller, type OpenCaller } from './run-as-caller';

/** Throws UNAVAILABLE while the plugin is quarantined. */
export type AssertServed = (pluginId: string) => void;

export interface PluginRouteDependencies extends Pick<
  RouteServer<RegisteredRoute>,
  'readJson' | 'record' | 'draining' | 'answered'
> {
  readonly routes: readonly RegisteredRoute[];
  readonly mounts: readonly RegisteredMount[];
  readonly assertServed: AssertServed;
  /** Runs code of a plugin. */
  readonly enter: <T>(pluginId: string, code: () => T) => T;
  readonly openCaller: OpenCaller;
  /** Makes the role `public` the one that makes the request, also where a user sends it. */
  readonly actAsPublic: (request: Request) => Promise<void>;
  readonly mayRead: MayRead;
}

/** Longest time a plugin's route may take to answer; the time in which a body has to arrive comes on top where it reads one itself. */
const answerTimeoutMs = 30_000;
const uploadTimeoutMs = 60_000;

/** The routes that plugins registered; each is answered in the envelope. */
export function pluginRoutes(dependencies: PluginRouteDependencies): Routes {
  const uploads = createSharedResource(sharedResources.uploads);
  const server: RouteServer<RegisteredRoute> = {
    ...dependencies,
    limitOf: createRouteLimits(),
    open: (...exchange) => openPlugin(dependencies, ...exchange),
  };
  const serve = serveRoutes(dependencies.routes, (route, request, response) => {
    const answering = async (): Promise<void> => {
      if (route.options.access === 'public') await dependencies.actAsPublic(request);
      return answerRoute(route, server, request, response);
    };
    return readsFile(route) ? uploads.run(holderOf(request), answering) : answering();
  });
  return (app) => {
    serve(app);
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

function readsFile({ options, contract }: RegisteredRoute): boolean {
  return typeof options.body === 'object' || contract?.upload !== undefined;
}

/** Code of a plugin runs as the caller of the request, and has its time. */
function openPlugin(
  { assertServed, enter, openCaller }: PluginRouteDependencies,
  route: RegisteredRoute,
  request: Request,
  response: Response,
): RunCode {
  assertServed(route.plugin);
  const runAsCaller = openCaller({ request, response }, `${route.method} ${route.path}`);
  const run = <T>(code: () => T): T => runAsCaller(() => enter(route.plugin, code));
  const timeoutMs = readsFile(route) ? uploadTimeoutMs : answerTimeoutMs;
  const answered = <T>(code: () => Promise<T>): Promise<T> =>
    withTimeout(
      timeoutMs,
      // It may throw at once.
      () => run(async () => code()),
      () => noAnswer(route.plugin, timeoutMs),
    );
  const more = callerAndSignal(route, request, response, run);
  return { run, call: answered, more, signal: more.signal };
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

function noAnswer(plugin: string, timeoutMs: number): GantryError {
  return new GantryError('UNAVAILABLE', `The plugin ${plugin} did not answer within ${timeoutMs / 1000} seconds.`);
}
