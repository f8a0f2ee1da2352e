import { access } from 'node:fs/promises';
import type { Logger } from '@gantry/plugin-api';
import type { NativeConnection, Worker, WorkerOptions } from '@temporalio/worker';
import { pause, messageOf } from '@gantry/core-common';
import type { HealthPart } from '@gantry/core-http';

/** The worker of one service, started again whenever it fails. */
export interface ServiceWorker {
  readonly taskQueue: string;
  /** Resolves when it polls for the first time, or has failed to. */
  readonly polling: Promise<void>;
  current(): Worker | undefined;
  health(): HealthPart;
  /** Runs until the signal aborts, then drains. Never rejects. */
  run(connections: WorkerConnections, signal: AbortSignal): Promise<void>;
}

/** The connection that all workers share, and a way to another one. */
export interface WorkerConnections {
  readonly shared: NativeConnection;
  open(): Promise<NativeConnection>;
}

/** The service that a worker runs: of a plugin, or of the platform itself. */
export interface WorkerService {
  /** Of the plugin, or what the platform calls it. */
  readonly id: string;
  readonly taskQueue: string;
  readonly workflowsPath?: string | undefined;
  /** Called whenever the worker begins. */
  readonly activities?: (() => object | undefined) | undefined;
  readonly limits?: Pick<WorkerOptions, 'maxConcurrentActivityTaskExecutions' | 'maxHeartbeatThrottleInterval'>;
  /** The worker begins when it resolves, and has no part in health before; at once unless given. */
  readonly needed?: Promise<void>;
}

export interface ServiceWorkerOptions {
  readonly service: WorkerService;
  readonly namespace: string;
  readonly logger: Logger;
  readonly enter: EnterPlugin;
  /** Converts an error of Temporal into a sentence with a remedy. */
  readonly explain: (error: unknown) => Promise<string>;
}

/** Runs code of a plugin, so that what comes of it is known to be the plugin's. */
export type EnterPlugin = <T>(pluginId: string, code: () => T) => T;

const retryMs = { first: 500, max: 10_000 } as const;
/** A worker that ran for so long was in order, so that the next attempt may come at once. */
const steadyAfterMs = 60_000;

export function createServiceWorker(options: ServiceWorkerOptions): ServiceWorker {
  const { service, namespace, logger, enter, explain } = options;
  const { id, taskQueue } = service;
  let nowPolling = (): void => undefined;
  const polling = new Promise<void>((resolve) => {
    nowPolling = resolve;
  });
  let worker: Worker | undefined;
  let problem: string | undefined = 'It waits for Temporal.';

  const runOnce = async (connection: NativeConnection, signal: AbortSignal): Promise<void> => {
    const { Worker: WorkerClass } = await import('@temporalio/worker');
    const created = await WorkerClass.create({
      ...(await optionsOf(service, enter)),
      connection,
      namespace,
      taskQueue,
    });
    const done = created.run();
    worker = created;
    problem = undefined;
    nowPolling();
    await endWith(signal, created, done);
  };

  const report = async (error: unknown): Promise<void> => {
    const next = error instanceof ServiceProblem ? error.message : await describe(error, id, explain);
    const isNew = next !== problem;
    problem = next;
    if (isNew) logger.error({ err: error, plugin: id, taskQueue }, 'the worker ended and is restarted');
  };

  return {
    taskQueue,
    polling,
    current: () => worker,
    health: () => healthOf(taskQueue, problem ?? problemOf(worker)),
    async run(connections, signal) {
      const connection = createRenewable(connections);
      let delay: number = retryMs.first;
      while (!signal.aborted) {
        const startedAt = performance.now();
        try {
          await runOnce(await connection.get(), signal);
        } catch (error) {
          if (performance.now() - startedAt > steadyAfterMs) delay = retryMs.first;
          worker = undefined;
          await report(error);
          nowPolling();
          if (!(error instanceof ServiceProblem)) await connection.discard();
          await pause(delay, signal);
          delay = Math.min(delay * 2, retryMs.max);
        }
        worker = undefined;
      }
      await connection.discard();
    },
  };
}

interface RenewableConnection {
  get(): Promise<NativeConnection>;
  discard(): Promise<void>;
}

/**
 * The shared connection at first. The SDK keeps the queue of a worker that failed for taken as long as the connection
 * exists, and would reject every further worker on it, so that the next one gets a separate connection.
 */
function createRenewable({ shared, open }: WorkerConnections): RenewableConnection {
  let current: NativeConnection | undefined = shared;
  return {
    get: async () => (current ??= await open()),
    async discard() {
      const old = current;
      current = undefined;
      // A connection that still counts as used cannot be closed, and ends with the process; the worker must continue.
      if (old !== shared) await old?.close().catch(() => undefined);
    },
  };
}

/** A fault of the service itself; the message says what to do. */
class ServiceProblem extends Error {}

/** How long activities may keep running when the host stops. */
const shutdownGraceTime = '8 seconds';

type OwnOptions = Pick<WorkerOptions, 'workflowBundle' | 'activities' | 'shutdownGraceTime'>;

/** @throws ServiceProblem when the service does not bring what it promises. */
async function optionsOf(service: WorkerService, enter: EnterPlugin): Promise<OwnOptions> {
  const { id, workflowsPath, limits } = service;
  const activities = activitiesOf(service);
  if (workflowsPath !== undefined) await assertBundle(id, workflowsPath);
  else if (!hasFunctions(activities)) throw serviceWithoutWork(id);
  return {
    ...limits,
    shutdownGraceTime,
    ...(workflowsPath === undefined ? {} : { workflowBundle: { codePath: workflowsPath } }),
    ...(activities === undefined ? {} : { activities: entered(id, activities, enter) }),
  };
}

function activitiesOf({ id, activities }: WorkerService): object | undefined {
  try {
    return activities?.();
  } catch (error) {
    const reason = messageOf(error);
    throw new ServiceProblem(`The activities of ${id} cannot be created: ${reason}`, { cause: error });
  }
}

function entered(id: string, activities: object, enter: EnterPlugin): object {
  const enteredActivities = Object.entries(activities).map(([name, activity]: [string, unknown]) => {
    if (typeof activity !== 'function') return [name, activity];
    const call = activity as (...args: readonly unknown[]) => unknown;
    return [name, (...args: readonly unknown[]) => enter(id, () => call(...args))];
  });
  return Object.fromEntries(enteredActivities) as object;
}

function hasFunctions(activities: object | undefined): boolean {
  return Object.values(activities ?? {}).some((activity) => typeof activity === 'function');
}

function serviceWithoutWork(id: string): ServiceProblem {
  return new ServiceProblem(
    `The service of ${id} has neither workflows nor activities. Set workflowsPath, or activities: a synchronous function that returns functions by name.`,
  );
}

async function assertBundle(id: string, file: string): Promise<void> {
  try {
    await access(file);
  } catch (error) {
    throw new ServiceProblem(`The bundle with the workflows of ${id} is missing. Build the plugin.`, { cause: error });
  }
}

/** Waits for the worker to end; when the signal aborts, it takes no new work and finishes what it has. */
async function endWith(signal: AbortSignal, worker: Worker, done: Promise<void>): Promise<void> {
  const shutdown = (): void => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  if (signal.aborted) shutdown();
  signal.addEventListener('abort', shutdown, { once: true });
  await done.finally(() => signal.removeEventListener('abort', shutdown));
}

async function describe(error: unknown, id: string, explain: ServiceWorkerOptions['explain']): Promise<string> {
  const reason = messageOf(error);
  // The SDK's own errors are of these names; everything else comes from the workflows of the plugin.
  const isOfTemporal = error instanceof Error && ['TransportError', 'ServiceError'].includes(error.name);
  return isOfTemporal ? explain(error) : `The worker of ${id} ended: ${reason}`;
}

/** A worker can stop polling for one kind of task while it continues with the other. */
function problemOf(worker: Worker | undefined): string | undefined {
  if (worker === undefined) return 'It is being restarted.';
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  const hasFailed = runState === 'FAILED' || workflowPollerState === 'FAILED' || activityPollerState === 'FAILED';
  return hasFailed ? 'It no longer polls Temporal for tasks. Restart the platform.' : undefined;
}

function healthOf(taskQueue: string, message: string | undefined): HealthPart {
  const name = `worker ${taskQueue}`;
  return message === undefined ? { name, status: 'up' } : { name, status: 'degraded', message };
}
