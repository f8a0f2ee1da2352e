import type { Quarantine } from '@gantry/contracts';
import type { HostConfig } from '@gantry/host/config';
import { assertPortFree } from './assert-port-free';
import type { EmbeddedServer } from './embedded-server';
import { endOrphanHost } from './host/end-orphan';
import { runHost } from './host/run-host';
import type { HostRun, ReadyMessage, RunHostOptions } from './host/run-host';
import { isLauncherError, LauncherError } from './launcher-error';
import { referenceOf } from './processes';
import { readRunFile, removeRunFile, writeRunFile } from './run-file';
import type { RunningPlatform } from './run-file';
import { createServers } from './servers/create-servers';
import type { ServerContext } from './servers/create-servers';
import { serverEnvironment, startServers, stopServers } from './servers/run-servers';
import type { StopSignals } from './stop-signals';
import { renderBanner } from './terminal/banner';
import type { Output } from './terminal/output';

export interface PlatformOptions extends Pick<RunHostOptions, 'watchTimes' | 'stopTimes'> {
  readonly config: HostConfig;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly output: Output;
  readonly logFile: string;
  readonly signals: StopSignals;
  readonly hostEntry: string;
  readonly colour: boolean;
  /** The servers to bring along; those of the settings unless given. */
  readonly createServers?: (context: ServerContext) => readonly EmbeddedServer[];
}

/**
 * Servers first, then the host; the other way round at the end. The caller holds the lock of the home.
 * @returns the exit code.
 * @throws LauncherError when it cannot start or go on; everything that was started is stopped by then.
 */
export async function runPlatform(options: PlatformOptions): Promise<number> {
  const { config, output, signals } = options;
  const { logger } = output;
  const earlier = readRunFile(config.home);
  await endOrphanHost(earlier?.host, logger);
  await assertPortFree(config.host, config.port);
  const servers = (options.createServers ?? createServers)({ config, environment: options.environment, logger });
  const onForce = (): void => void stopServers(servers, logger, true);
  signals.force.addEventListener('abort', onForce);
  try {
    await startServers(servers, signals.stop);
    await runUntilStopped(options, servers);
  } catch (error) {
    if (!signals.stop.aborted) throw error;
  } finally {
    await stopServers(servers, logger, signals.force.aborted);
    signals.force.removeEventListener('abort', onForce);
    removeRunFile(config.home);
  }
  if (signals.force.aborted) return 130;
  output.print('Gantry has stopped.');
  return 0;
}

async function runUntilStopped(options: PlatformOptions, servers: readonly EmbeddedServer[]): Promise<void> {
  const { signals, output, logFile } = options;
  const host = startHost(options, servers);
  const onForce = (): void => host.kill();
  signals.force.addEventListener('abort', onForce);
  try {
    await Promise.race([host.ended, aborted(signals.stop)]);
    output.print('\nStopping (Ctrl-C again to end at once) ...');
    await host.stop('the platform was asked to stop');
  } catch (error) {
    throw isLauncherError(error)
      ? new LauncherError(error.message, `${error.remedy} Log: ${logFile}`, { cause: error })
      : error;
  } finally {
    signals.force.removeEventListener('abort', onForce);
  }
}

function startHost(options: PlatformOptions, servers: readonly EmbeddedServer[]): HostRun {
  const { config, environment, output } = options;
  const record = createRunRecord(options, servers);
  let port = config.port;
  let announced = false;
  return runHost({
    entry: options.hostEntry,
    folder: config.project,
    logger: output.logger,
    onLine: (line, stream) => output.hostLine(line, stream),
    environment: () => ({
      NODE_ENV: 'production',
      ...environment,
      ...serverEnvironment(servers),
      GANTRY_HOME: config.home,
      GANTRY_PROJECT: config.project,
      GANTRY_PORT: String(port),
    }),
    onProcess: (host) => record({ host }),
    onReady: (message, quarantines) => {
      // A port that the system chose is kept, so that the address outlives a restart of the host.
      port = Number(new URL(message.address).port) || port;
      record({ address: message.address });
      if (announced) announceReturn(output, message, quarantines);
      else output.print(bannerFor(options, servers, message));
      announced = true;
      output.showHostLines();
    },
    ...(options.watchTimes === undefined ? {} : { watchTimes: options.watchTimes }),
    ...(options.stopTimes === undefined ? {} : { stopTimes: options.stopTimes }),
  });
}

/** Keeps run.json up to date with what changes. */
function createRunRecord({ config }: PlatformOptions, servers: readonly EmbeddedServer[]) {
  const environment = serverEnvironment(servers);
  let content: RunningPlatform = {
    launcher: referenceOf(process.pid) ?? { pid: process.pid, startedAt: '' },
    servers: {},
    project: config.project,
    pluginPath: [...config.pluginPath],
    databaseUrl: environment['DATABASE_URL'] ?? config.databaseUrl,
    environment: { ...environment },
    startedAt: new Date().toISOString(),
  };
  return (change: { readonly host?: RunningPlatform['host'] | undefined; readonly address?: string }): void => {
    const pids = servers.flatMap((server) => {
      const pid = server.pid();
      return pid === undefined ? [] : [[server.name, pid] as const];
    });
    content = { ...content, ...change, servers: Object.fromEntries(pids) };
    writeRunFile(config.home, content);
  };
}

function announceReturn({ logger }: Output, { address }: ReadyMessage, quarantines: readonly Quarantine[]): void {
  logger.info('the host is back', {
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
    startedInMs: performance.now(),
    folder: process.cwd(),
    colour: options.colour,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
