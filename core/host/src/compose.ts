import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { readHold } from '@gantry/core-common';
import {
  attentionEntries,
  createSearchItems,
  findItemsByValue,
  hasItems,
  recentItems,
  type Scope,
} from '@gantry/core-content';
import { readChangeLag } from '@gantry/core-database';
import {
  allTypesRoutes,
  changesCheck,
  createAnsweredRequests,
  createApp,
  createGate,
  createHealth,
  createJsonReader,
  createMetrics,
  databaseCheck,
  docsPage,
  docsRoutes,
  documentRoutes,
  healthRoutes,
  holdCheck,
  hostRoutes,
  itemRoutes,
  platformRoutes,
  pluginsCheck,
  pluginSetCheck,
  recordAction,
  routesOfPlugins,
  serveItemRoutes,
  typeRoutes,
  type Health,
  type HostPhase,
  type HostRouteServer,
  type HttpMessages,
  type Kernel,
  type Metrics,
  type Routes,
} from '@gantry/core-http';
import {
  createAuthentication,
  createCallsPublicRoute,
  createIsPublic,
  createLocalToken,
  createReadsItems,
  createSessionCookies,
} from '@gantry/core-identity';
import type { Logger, RouteAccess } from '@gantry/plugin-api';
import type { Generations } from '@gantry/core-lifecycle';
import { declaredWith, openApiDocuments } from './compose-documents';
import type { Content } from './composition/open-content';
import type { HostConfig } from './config';
import type { Modules } from './modules';
import type { ServiceWorkers } from './temporal/service-workers';
import type { TemporalAccess } from './temporal/temporal-access';
import { addWorkerMetrics } from './temporal/worker-metrics';

export interface ComposeOptions {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly content: Content;
  readonly kernel: Kernel<HostConfig>;
  readonly modules: Modules;
  readonly temporal: TemporalAccess;
  readonly workers: ServiceWorkers;
  readonly phase: () => HostPhase;
  /** Aborts when the host takes no requests any more: streams end, so that their clients go to the one that follows. */
  readonly draining: AbortSignal;
  /** The classes of the server's requests and responses. */
  readonly messages: HttpMessages;
  readonly generations: Generations;
}

/** Puts the HTTP application of a host together. */
export function composeApp(options: ComposeOptions): RequestListener {
  const { config, logger, kernel, content, messages } = options;
  const metrics = metricsOf(options);
  return createApp({
    ...{ messages, metrics, logger, hidePaths: kernel.hidePaths, trustedProxies: config.trustedProxies },
    gate: createGate({
      port: () => kernel.port,
      publicUrl: config.publicUrl,
      isOpen: () => !content.identity.isSignInRequired(),
    }),
    authenticate: authenticationOf(options),
    routes: routesOf(options, metrics),
  });
}

function routesOf(options: ComposeOptions, metrics: Metrics): readonly Routes[] {
  const { kernel, modules } = options;
  const { items, database, hidePaths } = kernel;
  const { scopeOf, repository } = items;
  const server = routeServer(options);
  const ofPlatform = {
    scopeOf,
    hasItems: (scope: Scope) => hasItems(scope, database),
    findItemsByValue: (scope: Scope, field: string, value: string) => findItemsByValue(scope, repository, field, value),
    attention: (scope: Scope) => attentionEntries(scope, repository),
    recentItems: (scope: Scope) => recentItems(scope, database),
  };
  return [
    hostRoutes(allTypesRoutes, { scopeOf, searchItems: createSearchItems(database) }, server),
    // Most requests ask for lists: each route before theirs costs a comparison with its path.
    serveItemRoutes(typeRoutes, items, server),
    ...modules.routesOfItems(server),
    serveItemRoutes(itemRoutes, items, server),
    ...routesOfPlugins(pluginServices(options), server),
    ...modules.routes(server),
    hostRoutes(healthRoutes, { health: healthOf(options), registry: metrics.registry, hidePaths }, server),
    hostRoutes(platformRoutes, ofPlatform, server),
    hostRoutes(documentRoutes, { openApi: openApiDocuments(options) }, server),
    docsRoutes(docsPage()),
  ];
}

function pluginServices({ config: { publicUrl }, content, kernel }: ComposeOptions) {
  const { images, requests } = content;
  return { ...kernel, images, requests, publicUrl };
}

function healthOf({ config, content, phase, temporal, workers, modules, generations }: ComposeOptions): Health {
  const { database, registry } = content;
  return createHealth(phase, [
    databaseCheck(() => database.writeState()),
    changesCheck(() => readChangeLag(database)),
    holdCheck(() => readHold(config.home)),
    pluginSetCheck(() => generations.report().pluginSet),
    pluginsCheck(
      () => registry.reports(),
      (id) => {
        const plugin = registry.findRunning(id);
        return registry.enter(id, () => plugin?.definition.health?.(plugin.context));
      },
    ),
    () => Promise.resolve(modules.health()),
    async () => (workers.health().length > 0 ? [await temporal.health(), ...workers.health()] : []),
  ]);
}

function metricsOf({ content, workers, modules }: ComposeOptions): Metrics {
  const { registry: plugins, requests } = content;
  const metrics = createMetrics(content.database, content.functions);
  content.metrics.addTo(metrics.registry, (id) => {
    const plugin = plugins.findRunning(id);
    return plugin && ((code) => requests.leave(() => plugins.enter(id, () => code(plugin.context))));
  });
  addWorkerMetrics(metrics.registry, workers);
  modules.addMetrics(metrics.registry);
  return metrics;
}

function authenticationOf({ config, content }: ComposeOptions): ReturnType<typeof createAuthentication> {
  const { identity, policies, registry } = content;
  const plugins = registry.registeredPlugins();
  const mounts = plugins.flatMap((plugin) => plugin.mounts);
  const ofPlugins = (access: RouteAccess) =>
    plugins.flatMap(({ routes }) => routes.filter(({ options }) => options.access === access));
  return createAuthentication({
    identity,
    cookies: createSessionCookies(identity.installationId, config.publicUrl),
    localToken: createLocalToken(config.home),
    isPublic: createIsPublic(mounts, declaredWith('public')),
    callsPublicRoute: createCallsPublicRoute(ofPlugins('public')),
    readsItems: createReadsItems(mounts, [...declaredWith('items'), ...ofPlugins('items')]),
    prepare: (principal) => policies.prepare(principal.rights, principal),
  });
}

/** What all routes are served with. */
function routeServer({ config, content, draining, logger }: ComposeOptions): HostRouteServer {
  // One for each stream that is open.
  setMaxListeners(0, draining);
  return {
    draining,
    answered: createAnsweredRequests(content.database.plugins, logger),
    readJson: createJsonReader(config.bodyLimit),
    record: (request, entry) => recordAction(content.identity, request, entry),
    identity: content.identity,
  };
}
