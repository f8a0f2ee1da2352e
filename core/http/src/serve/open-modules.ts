import { describeError, pause } from '@gantry/core-common';
import type { Logger } from '@gantry/plugin-api';
import type { Registry } from 'prom-client';
import type { HostRoute, HostRouteServer } from '../exchange/host-routes';
import type { Routes } from '../exchange/routes';
import type { Authenticate, Kernel, Module, ModuleService, OpenModule } from '../module';
import type { ChangesPort, HealthPart } from '../ports';
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

const retryMs = 5_000;

/** Opens modules, in the order of the list. @param host what the host hands over to them */
export function openModules<Settings, Host>(
  modules: readonly Module<Settings, Host>[],
  kernel: Omit<Kernel<Settings>, 'changes'>,
  host: Host,
): Modules {
  let changes: ChangesPort | undefined;
  const withPorts = {
    ...kernel,
    get changes(): ChangesPort {
      if (changes === undefined) throw new Error('No module before this one keeps the change feed.');
      return changes;
    },
  };
  const opened = modules.map((module) => {
    const one = module.open(withPorts, host);
    changes ??= one.changes;
    return { ...one, id: module.id, isOfItems: isOfItems(module) };
  });
  const ofItems = opened.filter((module) => module.isOfItems);
  const others = opened.filter((module) => !module.isOfItems);
  const stopping = new AbortController();
  const starts = opened.map((module) => createStart(module, kernel.logger, stopping.signal));
  const [authenticate] = opened.flatMap((module) => module.authenticate ?? []);
  if (authenticate === undefined) throw new Error('No module knows who makes a request.');
  return {
    routesOfItems: (server) => ofItems.flatMap(({ routes }) => routes(server)),
    routes: (server) => others.flatMap(({ routes }) => routes(server)),
    authenticate,
    health: async () => {
      const parts = await Promise.all(opened.map(async (module) => module.health?.() ?? []));
      return [...starts.flatMap((start) => start.health()), ...parts.flat()];
    },
    addMetrics(registry) {
      for (const module of opened) module.addMetrics?.(registry);
    },
    declared: declaredRoutes(modules),
    services: opened.flatMap(({ service }) => service ?? []),
    async start() {
      for (const start of starts) await start.begin();
    },
    async stop() {
      stopping.abort();
      await Promise.all(starts.map((start) => start.ended()));
      await Promise.all(opened.map(async (module) => module.stop?.()));
    },
  };
}

type StartedModule = Pick<Module<never, never>, 'id'> & Pick<OpenModule, 'start'>;

interface Start {
  /** The first attempt; further ones follow by themselves. */
  begin(): Promise<void>;
  health(): readonly HealthPart[];
  ended(): Promise<void>;
}

/** A module that cannot start, for example without its database, is degraded and tried again; the platform serves without it. */
function createStart(module: StartedModule, logger: Logger, stopped: AbortSignal): Start {
  let failure: string | undefined;
  let further: Promise<void> = Promise.resolve();
  const attempt = async (): Promise<void> => {
    if (stopped.aborted) return;
    try {
      await module.start?.();
      failure = undefined;
    } catch (error) {
      failure = describeError(error);
      logger.warn({ module: module.id, err: error }, 'a module could not start; it is tried again');
    }
  };
  const goOn = async (): Promise<void> => {
    while (failure !== undefined && !stopped.aborted) {
      await pause(retryMs, stopped);
      await attempt();
    }
  };
  return {
    async begin() {
      await attempt();
      further = goOn();
    },
    health() {
      if (failure === undefined) return [];
      const message = `It could not start yet, and is tried again every ${retryMs / 1_000} s: ${failure}`;
      return [{ name: `module ${module.id}`, status: 'degraded', message }];
    },
    ended: () => further,
  };
}

function isOfItems({ routes }: Pick<Module<never, never>, 'routes'>): boolean {
  return routes.some(({ path }) => path.startsWith('/api/cms/items/'));
}
