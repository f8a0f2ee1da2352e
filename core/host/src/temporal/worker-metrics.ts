import { Gauge, type Registry } from '@gantry/core-http';
import type { ServiceWorkers } from './service-workers';

/** Whether each worker polls, and what it has in hand. */
export function addWorkerMetrics(registry: Registry, workers: ServiceWorkers): void {
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
