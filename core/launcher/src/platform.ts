import type { Quarantine } from '@gantry/contracts';
import { whenAborted, readHold } from '@gantry/core-common';
import {
  GaveUpError,
  openListeningSocket,
  startSupervisor,
  type ListeningSocket,
  type ReadyMessage,
  type ReloadFailure,
  type Supervisor,
  type SupervisorOptions,
} from '@gantry/core-supervisor';
import type { HostConfig } from '@gantry/host/config';
import { attributeStack, forgetRefusedSet, refuseSet, returnToPreviousDecisions } from '@gantry/host/inspect-plugins';
import { assertPortFree } from './common/free-port';
import type { EmbeddedServer } from './common/embedded-server';
import { LauncherError } from './common/launcher-error';
import type { HomeLease } from './home/home-lease';
import { createEarlyRecord, createRunRecord, removeRunRecord, type RunRecord } from './servers/run-record';
import { createSharedServers } from './servers/shared-servers';
import { stopOrLeave } from './servers/stop-or-leave';
import { readRunFile } from './home/run-file';
import { createServedPlugins } from './home/served-plugins';
import { createServers } from './servers/create-servers';
import { serverEnvironment, startServers, stopServers } from './servers/run-servers';
import type { StopSignals } from './common/stop-signals';
import { endOrphanHost } from './common/end-orphan';
import { renderBanner } from './terminal/banner';
import type { Output } from './terminal/output';

export interface PlatformOptions extends Pick<SupervisorOptions, 'watchdogTimes' | 'stopTimes' | 'restartPolicy'> {
  readonly config: HostConfig;
  /** Whether this process keeps the servers of the home, or uses those that another one keeps. */
  readonly lease: HomeLease;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly output: Output;
  readonly logFile: string;
  readonly signals: StopSignals;
  readonly hostEntry: string;
  readonly colour: boolean;
  readonly onServing?: (platform: ServingPlatform) => void;
}

/** A platform that serves. */
export interface ServingPlatform {
  /**
   * Starts another host with the files of the plugins as they are now; it takes the place of the one that serves.
   * @returns why the one that serves goes on
   */
  reload(): Promise<ReloadFailure | undefined>;
}

/**
 * Servers first, then the host; the other way round at the end. The caller has taken a lease in the home.
 * @returns the exit code.
 * @throws LauncherError when it cannot start or keep running; everything that was started is stopped by then.
 */
export async function runPlatform(options: PlatformOptions): Promise<number> {
  const { config, output, signals, lease } = options;
  const { logger } = output;
  if (lease.isOwner()) {
    const left = readRunFile(config.home);
    await Promise.all([endOrphanHost(left?.host, logger), endOrphanHost(left?.successor, logger)]);
  }
  await assertPortFree(config.host, config.port);
  if (lease.isOwner()) await forgetRefusedSet(config.home);
  const record = createEarlyRecord();
  const servers = serversOf(options, () => record.change({}));
  const stop = stopperOf(options, servers);
  const onForce = (): void => void stop(true);
  signals.force.addEventListener('abort', onForce);
  const start: StartServers = async (signal) => {
    await startServers(servers, signal);
    record.open(createRunRecord(config, lease, servers, output.logger));
  };
  try {
    await runUntilStopped(options, servers, record, start);
  } catch (error) {
    if (!signals.stop.aborted) throw error;
  } finally {
    await stop(signals.force.aborted);
    signals.force.removeEventListener('abort', onForce);
    removeRunRecord(config, lease);
  }
  if (signals.force.aborted) return 130;
  output.print('Gantry has stopped.');
  return 0;
}

/**
 * The servers of the home, or for a client the view of those that another process keeps.
 * @param onChange called when a server has another process, or this process has become the owner of the servers
 */
function serversOf(options: PlatformOptions, onChange: () => void): readonly EmbeddedServer[] {
  const { config, environment, output, lease } = options;
  const { logger } = output;
  const create = () => createServers({ config, environment, logger, onChange });
  if (lease.isOwner()) return create();
  return [createSharedServers({ home: config.home, lease, logger, createServers: create, onOwner: onChange })];
}

/** A client's view of the servers decides about them. */
function stopperOf({ config, lease, output }: PlatformOptions, servers: readonly EmbeddedServer[]) {
  const { logger } = output;
  if (!lease.isOwner()) return (force: boolean) => stopServers(servers, logger, force);
  return (force: boolean) => stopOrLeave({ home: config.home, lease, servers, logger, force });
}

type StartServers = (signal: AbortSignal) => Promise<void>;

/** Runs the servers and the host until the platform is asked to stop, or until it cannot be kept running. */
async function runUntilStopped(
  options: PlatformOptions,
  servers: readonly EmbeddedServer[],
  record: RunRecord,
  start: StartServers,
): Promise<void> {
  const run = await beginRun(options, servers, record, start);
  try {
    await run.serversRun();
    await run.stopRequested();
    options.output.print('\nStopping (Ctrl-C again to end at once) ...');
    await run.host.stop('the platform was asked to stop');
  } finally {
    await run.end();
  }
}

/** Servers that start, and the host that loads its modules in the meantime. */
interface Run {
  readonly host: Supervisor;
  /** @throws LauncherError when servers or host cannot be started */
  serversRun(): Promise<unknown>;
  /** @throws LauncherError when the host cannot be kept running */
  stopRequested(): Promise<unknown>;
  /** Ends the host at once if it still runs. The servers are left to the caller. */
  end(): Promise<void>;
}

async function beginRun(
  options: PlatformOptions,
  servers: readonly EmbeddedServer[],
  record: RunRecord,
  start: StartServers,
): Promise<Run> {
  const { config, signals, logFile } = options;
  const socket = await openListeningSocket(config.host, config.port);
  const over = new AbortController();
  const started = start(AbortSignal.any([signals.stop, over.signal]));
  const host = startHost(options, servers, record, { started, socket });
  const ended = host.ended.catch(namingLog(logFile));
  const kill = (): void => host.kill();
  signals.force.addEventListener('abort', kill);
  return {
    host,
    serversRun: () => Promise.race([started, ended]),
    stopRequested: () => Promise.race([ended, whenAborted(signals.stop)]),
    end: async () => {
      // Servers that are still on their way to a host that cannot be kept running give up first.
      over.abort();
      await started.catch(() => undefined);
      // A host that waits for servers that did not come has nothing to finish.
      host.kill();
      await host.ended.catch(() => undefined);
      signals.force.removeEventListener('abort', kill);
      socket?.close();
    },
  };
}

/** The log of the host may show why it cannot be kept running. */
function namingLog(file: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GaveUpError)) throw error;
    throw new LauncherError(error.message, `${error.remedy} Log: ${file}`, { cause: error });
  };
}

function startHost(
  options: PlatformOptions,
  servers: readonly EmbeddedServer[],
  record: RunRecord,
  { started, socket }: { readonly started: Promise<void>; readonly socket: ListeningSocket | undefined },
): Supervisor {
  const { config, output } = options;
  let port = socket?.port ?? config.port;
  let announced = false;
  const supervisor = startSupervisor({
    entry: options.hostEntry,
    folder: config.project,
    logger: output.logger,
    onLine: (line, stream) => output.hostLine(line, stream),
    environment: { NODE_ENV: 'production', ...options.environment },
    settings: async () => {
      await started;
      return {
        ...serverEnvironment(servers),
        GANTRY_HOME: config.home,
        GANTRY_PROJECT: config.project,
        GANTRY_PORT: String(port),
      };
    },
    attributeStack,
    reloadsOften: options.onServing !== undefined,
    ...(socket === undefined ? {} : { socket }),
    onProcess: (host) => record.change({ host }),
    onSuccessor: (successor) => record.change({ successor }),
    restore: (reason) => returnToPreviousDecisions(config.home, reason),
    refuse: ({ revision, generation }, error) => refuseSet(config.home, { revision, generation, error }),
    served: createServedPlugins(config.home),
    onReady: (message, quarantines) => {
      // A port that the system chose is kept, so that the address outlives a restart of the host.
      port = Number(new URL(message.address).port) || port;
      record.change({ address: message.address });
      // Before the banner, because its reader may ask for a reload at once.
      if (!announced) options.onServing?.({ reload: () => supervisor.reload() });
      if (announced) announceReturn(output, message, quarantines);
      else output.print(bannerFor(options, servers, message));
      announced = true;
      output.showHostLines();
    },
    ...(options.watchdogTimes === undefined ? {} : { watchdogTimes: options.watchdogTimes }),
    ...(options.stopTimes === undefined ? {} : { stopTimes: options.stopTimes }),
    ...(options.restartPolicy === undefined ? {} : { restartPolicy: options.restartPolicy }),
  });
  return supervisor;
}

function announceReturn({ logger }: Output, { address }: ReadyMessage, quarantines: readonly Quarantine[]): void {
  logger.info('the host is ready again', {
    address,
    ...(quarantines.length === 0 ? {} : { leftOut: quarantines.map(({ plugin }) => plugin) }),
  });
}

function bannerFor(options: PlatformOptions, servers: readonly EmbeddedServer[], message: ReadyMessage): string {
  return renderBanner({
    address: message.address,
    report: message.report,
    types: message.types,
    home: options.config.home,
    logFile: options.logFile,
    servers: servers.flatMap((server) => server.banner()),
    hold: readHold(options.config.home),
    startedInMs: performance.now(),
    folder: process.cwd(),
    colour: options.colour,
  });
}
