import { readHold } from '@gantry/core-common';
import type { Content } from '../composition/open-content';
import type { HostOptions } from '../host-options';
import type { Modules } from '../modules';
import { createServiceWorkers, type ServiceWorkers } from '../temporal/service-workers';
import { readTemporalSettings } from '../temporal/settings';
import type { Endings } from './endings';
import type { Waiting } from './waiting';

interface WorkerParts {
  readonly content: Content;
  readonly modules: Modules;
  readonly waiting: Waiting;
  readonly endings: Endings;
}

/** The workers of services and modules. */
export async function startWorkers(
  { config, logger, environment, workerTimeoutMs, isRestart }: HostOptions,
  { content: { registry, requests }, modules, waiting, endings }: WorkerParts,
): Promise<ServiceWorkers> {
  const workers = createServiceWorkers({
    settings: readTemporalSettings(environment),
    plugins: registry.registeredPlugins(),
    platform: modules.services,
    logger,
    enter: (plugin, code) => requests.leave(() => registry.enter(plugin, code)),
    hold: () => readHold(config.home),
    ...(workerTimeoutMs === undefined ? {} : { startTimeoutMs: workerTimeoutMs }),
  });
  waiting.watch(workers);
  endings.add('work', () => workers.stop());
  const polling = workers.start();
  if (isRestart !== true) await polling;
  await modules.start();
  return workers;
}
