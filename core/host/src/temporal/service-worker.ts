import type { Logger } from '@gantry/plugin-api';
import type { NativeConnection, Worker, WorkerOptions } from '@temporalio/worker';
import type { HealthPart } from '../http/health';
import type { RegisteredPlugin } from '../plugins';
import { pause } from './pause';

/** The worker of one service, started again whenever it fails. */
export interface ServiceWorker {
  readonly taskQueue: string;
  /** Resolves when it polls for the first time, or has failed to. */
  readonly polling: Promise<void>;
  current(): Worker | undefined;
  health(): HealthPart;
  /** Runs until the signal aborts, then drains. Never rejects. */
  run(connection: NativeConnection, signal: AbortSignal): Promise<void>;
}

export interface ServiceWorkerOptions {
  readonly plugin: RegisteredPlugin;
  readonly namespace: string;
  readonly logger: Logger;
}

const retryMs = { first: 1_000, most: 30_000 } as const;

export function createServiceWorker({ plugin, namespace, logger }: ServiceWorkerOptions): ServiceWorker {
  const { id } = plugin.manifest;
  const taskQueue = plugin.definition.service?.taskQueue ?? id;
  let nowPolling = (): void => undefined;
  const polling = new Promise<void>((resolve) => {
    nowPolling = resolve;
  });
  let worker: Worker | undefined;
  let problem: string | undefined = 'It waits for Temporal.';

  const runOnce = async (connection: NativeConnection, signal: AbortSignal): Promise<void> => {
    const { Worker: WorkerClass } = await import('@temporalio/worker');
    const created = await WorkerClass.create({ ...workerOptions(plugin), connection, namespace, taskQueue });
    const shutdown = (): void => {
      if (created.getState() === 'RUNNING') created.shutdown();
    };
    const done = created.run();
    worker = created;
    problem = undefined;
    nowPolling();
    if (signal.aborted) shutdown();
    signal.addEventListener('abort', shutdown, { once: true });
    await done.finally(() => signal.removeEventListener('abort', shutdown));
  };

  return {
    taskQueue,
    polling,
    current: () => worker,
    health: () => ({
      name: `worker ${taskQueue}`,
      status: problem === undefined ? 'up' : 'degraded',
      ...(problem === undefined ? {} : { message: problem }),
    }),
    async run(connection, signal) {
      for (let delay: number = retryMs.first; !signal.aborted; delay = Math.min(delay * 2, retryMs.most)) {
        try {
          await runOnce(connection, signal);
        } catch (error) {
          problem = `The worker of ${id} stopped: ${error instanceof Error ? error.message : String(error)}`;
          logger.error({ err: error, plugin: id, taskQueue }, 'worker stopped; starting it again');
          nowPolling();
          await pause(delay, signal);
        }
        worker = undefined;
      }
    },
  };
}

/** How long activities may go on when the host stops. */
const shutdownGraceTime = '8 seconds';

function workerOptions({ definition, context }: RegisteredPlugin): Pick<WorkerOptions, 'workflowBundle' | 'activities' | 'shutdownGraceTime'> {
  const { workflowsPath, activities } = definition.service ?? {};
  return {
    shutdownGraceTime,
    ...(workflowsPath === undefined ? {} : { workflowBundle: { codePath: workflowsPath } }),
    ...(activities === undefined ? {} : { activities: { ...activities(context) } }),
  };
}
