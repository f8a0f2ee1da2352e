import { setMaxListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { StartupReport } from '@gantry/contracts';
import type { Logger, RouteAccess } from '@gantry/plugin-api';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { includeNewPackages } from './change/include-new-packages';
import { declaredWith, openApiDocuments, type OpenApiFor } from './compose-documents';
import { identityRoutes } from './compose-identity-routes';
import { routesOfPluginChanges } from './compose-plugin-changes';
import { routesOfPlugins } from './compose-plugin-routes';
import { routesOfSubscriptions } from './compose-subscription-routes';
import type { HostConfig } from './config';
import type { Generations } from './common/generations';
import {
  createAnsweredRequests,
  createHidePaths,
  type HidePaths,
  createApp,
  type HttpMessages,
  createJsonReader,
  createGate,
  type Principal,
  changesCheck,
  createHealth,
  databaseCheck,
  holdCheck,
  pluginsCheck,
  pluginSetCheck,
  type Health,
  type HostPhase,
  createMetrics,
  type Metrics,
  docsRoutes,
  documentRoutes,
  healthRoutes,
  platformRoutes,
  type Routes,
  hostRoutes,
  type HostRouteServer,
  recordAction,
  serveItemRoutes,
  itemRoutes,
  allTypesRoutes,
  typeRoutes,
  docsPage,
} from '@gantry/core-http';
import { readHold } from '@gantry/core-common';
import {
  createAuthentication,
  createCallsPublicRoute,
  createIsPublic,
  createReadsItems,
  createSessionCookies,
  createLocalToken,
} from '@gantry/core-identity';
import { readChangeLag } from '@gantry/core-database';
import { commandRoutes } from './plugin-routes/command-routes';
import { reportRoutes } from './plugin-routes/report-routes';
import type { SharedPluginSet } from './plugin-set/shared-plugin-set';
import { changeRoutes } from '@gantry/core-history';
import { createImportCapacity, transferRoutes } from '@gantry/core-transfer';
import {
  hasItems,
  attentionEntries,
  recentItems,
  findItemsByValue,
  createSearchItems,
  type Scope,
} from '@gantry/core-content';
import type { Content } from './composition/open-content';
import type { Subscriptions } from './composition/open-subscriptions';
import { scopeOfPrincipal } from './composition/policies';
import { createFindServedType } from './plugin-routes/served-types';
import { addSubscriptionMetrics } from '@gantry/core-webhooks';
import { addWorkerMetrics } from './temporal/worker-metrics';
import type { ServiceWorkers } from './temporal/service-workers';
import type { TemporalAccess } from './temporal/temporal-access';

export interface ComposeOptions {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly content: Content;
  readonly temporal: TemporalAccess;
  readonly workers: ServiceWorkers;
  readonly subscriptions: Subscriptions;
  readonly report: StartupReport;
  readonly phase: () => HostPhase;
  /** Aborts when the host takes no requests any more: streams end, so that their clients go to the one that follows. */
  readonly draining: AbortSignal;
  /** The port that the server really has. */
  readonly port: number;
  /** The classes of the server's requests and responses. */
  readonly messages: HttpMessages;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
  readonly set: SharedPluginSet;
}

const tokens = {
  options: token<ComposeOptions>('options'),
  health: token<Health>('health'),
  metrics: token<Metrics>('metrics'),
  openApi: token<OpenApiFor>('openApi'),
  app: token<RequestListener>('app'),
};

/** Puts the HTTP application of a host together. The container is a fresh one for every host and goes no further than this file. */
export function composeApp(options: ComposeOptions): RequestListener {
  const services = container.createChildContainer();
  services.register(tokens.options, { useValue: options });
  provide(services, tokens.health, healthOf);
  provide(services, tokens.metrics, metricsOf);
  provide(services, tokens.openApi, () => openApiDocuments(services.resolve(tokens.options)));
  provide(services, tokens.app, appOf);
  return services.resolve(tokens.app);
}

function token<T>(name: string): InjectionToken<T> {
  return Symbol(name);
}

function provide<T>(
  services: DependencyContainer,
  key: InjectionToken<T>,
  create: (services: DependencyContainer) => T,
): void {
  services.register(key, { useFactory: instanceCachingFactory(create) });
}

function healthOf(services: DependencyContainer): Health {
  const { config, content, phase, temporal, workers, subscriptions, generations } = services.resolve(tokens.options);
  return createHealth(phase, [
    databaseCheck(() => content.database.writeState()),
    changesCheck(() => readChangeLag(content.database)),
    holdCheck(() => readHold(config.home)),
    pluginSetCheck(() => generations.report().pluginSet),
    pluginsCheck(
      () => content.registry.reports(),
      (id) => {
        const plugin = content.registry.registeredPlugins().find(({ manifest }) => manifest.id === id);
        return content.registry.enter(id, () => plugin?.definition.health?.(plugin.context));
      },
    ),
    () => Promise.resolve(subscriptions.engine.health()),
    async () => (workers.health().length > 0 ? [await temporal.health(), ...workers.health()] : []),
  ]);
}

function metricsOf(services: DependencyContainer): Metrics {
  const { content, workers, subscriptions } = services.resolve(tokens.options);
  const metrics = createMetrics(content.database, content.functions);
  addWorkerMetrics(metrics.registry, workers);
  addSubscriptionMetrics(metrics.registry, subscriptions);
  return metrics;
}

function appOf(services: DependencyContainer): RequestListener {
  const { config, logger, content, port, messages, draining } = services.resolve(tokens.options);
  const { identity } = content;
  const cookies = createSessionCookies(identity.installationId, config.publicUrl?.startsWith('https:') === true);
  const plugins = content.registry.registeredPlugins();
  const mounts = plugins.flatMap((plugin) => plugin.mounts);
  const ofPlugins = (access: RouteAccess) =>
    plugins.flatMap(({ routes }) => routes.filter(({ options }) => options.access === access));
  const metrics = services.resolve(tokens.metrics);
  const server = routeServer({ config, content, draining, logger });
  const hidePaths = createHidePaths(config, () => content.registry.reports().map(({ folder }) => folder));
  return createApp({
    messages,
    gate: createGate({ port: () => port, publicUrl: config.publicUrl, isOpen: () => !identity.isSignInRequired() }),
    trustedProxies: config.trustedProxies,
    authenticate: createAuthentication({
      identity,
      cookies,
      localToken: createLocalToken(config.home),
      isPublic: createIsPublic(mounts, declaredWith('public')),
      callsPublicRoute: createCallsPublicRoute(ofPlugins('public')),
      readsItems: createReadsItems(mounts, [...declaredWith('items'), ...ofPlugins('items')]),
      prepare: (principal) => content.policies.prepare(principal.rights, principal),
    }),
    metrics,
    logger,
    hidePaths,
    routes: [
      ...contentRoutes(services.resolve(tokens.options), server),
      ...routesOfPlugins(services.resolve(tokens.options), server),
      ...identityRoutes({ ...services.resolve(tokens.options), cookies, server }),
      hostRoutes(
        healthRoutes,
        { health: services.resolve(tokens.health), registry: metrics.registry, hidePaths },
        server,
      ),
      ...routesOfPlatform(services.resolve(tokens.options), server, hidePaths),
      ...routesOfSubscriptions({ ...services.resolve(tokens.options), server }),
      hostRoutes(documentRoutes, { openApi: (...asked) => services.resolve(tokens.openApi)(...asked) }, server),
      docsRoutes(docsPage()),
    ],
  });
}

function contentRoutes({ config, content, logger }: ComposeOptions, server: HostRouteServer): readonly Routes[] {
  const { registry, repository, writer, bulk, database, changes, hub } = content;
  const area = { scopeOf: scopeOf(content), findType: createFindServedType(registry), repository, writer };
  const spoolFolder = join(config.home, 'imports');
  return [
    hostRoutes(allTypesRoutes, { scopeOf: area.scopeOf, searchItems: createSearchItems(database) }, server),
    // Most requests ask for lists: each route before theirs costs a comparison with its path.
    serveItemRoutes(typeRoutes, area, server),
    hostRoutes(changeRoutes, { ...area, changes, hub, query: (statement) => database.query(statement) }, server),
    serveItemRoutes(itemRoutes, area, server),
    serveItemRoutes(
      transferRoutes,
      {
        ...{ ...area, bulk, database, logger, spoolFolder },
        capacity: createImportCapacity(config.importLimit),
        limit: config.importLimit,
        maxLineLength: config.importLineLimit,
      },
      server,
    ),
  ];
}

/** What all routes are served with. */
function routeServer({
  config,
  content,
  draining,
  logger,
}: Pick<ComposeOptions, 'config' | 'content' | 'draining' | 'logger'>): HostRouteServer {
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

function routesOfPlatform(options: ComposeOptions, server: HostRouteServer, hidePaths: HidePaths): readonly Routes[] {
  const { config, content, report } = options;
  const { registry, repository, database } = content;
  return [
    hostRoutes(
      platformRoutes,
      {
        scopeOf: scopeOf(content),
        hasItems: (scope) => hasItems(scope, database),
        findItemsByValue: (scope, field, value) => findItemsByValue(scope, repository, field, value),
        attention: (scope) => attentionEntries(scope, repository),
        recentItems: (scope) => recentItems(scope, database),
      },
      server,
    ),
    hostRoutes(
      reportRoutes,
      {
        async report(found) {
          await registry.uis();
          const known = registry.reports();
          return { ...report, plugins: found ? await includeNewPackages(config, known) : known };
        },
        generations: () => ({ ...options.generations.report(), takesPackages: config.takesPackages !== false }),
        hidePaths,
      },
      server,
    ),
    hostRoutes(commandRoutes, { plugins: () => registry.registeredPlugins() }, server),
    ...routesOfPluginChanges(options, server, hidePaths),
  ];
}

/** Everything that a request reads and writes goes by the rights of who makes it. */
function scopeOf({ policies }: Content): (principal: Principal, requestId: string) => Scope {
  return (principal, requestId) => scopeOfPrincipal(policies, principal, requestId);
}
