import type { Logger } from '@gantry/plugin-api';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { HealthPart } from '../http/health';
import type { RegisteredPlugin } from '../plugins';
import { pause } from './pause';
import type { TemporalSettings } from './settings';
import { createServiceWorker } from './service-worker';

/** The workers of this process: one for every service plugin, each on its own task queue. */
export interface ServiceWorkers {
  /** Resolves when every worker polls, or cannot for now; those go on trying in the background. */
  start(): Promise<void>;
  health(): readonly HealthPart[];
  /** Workers by task queue, for metrics. */
  running(): readonly { readonly taskQueue: string; readonly worker: Worker }[];
  /** Takes no new work and lets what runs finish. */
  stop(): Promise<void>;
}

export interface ServiceWorkersOptions {
  readonly settings: TemporalSettings | undefined;
  readonly plugins: readonly RegisteredPlugin[];
  readonly logger: Logger;
}

const retryMs = { first: 500, most: 10_000 } as const;

/** One native connection and one runtime serve all workers; a worker that ends takes none of the others with it. */
export function createServiceWorkers({ settings, plugins, logger }: ServiceWorkersOptions): ServiceWorkers {
  const services = plugins.filter(({ definition }) => definition.service !== undefined);
  if (settings === undefined || services.length === 0) return noWorkers(services);
  const stopped = new AbortController();
  const workers = services.map((plugin) => createServiceWorker({ plugin, namespace: settings.namespace, logger }));
  let connection: NativeConnection | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const connectAndRun = async (firstAttempt: () => void): Promise<void> => {
    const { installRuntime } = await import('./runtime.js');
    installRuntime(logger);
    connection = await connectUntilThere(settings, logger, stopped.signal, firstAttempt);
    if (connection === undefined) return;
    const current = connection;
    await Promise.all(workers.map((worker) => worker.run(current, stopped.signal)));
  };

  return {
    start() {
      return new Promise((resolve) => {
        // A first attempt that fails lets the host become ready, degraded.
        running = connectAndRun(resolve).catch((error: unknown) => {
          logger.error({ err: error }, 'the workers could not be started');
          resolve();
        });
        void Promise.all(workers.map((worker) => worker.polling)).then(() => resolve());
      });
    },
    health: () => workers.map((worker) => worker.health()),
    running: () => workers.flatMap(({ taskQueue, current }) => {
      const worker = current();
      return worker === undefined ? [] : [{ taskQueue, worker }];
    }),
    async stop() {
      stopped.abort(new Error('The host is stopping.'));
      await running;
      await connection?.close();
    },
  };
}

function noWorkers(services: readonly RegisteredPlugin[]): ServiceWorkers {
  return {
    start: async () => undefined,
    health: () => services.map(({ manifest }) => ({ name: `worker ${manifest.id}`, status: 'degraded', message: 'It waits for Temporal.' })),
    running: () => [],
    stop: async () => undefined,
  };
}

async function connectUntilThere(
  settings: TemporalSettings,
  logger: Logger,
  signal: AbortSignal,
  onFirstFailure: () => void,
): Promise<NativeConnection | undefined> {
  const { NativeConnection: Native } = await import('@temporalio/worker');
  for (let delay: number = retryMs.first; !signal.aborted; delay = Math.min(delay * 2, retryMs.most)) {
    try {
      return await Native.connect({ ...settings.connection, address: settings.address });
    } catch (error) {
      if (delay === retryMs.first) logger.warn({ address: settings.address, reason: String(error) }, 'Temporal cannot be reached; trying on');
      onFirstFailure();
      await pause(delay, signal);
    }
  }
  return undefined;
}
