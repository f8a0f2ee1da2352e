import type { GenerationsReport, HostStart, LauncherMessage, PluginChange } from '@gantry/contracts';
import { parseHostStart } from '@gantry/core-supervisor/child';
import { parseConfig } from './config';
import { createHost } from './create-host';
import type { Host, HostOptions } from './host-options';
import type { HostModule } from './modules';
import { describeFailure, withoutLauncher, type Generations } from '@gantry/core-lifecycle';
import { createLogger } from './common/logger';
import { createGuardedExecution } from './process/guarded-execution';
import { takeProcess, type HostProcess } from './process/host-process';

const heartbeatIntervalMs = 1_000;

/**
 * The host process. Started by the launcher (`gantry up`), to which it reports over IPC how the start goes; it ends
 * when it is asked to, on SIGTERM or SIGINT, and when the launcher is gone.
 */
export async function runHost(modules: readonly HostModule[]): Promise<void> {
  const own = takeProcess();
  const logger = createLogger('info');
  const abandon = (): void => own.exit(1);
  const onStop = (message: Partial<LauncherMessage>): void => {
    // The host serves no request yet, and its work in the database is a transaction: a start that is given up just ends.
    if (message.kind === 'stop') own.exit(0);
  };
  own.on('disconnect', abandon);
  own.on('message', onStop);
  const follow = followGenerations(own);
  try {
    const { environment, quarantines, listenFd, generations, successor, isRestart } = await receiveStart(own);
    Object.assign(process.env, environment);
    const config = parseConfig(process.env);
    const hostLogger = createLogger(config.logLevel);
    const host = await createHost({
      config,
      logger: hostLogger,
      environment: process.env,
      modules,
      quarantines,
      notifyLauncher: own.send,
      execution: createGuardedExecution(own, hostLogger, config.logLevel),
      generations: follow(generations),
      ...(listenFd === undefined ? {} : sharedSocket(own, listenFd)),
      ...(successor === undefined ? {} : { successor }),
      ...(isRestart === undefined ? {} : { isRestart }),
    });
    own.off('disconnect', abandon);
    own.off('message', onStop);
    endOnRequest(own, host);
    own.send({ kind: 'ready', address: host.address, report: host.report, types: host.types });
    if (!own.isConnected()) logger.info({ address: host.address }, 'ready');
    const memoryUsage = process.memoryUsage.rss.bind(process);
    own.every(heartbeatIntervalMs, () => own.send({ kind: 'alive', memory: memoryUsage() }));
  } catch (error) {
    const failure = describeFailure(error, process.env);
    logger.error(
      failure.isExpected ? { code: failure.code } : { code: failure.code, err: error },
      `${failure.message} ${failure.remedy}`,
    );
    const { code, message, remedy } = failure;
    own.send({ kind: 'fatal', code, message, remedy }, () => own.exit(1));
  }
}

/** The launcher's socket, of which it gets a copy back: with that, it answers while no host does. */
function sharedSocket(own: HostProcess, fd: number): Pick<HostOptions, 'socket' | 'onListening'> {
  return { socket: { fd }, onListening: ({ handle }) => own.sendHandle({ kind: 'socket' }, handle) };
}

/**
 * Waits for the message that a launcher starts this process with; the modules were loaded in the meantime.
 * @throws Error that names what is wrong with it
 */
async function receiveStart(own: HostProcess): Promise<HostStart> {
  // A process that was started by hand has its settings in the environment.
  if (!own.isConnected()) return { kind: 'start', environment: {}, quarantines: [] };
  const received = await new Promise<unknown>((resolve) => {
    const listen = (message: Partial<LauncherMessage>): void => {
      if (message.kind !== 'start') return;
      own.off('message', listen);
      resolve(message);
    };
    own.on('message', listen);
  });
  return parseHostStart(received);
}

function endOnRequest(own: HostProcess, host: Host): void {
  let ending: Promise<void> | undefined;
  const end = (work: () => Promise<void>): void => {
    ending ??= work().finally(() => own.exit(0));
  };
  const stop = (): void => end(() => host.stop());
  own.on('SIGTERM', stop);
  own.on('SIGINT', stop);
  own.on('disconnect', stop);
  own.on('message', (message: Partial<LauncherMessage>) => {
    if (message.kind === 'stop') stop();
    if (message.kind === 'retire') end(() => host.retire());
  });
}

/**
 * The latest report of the launcher about the generations; it reports at the start and after every change. The requester of
 * a change finds it from then on, also before the launcher has reported it.
 */
function followGenerations(own: HostProcess): (first: GenerationsReport | undefined) => Generations {
  let reported: GenerationsReport | undefined;
  let requested: readonly PluginChange[] = [];
  own.on('message', (message: Partial<LauncherMessage>) => {
    if (message.kind !== 'generations' || message.report === undefined) return;
    reported = message.report;
    const known = new Set(reported.changes.map(({ id }) => id));
    requested = requested.filter(({ id }) => !known.has(id));
  });
  return (first) => {
    if (first === undefined) return withoutLauncher;
    return {
      report: () => {
        const report = reported ?? first;
        return { ...report, changes: [...requested, ...report.changes] };
      },
      request: (change, decisions, follow, more = {}) => {
        requested = [change, ...requested];
        const { id, action } = change;
        own.send({ kind: 'change', id, action, decisions, ...(follow === undefined ? {} : { follow }), ...more });
      },
    };
  };
}
