import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { readHold } from '@gantry/core-common';
import {
  createSearchItems,
  findItemsByValue,
  hasItems,
  recentItems,
  type FunctionFailures,
  type ImageRights,
  type Scope,
} from '@gantry/core-content';
import { readChangeLag } from '@gantry/core-database';
import type { RouteCalls } from '@gantry/core-loader';
import type { RouteAccess } from '@gantry/plugin-api';
import type { Registry } from 'prom-client';
import { createApp } from '../app';
import { createJsonReader } from '../exchange/input/body';
import { hostRoutes, type HostRouteServer } from '../exchange/host-routes';
import { recordAction } from '../exchange/caller/record-action';
import type { Routes } from '../exchange/routes';
import { createGate } from '../gate';
import type { HttpMessages } from '../http-messages';
import { createAnsweredRequests } from '../idempotency/answered-requests';
import { serveItemRoutes } from '../items/item-route';
import { itemRoutes } from '../items/item-routes';
import { allTypesRoutes, typeRoutes } from '../items/type-routes';
import type { Kernel, PublicPaths } from '../module';
import { docsPage } from '../openapi/docs-page';
import { attentionEntries } from '../platform/attention';
import { contributedRoutes } from '../platform/contributed-routes';
import { docsRoutes, documentRoutes } from '../platform/document-routes';
import {
  changesCheck,
  createHealth,
  databaseCheck,
  holdCheck,
  pluginsCheck,
  type Health,
  type HealthCheck,
  type HostPhase,
} from '../platform/health';
import { healthRoutes } from '../platform/health-routes';
import { createMetrics, type Metrics } from '../platform/metrics';
import { platformRoutes } from '../platform/platform-routes';
import type { PluginMetrics } from '../platform/plugin-metrics';
import { routesOfPlugins } from '../plugins/routes-of-plugins';
import { createCallerDocuments } from './caller-documents';
import type { Modules } from './open-modules';
import { createCallsPublicRoute, createIsPublic, createReadsItems } from './public-paths';

export interface AppSettings {
  readonly home: string;
  readonly publicUrl?: string | undefined;
  /** Addresses and networks of reverse proxies whose headers about the client are believed. */
  readonly trustedProxies: readonly string[];
  /** Bytes of a request body at most, after unpacking. */
  readonly bodyLimit: number;
}

export interface AppOptions {
  readonly kernel: Omit<Kernel<AppSettings>, 'changes'>;
  readonly modules: Modules;
  /** Contributions of modules and plugins that are made of their routes. */
  readonly calls: () => readonly RouteCalls[];
  /** Who may read images. */
  readonly images: ImageRights;
  /** Failures of functions that item types declare. */
  readonly functions: Pick<FunctionFailures, 'list'>;
  /** Metrics of plugins. */
  readonly metrics: PluginMetrics;
  readonly phase: () => HostPhase;
  /** Aborts when the host takes no requests any more: streams end, so that their clients go to the one that follows. */
  readonly draining: AbortSignal;
  /** The classes of the server's requests and responses. */
  readonly messages: HttpMessages;
  /** Of what only the host knows, such as its workers. */
  readonly checks: readonly HealthCheck[];
  readonly addMetrics: (registry: Registry) => void;
}

/** The HTTP application of a host: the kernel's routes with those of modules and plugins. */
export function composeApp(options: AppOptions): RequestListener {
  const { kernel, modules, messages } = options;
  const { accounts, logger, hidePaths, policies, settings } = kernel;
  const metrics = metricsOf(options);
  return createApp({
    ...{ messages, metrics, logger, hidePaths, trustedProxies: settings.trustedProxies },
    gate: createGate({
      port: () => kernel.port,
      publicUrl: settings.publicUrl,
      isOpen: () => !accounts.isSignInRequired(),
    }),
    authenticate: modules.authenticate({
      ...publicPaths(options),
      prepare: (principal) => policies.prepare(principal.rights, principal),
    }),
    routes: routesOf(options, metrics),
  });
}

function routesOf(options: AppOptions, metrics: Metrics): readonly Routes[] {
  const { kernel, modules, images } = options;
  const { items, database, hidePaths, settings } = kernel;
  const { scopeOf, repository } = items;
  const server = routeServer(options);
  const ofPlatform = {
    scopeOf,
    hasItems: (scope: Scope) => hasItems(scope, database),
    findItemsByValue: (scope: Scope, field: string, value: string) => findItemsByValue(scope, repository, field, value),
    attention: (scope: Scope) => attentionEntries(scope, repository),
    recentItems: (scope: Scope) => recentItems(scope, database),
  };
  const openApi = createCallerDocuments({ ...kernel, bodyLimit: settings.bodyLimit, routes: modules.declared });
  return [
    hostRoutes(allTypesRoutes, { scopeOf, searchItems: createSearchItems(database) }, server),
    // Most requests ask for lists: each route before theirs costs a comparison with its path.
    serveItemRoutes(typeRoutes, items, server),
    ...modules.routesOfItems(server),
    serveItemRoutes(itemRoutes, items, server),
    ...routesOfPlugins({ ...kernel, images, publicUrl: settings.publicUrl }, server),
    ...modules.routes(server),
    hostRoutes(healthRoutes, { health: healthOf(options), registry: metrics.registry, hidePaths }, server),
    hostRoutes(platformRoutes, ofPlatform, server),
    hostRoutes(contributedRoutes, { calls: options.calls }, server),
    hostRoutes(documentRoutes, { openApi }, server),
    docsRoutes(docsPage()),
  ];
}

function healthOf({ kernel, phase, modules, checks }: AppOptions): Health {
  const { database, registry, settings } = kernel;
  return createHealth(phase, [
    databaseCheck(() => database.writeState()),
    changesCheck(() => readChangeLag(database)),
    holdCheck(() => readHold(settings.home)),
    pluginsCheck(
      () => registry.reports(),
      (id) => {
        const plugin = registry.findRunning(id);
        return registry.enter(id, () => plugin?.definition.health?.(plugin.context));
      },
    ),
    modules.health,
    ...checks,
  ]);
}

function metricsOf({ kernel, functions, metrics: ofPlugins, modules, addMetrics }: AppOptions): Metrics {
  const { registry: plugins, requests, database } = kernel;
  const metrics = createMetrics(database, functions);
  ofPlugins.addTo(metrics.registry, (id) => {
    const plugin = plugins.findRunning(id);
    return plugin && ((code) => requests.leave(() => plugins.enter(id, () => code(plugin.context))));
  });
  addMetrics(metrics.registry);
  modules.addMetrics(metrics.registry);
  return metrics;
}

function publicPaths({ kernel: { registry }, modules: { declared } }: AppOptions): PublicPaths {
  const plugins = registry.registeredPlugins();
  const mounts = plugins.flatMap((plugin) => plugin.mounts);
  const ofPlatform = (wanted: RouteAccess) => declared.filter(({ access }) => access === wanted);
  const ofPlugins = (access: RouteAccess) =>
    plugins.flatMap(({ routes }) => routes.filter(({ options }) => options.access === access));
  return {
    isPublic: createIsPublic(mounts, ofPlatform('public')),
    callsPublicRoute: createCallsPublicRoute(ofPlugins('public')),
    readsItems: createReadsItems(mounts, [...ofPlatform('items'), ...ofPlugins('items')]),
  };
}

/** The server of all routes. */
function routeServer({ kernel, draining }: AppOptions): HostRouteServer {
  const { accounts, database, logger, settings } = kernel;
  // One for each stream that is open.
  setMaxListeners(0, draining);
  return {
    draining,
    answered: createAnsweredRequests(database.plugins, logger),
    readJson: createJsonReader(settings.bodyLimit),
    record: (request, entry) => recordAction(accounts, request, entry),
    identity: accounts,
  };
}
