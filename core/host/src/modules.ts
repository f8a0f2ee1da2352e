import { history } from '@gantry/core-history';
import type {
  HealthPart,
  HostRoute,
  HostRouteServer,
  Kernel,
  Module,
  ModuleService,
  Registry,
  Routes,
} from '@gantry/core-http';
import { createLocalToken, identityModule, identityRoutes, type Identity } from '@gantry/core-identity';
import { transfer } from '@gantry/core-transfer';
import { jobs, webhooks } from '@gantry/core-webhooks';
import type { HostConfig } from './config';
import { checkProgram } from './for-commands';
import { lifecycleModule, lifecycleRoutes, type LifecycleOptions } from '@gantry/core-lifecycle';

interface ModuleOptions extends Omit<LifecycleOptions, 'checkProgram' | 'localToken'> {
  readonly identity: Identity;
}

/** The modules of the platform. */
function modulesWith(options: ModuleOptions, { home }: HostConfig): readonly Module<HostConfig>[] {
  const lifecycle = lifecycleModule({ ...options, checkProgram, localToken: createLocalToken(home) });
  return [history, transfer, identityModule(options.identity), webhooks, jobs, lifecycle];
}

/** Their routes by their contracts. */
export const routesOfModules: readonly HostRoute<never>[] = [
  ...[...history.routes, ...transfer.routes, ...lifecycleRoutes, ...identityRoutes, ...webhooks.routes],
];

/** The modules in a running host. */
export interface Modules {
  /** Of paths below those of item types, which come before the routes of the items themselves. */
  routesOfItems(server: HostRouteServer): readonly Routes[];
  routes(server: HostRouteServer): readonly Routes[];
  health(): readonly HealthPart[];
  addMetrics(registry: Registry): void;
  readonly services: readonly ModuleService[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function openModules(options: ModuleOptions, kernel: Kernel<HostConfig>): Modules {
  const opened = modulesWith(options, kernel.settings).map((module) => ({
    ...module.open(kernel),
    isOfItems: isOfItems(module),
  }));
  const ofItems = opened.filter((module) => module.isOfItems);
  const others = opened.filter((module) => !module.isOfItems);
  return {
    routesOfItems: (server) => ofItems.flatMap(({ routes }) => routes(server)),
    routes: (server) => others.flatMap(({ routes }) => routes(server)),
    health: () => opened.flatMap((module) => module.health?.() ?? []),
    addMetrics(registry) {
      for (const module of opened) module.addMetrics?.(registry);
    },
    services: opened.flatMap(({ service }) => service ?? []),
    async start() {
      for (const module of opened) await module.start?.();
    },
    async stop() {
      await Promise.all(opened.map(async (module) => module.stop?.()));
    },
  };
}

function isOfItems({ routes }: Module<HostConfig>): boolean {
  return routes.some(({ path }) => path.startsWith('/api/cms/items/'));
}
