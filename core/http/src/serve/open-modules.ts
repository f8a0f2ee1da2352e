import type { Registry } from 'prom-client';
import type { HostRoute, HostRouteServer } from '../exchange/host-routes';
import type { Routes } from '../exchange/routes';
import type { Authenticate, Kernel, Module, ModuleService } from '../module';
import type { HealthPart } from '../ports';
import { declaredRoutes } from './declared-routes';

/** The modules in a running host. */
export interface Modules {
  /** Of paths below those of item types, which come before the routes of the items themselves. */
  routesOfItems(server: HostRouteServer): readonly Routes[];
  routes(server: HostRouteServer): readonly Routes[];
  /** Of the one that knows who makes a request. */
  readonly authenticate: Authenticate;
  health(): Promise<readonly HealthPart[]>;
  addMetrics(registry: Registry): void;
  readonly services: readonly ModuleService[];
  /** All routes of the platform that are declared with their contracts, for documents about them. */
  readonly declared: readonly HostRoute<never>[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens modules, in the order of the list. @param host what the host hands over to them */
export function openModules<Settings, Host>(
  modules: readonly Module<Settings, Host>[],
  kernel: Kernel<Settings>,
  host: Host,
): Modules {
  const opened = modules.map((module) => ({ ...module.open(kernel, host), isOfItems: isOfItems(module) }));
  const ofItems = opened.filter((module) => module.isOfItems);
  const others = opened.filter((module) => !module.isOfItems);
  const [authenticate] = opened.flatMap((module) => module.authenticate ?? []);
  if (authenticate === undefined) throw new Error('No module knows who makes a request.');
  return {
    routesOfItems: (server) => ofItems.flatMap(({ routes }) => routes(server)),
    routes: (server) => others.flatMap(({ routes }) => routes(server)),
    authenticate,
    health: async () => (await Promise.all(opened.map(async (module) => module.health?.() ?? []))).flat(),
    addMetrics(registry) {
      for (const module of opened) module.addMetrics?.(registry);
    },
    declared: declaredRoutes(modules),
    services: opened.flatMap(({ service }) => service ?? []),
    async start() {
      for (const module of opened) await module.start?.();
    },
    async stop() {
      await Promise.all(opened.map(async (module) => module.stop?.()));
    },
  };
}

function isOfItems({ routes }: Pick<Module<never, never>, 'routes'>): boolean {
  return routes.some(({ path }) => path.startsWith('/api/cms/items/'));
}
