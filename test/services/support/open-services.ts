import {
  GantryError,
  type Database,
  type Logger,
  type PluginContext,
  type PluginDefinition,
  type RouteRequest,
  type RouteResponse,
  type Temporal,
} from '@gantry/plugin-api';
import { callRoute, createCollectingRouter, linkDefinitions, openItems, type RegisteredRoute } from '@gantry/host';
import consignment from '@gantry/service-consignment';
import email from '@gantry/service-email';
import ops from '@gantry/service-ops';
import order from '@gantry/service-order';
import payment from '@gantry/service-payment';
import { createTestDatabase } from '../../support/database';

/** Of the answers of routes. */
export type { PlatformSchema } from '@gantry/client/platform';

const definitions = { order, email, payment, consignment, ops };
type Service = keyof typeof definitions;

/** The order services on a database with their tables, each as far as a test asks for it. */
export interface OpenServices {
  readonly database: Database;
  /** Ids of the plugins of the set; a test may take one away for a while. */
  readonly pluginSet: Set<string>;
  /** Context of the functions of a service. */
  context(service: Service): PluginContext;
  /** The activities of a service, as its worker has them. */
  activities<A>(service: Service): A;
  /** Calls a route as the host does after reading the request, for example `POST /payment`. */
  call(route: string, request?: Partial<RouteRequest>): Promise<RouteResponse>;
  close(): Promise<void>;
}

export interface OpenServicesOptions {
  /** Configuration of the services. */
  readonly environment?: Readonly<Record<string, string>>;
  /** A Temporal that is unavailable unless given. */
  readonly temporal?: Temporal;
}

export async function openServices(options: OpenServicesOptions = {}): Promise<OpenServices> {
  const { environment = {}, temporal = awayTemporal } = options;
  const testDatabase = await createTestDatabase();
  linked ??= linkDefinitions(Object.values(definitions));
  const content = await openItems({ databaseUrl: testDatabase.url, logger: silent, linked });
  const database = content.database.plugins;
  const stopped = new AbortController();
  const pluginSet = new Set(Object.keys(definitions));
  const context = (service: Service): PluginContext => ({
    plugin: { id: service, version: '0.1.0' },
    logger: silent,
    config: definitions[service].config?.(environment) ?? {},
    dataFolder: '/nowhere',
    items: content.of(service),
    services: noServices,
    database,
    temporal,
    platform: {
      pluginIds: () => [...pluginSet],
      pluginUis: () => Promise.resolve([]),
      views: () => ({ homeCards: [], tablePages: [] }),
      itemTypes: () => [],
      itemMetadata: () => undefined,
    },
    settings: { get: refuse },
    metrics: { add: nothing, set: nothing, observe: nothing },
    now: () => new Date(),
    signal: stopped.signal,
  });
  const routes = routesOf(context);
  return {
    database,
    pluginSet,
    context,
    activities: <A>(service: Service) => definitions[service].service?.activities?.(context(service)) as A,
    async call(route, request = {}) {
      const registered = routes.get(route);
      if (registered === undefined) throw new Error(`There is no route ${route}.`);
      const empty = { params: {}, query: {}, body: undefined, caller, requestId: 'test', signal: stopped.signal };
      const { status = 200 } = registered.contract ?? {};
      const answer = await callRoute(registered, { ...empty, ...request });
      return status === 200 ? answer : { status, ...answer };
    },
    async close() {
      stopped.abort();
      await content.close();
      await testDatabase.drop();
    },
  };
}

/** The same for all suites of a file, each of which has orders with other ids. */
export function useServices(): () => OpenServices {
  let services: OpenServices | undefined;
  beforeAll(async () => {
    services = await openServices();
  });
  afterAll(() => services?.close());
  return () => {
    if (services === undefined) throw new Error('The services are only known while tests run.');
    return services;
  };
}

const caller = { kind: 'local', id: 'local', name: 'local', login: 'local', permissions: [] } as const;
const nothing = (): void => undefined;
const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The order services talk to each other through Temporal only. */
const refuse = (): never => {
  throw new Error('An order service provides nothing to plugins and resolves nothing of them.');
};
const noServices = { get: refuse, find: refuse, provide: refuse };

/** Of all tests of a file: a class is linked once. */
let linked: ReturnType<typeof linkDefinitions> | undefined;

const awayTemporal: Temporal = {
  namespace: 'default',
  client: () => Promise.reject(new GantryError('UNAVAILABLE', 'Temporal is unavailable in this test.')),
};

function routesOf(context: (service: Service) => PluginContext): ReadonlyMap<string, RegisteredRoute> {
  const routes = Object.entries(definitions).flatMap(([service, definition]: readonly [string, PluginDefinition]) => {
    const collecting = createCollectingRouter(service);
    definition.register?.({ ...context(service as Service), services: noServices, router: collecting.router });
    if (collecting.problems.length > 0) throw new Error(collecting.problems.join('\n'));
    return collecting.routes;
  });
  return new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
}
