import { readHold } from '@gantry/core-common';
import type { Content } from '../composition/open-content';
import type { HostOptions } from '../host-options';
import { Gauge, type AppOptions, type Modules, type Registry } from '@gantry/core-http';
import { createServiceWorkers, type ServiceWorkers } from '../temporal/service-workers';
import { readTemporalSettings } from '../temporal/settings';
import type { TemporalAccess } from '../temporal/temporal-access';
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

/** Whether each worker polls, and what it has in hand. */
function addWorkerMetrics(registry: Registry, workers: ServiceWorkers): void {
  const inFlight = new Gauge({
    name: 'gantry_worker_in_flight',
    help: 'Workflow activations and activities that a worker is processing.',
    labelNames: ['task_queue', 'kind'],
    registers: [registry],
    collect() {
      for (const { taskQueue, worker } of workers.running()) {
        const status = worker.getStatus();
        inFlight.set({ task_queue: taskQueue, kind: 'workflow' }, status.numInFlightWorkflowActivations);
        inFlight.set({ task_queue: taskQueue, kind: 'activity' }, status.numInFlightActivities);
      }
    },
  });
  const up = new Gauge({
    name: 'gantry_worker_up',
    help: '1 while the worker of a service runs.',
    labelNames: ['worker'],
    registers: [registry],
    collect() {
      for (const part of workers.health()) up.set({ worker: part.name }, part.status === 'up' ? 1 : 0);
    },
  });
}
