import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { StartupReport } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { includeNewPackages } from './change/include-new-packages';
import { createPluginChanges } from './change/plugin-changes';
import type { HostConfig } from './config';
import type { Generations } from './change/generations';
import { createHidePaths } from './http/exchange/hide-paths';
import { createApp } from './http/app';
import type { HttpMessages } from './http/http-messages';
import { createJsonReader } from './http/exchange/body';
import { readHold } from './common/hold';
import { createGate } from './http/gate';
import {
  createHealth,
  databaseCheck,
  holdCheck,
  pluginsCheck,
  type Health,
  type LifePhase,
} from './http/platform/health';
import { createMetrics, type Metrics } from './http/platform/metrics';
import { requestIdOf } from './http/exchange/request-context';
import { hasItems } from './content/read/has-items';
import { itemsWith } from './content/read/items-with';
import type { Policy } from './content/policy/policy';
import { anonymousScope, type Scope } from './content/policy/scope';
import { onceFor } from './common/once-for';
import type { Content } from './composition/open-content';
import { createOpenApiDocument, docsPage } from './openapi';
import { quarantinedRoutes } from './http/plugins/quarantined-routes';
import { createAssertServed, createFindServedType, createFindUiFile } from './http/plugins/served-types';
import { addWorkerMetrics } from './temporal/worker-metrics';
import type { ServiceWorkers } from './temporal/service-workers';
import type { TemporalAccess } from './temporal/temporal-access';
import { version } from './version';

export interface ComposeOptions {
  readonly config: HostConfig;
  readonly logger: Logger;
  readonly content: Content;
  readonly temporal: TemporalAccess;
  readonly workers: ServiceWorkers;
  readonly report: StartupReport;
  readonly life: () => LifePhase;
  /** The port that the server really has. */
  readonly port: number;
  /** The classes of the server's requests and responses. */
  readonly messages: HttpMessages;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly generations: Generations;
}

const tokens = {
  options: token<ComposeOptions>('options'),
  health: token<Health>('health'),
  metrics: token<Metrics>('metrics'),
  openApi: token<(scope: Scope) => string>('openApi'),
  app: token<RequestListener>('app'),
};

/** Puts the HTTP application of a host together. The container is a fresh one for every host and goes no further than this file. */
export function composeApp(options: ComposeOptions): RequestListener {
  const services = container.createChildContainer();
  services.register(tokens.options, { useValue: options });
  provide(services, tokens.health, healthOf);
  provide(services, tokens.metrics, metricsOf);
  provide(services, tokens.openApi, openApiOf);
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
  const { config, content, life, temporal, workers } = services.resolve(tokens.options);
  const usesTemporal = workers.health().length > 0;
  return createHealth(life, [
    databaseCheck(() => content.database.writeState()),
    holdCheck(() => readHold(config.home)),
    pluginsCheck(
      () => content.registry.reports(),
      (id) => {
        const plugin = content.registry.registered().find(({ manifest }) => manifest.id === id);
        return content.registry.enter(id, () => plugin?.definition.health?.(plugin.context));
      },
    ),
    ...(usesTemporal ? [async () => [await temporal.health(), ...workers.health()]] : []),
  ]);
}

function metricsOf(services: DependencyContainer): Metrics {
  const { content, workers } = services.resolve(tokens.options);
  const metrics = createMetrics(content.database);
  addWorkerMetrics(metrics.registry, workers);
  return metrics;
}

/** The document is made when it is first asked for: with a thousand types it is large. */
function openApiOf(services: DependencyContainer): (scope: Scope) => string {
  const { config, content } = services.resolve(tokens.options);
  const textFor = onceFor(({ types }: Policy) =>
    JSON.stringify(
      createOpenApiDocument({
        types: types.served().map(({ descriptor }) => descriptor),
        routes: content.registry.registered().flatMap(({ routes }) => routes),
        version,
        bodyLimit: config.bodyLimit,
      }),
    ),
  );
  return ({ policy }) => textFor(policy);
}

function appOf(services: DependencyContainer): RequestListener {
  const { config, logger, content, report, port, environment, generations, messages } = services.resolve(
    tokens.options,
  );
  const plugins = content.registry.registered();
  const quarantined = quarantinedRoutes(content.registry);
  return createApp({
    messages,
    gate: createGate(() => port),
    health: services.resolve(tokens.health),
    metrics: services.resolve(tokens.metrics),
    openApi: services.resolve(tokens.openApi),
    docs: docsPage(),
    logger,
    report: async (found) => {
      await content.registry.uis();
      const known = content.registry.reports();
      return { ...report, plugins: found ? await includeNewPackages(config, known) : known };
    },
    readJson: createJsonReader(config.bodyLimit),
    hidePaths: createHidePaths(config, () => content.registry.reports().map(({ folder }) => folder)),
    changes: createPluginChanges({
      config,
      environment,
      generations,
      running: () => content.registry.registered().map(({ manifest }) => manifest.id),
    }),
    scopeOf: (request) => anonymousScope(content.policy, requestIdOf(request)),
    findType: createFindServedType(content.registry),
    assertServed: createAssertServed(content.registry),
    enter: content.registry.enter,
    findUiFile: createFindUiFile(content.registry),
    repository: content.repository,
    writer: content.writer,
    itemsWith: (scope, field, value) => itemsWith(scope, content.repository, field, value),
    hasItems: (scope) => hasItems(scope, content.database),
    imports: {
      bulk: content.bulk,
      spoolFolder: join(config.home, 'imports'),
      limit: config.importLimit,
      maxLineLength: config.importLineLimit,
    },
    exports: { database: content.database },
    routes: [...plugins.flatMap(({ routes }) => routes), ...quarantined.routes],
    mounts: [...plugins.flatMap(({ mounts }) => mounts), ...quarantined.mounts],
  });
}
