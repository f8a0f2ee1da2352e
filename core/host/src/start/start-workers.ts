import { readHold } from '@gantry/core-common';
import type { Content } from '../composition/open-content';
import type { HostOptions } from '../host-options';
import type { AppOptions, Modules } from '@gantry/core-http';
import { createServiceWorkers } from '../temporal/service-workers';
import { readTemporalSettings } from '../temporal/settings';
import type { TemporalAccess } from '../temporal/temporal-access';
import { addWorkerMetrics } from '../temporal/worker-metrics';
import type { Endings } from './endings';
import type { Waiting } from './waiting';

interface WorkerParts {
  readonly content: Content;
  readonly temporal: TemporalAccess;
  readonly modules: Modules;
  readonly waiting: Waiting;
  readonly endings: Endings;
}

/** Starts the workers of services and modules. @returns their health and metrics */
export async function startWorkers(
  { config, logger, environment, workerTimeoutMs, isRestart }: HostOptions,
  { content: { registry, requests }, temporal, modules, waiting, endings }: WorkerParts,
): Promise<Pick<AppOptions, 'checks' | 'addMetrics'>> {
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
  const check = async () => {
    const parts = workers.health();
    // Without services, nothing is asked of Temporal.
    return parts.length > 0 ? [await temporal.health(), ...parts] : [];
  };
  return { checks: [check], addMetrics: (metrics) => addWorkerMetrics(metrics, workers) };
}
