import { setMaxListeners } from 'node:events';
import type { Logger } from '@gantry/plugin-api';
import type { LogLevel, NativeConnection, Worker } from '@temporalio/worker';
import { pause, whenAborted, type Hold } from '@gantry/core-common';
import type { HealthPart } from '@gantry/core-http';
import type { RegisteredPlugin } from '@gantry/core-loader';
import { isComing } from './embedded-state';
import { explainAbsence } from './explain-absence';
import type { TemporalSettings } from './settings';
import { createServiceWorker, type EnterPlugin, type ServiceWorker, type WorkerService } from './service-worker';

/** The workers of this process: one for every service plugin, each on its own task queue. */
export interface ServiceWorkers {
  /** Resolves when every worker polls, or cannot for now; those keep trying in the background. */
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
  /** Services of the platform itself; their activities are run as they are. */
  readonly platform?: readonly WorkerService[];
  readonly logger: Logger;
  /** How activities are run; as they are unless given. */
  readonly enter?: EnterPlugin;
  /** Milliseconds that a start waits for a Temporal that comes up together with it; 20 seconds unless given. */
  readonly startTimeoutMs?: number;
  /** Why no worker may run now; asked again until it is gone. Never unless given. */
  readonly hold?: () => Hold | undefined;
}

/** One native connection and one runtime serve all workers; a worker that ends takes none of the others with it. */
export function createServiceWorkers(options: ServiceWorkersOptions): ServiceWorkers {
  const { settings, plugins, platform = [], logger, startTimeoutMs = 20_000, hold = () => undefined } = options;
  const services = [...plugins.flatMap(servicesOf), ...platform];
  if (settings === undefined || services.length === 0) return noWorkers(services);
  const { stateFile } = settings;
  const workers = workersOf(options, settings, services);
  const needed = new Set(workers.filter((worker) => worker.needed === undefined));
  const stopped = createStop();
  const ended = whenAborted(stopped.signal);
  let connection: NativeConnection | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let ending: Promise<void> | undefined;
  let isHeld = hold() !== undefined;

  const end = async (): Promise<void> => {
    stopped.abort(new Error('The host is stopping.'));
    await running;
    await connection?.close();
  };
  const untilNeeded = async (worker: NeededWorker): Promise<void> => {
    await Promise.race([worker.needed, ended]);
    if (!stopped.signal.aborted) needed.add(worker);
  };
  const connectAndRun = async (onFailure: () => void): Promise<void> => {
    // Without a worker that is needed, there is nothing to connect for.
    await Promise.any(workers.map(untilNeeded));
    await untilHoldEnds(hold, logger, stopped.signal);
    if (stopped.signal.aborted) return;
    isHeld = false;
    await installRuntime(logger);
    connection = await connectWorkers({ settings, logger, signal: stopped.signal, onFailure });
    if (connection === undefined) return;
    const connections = { shared: connection, open: () => openConnection(settings) };
    await Promise.all(
      workers.map(async (worker) => {
        await untilNeeded(worker);
        if (!stopped.signal.aborted) await worker.run(connections, stopped.signal);
      }),
    );
  };

  return {
    async start() {
      const failed = new AbortController();
      const firstFailure = pause(startTimeoutMs, failed.signal);
      const work = connectAndRun(() => {
        if (stateFile === undefined) failed.abort();
      });
      running = work.catch((error: unknown) => logger.error({ err: error }, 'the workers could not be started'));
      const polling = Promise.all([...needed].map((worker) => worker.polling));
      const hopeless = stateFile === undefined ? firstFailure : untilTemporalIsGivenUp(stateFile, failed.signal);
      // Workers that may not run are not awaited.
      if (!isHeld) await Promise.race([polling, running, firstFailure, hopeless]);
      failed.abort();
    },
    health: () => [...needed].map((worker) => (isHeld ? onHold(worker) : worker.health())),
    running: () =>
      workers.flatMap(({ taskQueue, current }) => {
        const worker = current();
        return worker === undefined ? [] : [{ taskQueue, worker }];
      }),
    stop: () => (ending ??= end()),
  };
}

/** Each worker that runs listens to it. */
function createStop(): AbortController {
  const stopped = new AbortController();
  setMaxListeners(0, stopped.signal);
  return stopped;
}

interface NeededWorker extends ServiceWorker {
  readonly needed: Promise<void> | undefined;
}

function workersOf(
  { plugins, logger, enter = (_plugin, code) => code() }: ServiceWorkersOptions,
  settings: TemporalSettings,
  services: readonly WorkerService[],
): readonly NeededWorker[] {
  const { namespace } = settings;
  const explain = (error: unknown): Promise<string> => explainAbsence(settings, error);
  const ofPlugins = new Set(plugins.map(({ manifest }) => manifest.id));
  const enterAny: EnterPlugin = (id, code) => (ofPlugins.has(id) ? enter(id, code) : code());
  return services.map((service) => {
    const worker = createServiceWorker({ service, namespace, logger, enter: enterAny, explain });
    return { ...worker, needed: service.needed };
  });
}

function onHold({ taskQueue }: ServiceWorker): HealthPart {
  return { name: `worker ${taskQueue}`, status: 'degraded', message: 'It is on hold.' };
}

const holdPollIntervalMs = 500;

async function untilHoldEnds(hold: () => Hold | undefined, logger: Logger, signal: AbortSignal): Promise<void> {
  const found = hold();
  if (found === undefined) return;
  logger.warn({ since: found.since, reason: found.reason }, 'the platform is on hold: no worker runs');
  while (!signal.aborted && hold() !== undefined) await pause(holdPollIntervalMs, signal);
  if (!signal.aborted) logger.info({}, 'the hold has ended: the workers start');
}

const pollIntervalMs = 100;

/** Resolves when the launcher has no Temporal to start for now: the host then serves without. */
async function untilTemporalIsGivenUp(stateFile: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await isComing(stateFile))) await pause(pollIntervalMs, signal);
}

/** The service of a plugin, as its worker runs it. */
function servicesOf({ manifest, definition, context }: RegisteredPlugin): readonly WorkerService[] {
  const { service } = definition;
  if (service === undefined) return [];
  const { taskQueue, workflowsPath } = service;
  return [{ id: manifest.id, taskQueue, workflowsPath, activities: () => service.activities?.(context) }];
}

function noWorkers(services: readonly WorkerService[]): ServiceWorkers {
  return {
    start: () => Promise.resolve(),
    health: () =>
      services
        .filter(({ needed }) => needed === undefined)
        .map(({ taskQueue }) => ({
          name: `worker ${taskQueue}`,
          status: 'degraded',
          message: 'It waits for Temporal.',
        })),
    running: () => [],
    stop: () => Promise.resolve(),
  };
}

let isInstalled = false;

/**
 * The one runtime of the process. Signals stay with the host: the runtime's own handlers would end the workers before
 * the host has drained.
 */
async function installRuntime(logger: Logger): Promise<void> {
  if (isInstalled) return;
  isInstalled = true;
  const { DefaultLogger, makeTelemetryFilterString, Runtime } = await import('@temporalio/worker');
  Runtime.install({
    shutdownSignals: [],
    // Without this, the native part writes its own lines to the terminal.
    telemetryOptions: { logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) } },
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => forward(logger, level, message, meta)),
  });
}

/** Of every service that has only workflows or only activities; the services are meant to be so. */
const expected = /^No (workflows|activities) registered, not polling/;

function forward(logger: Logger, level: LogLevel, message: string, meta: Readonly<Record<string, unknown>> = {}): void {
  // A task that cannot be executed is logged with the arguments of its activity.
  const { task: _task, taskEncoded: _encoded, ...known } = meta;
  const fields = { source: 'temporal', ...known };
  if (level === 'ERROR') logger.error(fields, message);
  else if (level === 'WARN' && !expected.test(message)) logger.warn(fields, message);
  else logger.debug(fields, message);
}

interface ConnectOptions {
  readonly settings: TemporalSettings;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called when an attempt has failed. */
  readonly onFailure: () => void;
}

/** Polling the embedded server before it is up costs little; an external cluster is polled less often. */
const retryMs = { embedded: { first: 50, max: 500 }, own: { first: 500, max: 10_000 } } as const;

/** Tries until Temporal answers. @returns undefined when the signal aborts. */
async function connectWorkers(options: ConnectOptions): Promise<NativeConnection | undefined> {
  const { settings, logger, signal, onFailure } = options;
  const { first, max } = retryMs[settings.stateFile === undefined ? 'own' : 'embedded'];
  for (let delay: number = first; !signal.aborted; delay = Math.min(delay * 2, max)) {
    try {
      return await openConnection(settings);
    } catch (error) {
      if (delay === first) await logFailure(settings, logger, error);
      onFailure();
      await pause(delay, signal);
    }
  }
  return undefined;
}

/** @throws the SDK's error when Temporal does not answer. */
async function openConnection({ connection, address }: TemporalSettings): Promise<NativeConnection> {
  const { NativeConnection: Native } = await import('@temporalio/worker');
  return Native.connect({ ...connection, address });
}

/** The start of the embedded one takes a moment and is not worth a log line. */
async function logFailure(settings: TemporalSettings, logger: Logger, error: unknown): Promise<void> {
  if (settings.stateFile !== undefined) return;
  logger.warn({ address: settings.address, reason: String(error) }, await explainAbsence(settings, error));
}
