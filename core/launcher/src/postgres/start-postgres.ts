import { setTimeout as delay } from 'node:timers/promises';
import {
  backoff,
  endProcess,
  messageOf,
  silentLogger,
  untilGone,
  type Logger,
  type ProcessReference,
} from '@gantry/core-common';
import { ensureFolder, readIfThere, writeAtomically } from '../common/files';
import { ensureHome, passableMode } from '../home/private-home';
import { freePort, tryPort } from '../common/free-port';
import { LauncherError } from '../common/launcher-error';
import { rotateLog } from '../common/log-file';
import { findPostgresBinaries } from './binaries';
import { clusterPassword, ensureCluster } from './cluster';
import { databaseUrl, ensureDatabase } from './connection';
import { immediateStop, launch, PortTakenError } from './launch';
import type { LaunchContext, Launched } from './launch';
import { postgresLayout } from './layout';
import type { PostgresLayout } from './layout';
import { chooseRunAs } from './run-as';

export interface PostgresOptions {
  /** Absolute folder of data, logs and state (GANTRY_HOME). */
  readonly home: string;
  readonly logger?: Logger;
  /** Server settings for this start only, for example `{ fsync: 'off' }` in a test. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Gives the start up. */
  readonly signal?: AbortSignal;
  /** Called when the server had died and is running again, as another process. */
  readonly onRestart?: () => void;
}

/** @public */
export interface RunningPostgres {
  /** Connection string with the password, of the database `gantry`. */
  readonly url: string;
  readonly port: number;
  /** Whether the server had been left running by an earlier start. */
  readonly adopted: boolean;
  /** Absolute folder of the database files. */
  readonly dataFolder: string;
  readonly major: number;
  pid(): number | undefined;
  /** Fast shutdown; with `force` an immediate one, which loses nothing that was committed but recovers at the next start. */
  stop(options?: { readonly force?: boolean }): Promise<void>;
}

/**
 * Makes the database of a home unless it is there, starts its server or adopts a running one, and keeps it running until
 * `stop`. Only one process at a time may do so for a home: hold its lock.
 * @throws LauncherError when it cannot be done.
 * @public
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const layout = postgresLayout(options.home);
  const logger = options.logger ?? silentLogger;
  const stopping = new AbortController();
  const context = await prepare(options, layout, logger);
  const launched = await launchOnFreePort(context);
  try {
    await ensureDatabase(launched.port, context.password, layout.data);
  } catch (error) {
    await endServer(launched.process, false, logger);
    throw error;
  }
  const server = supervise({ ...context, signal: stopping.signal }, launched, options.onRestart);
  return {
    url: databaseUrl(launched.port, context.password),
    port: launched.port,
    adopted: launched.adopted,
    dataFolder: layout.data,
    major: context.binaries.major,
    pid: () => server.current()?.pid,
    stop: async ({ force = false } = {}) => {
      stopping.abort();
      await server.ended;
      await endServer(server.current(), force, logger);
    },
  };
}

async function prepare(options: PostgresOptions, layout: PostgresLayout, logger: Logger): Promise<LaunchContext> {
  const signal = options.signal ?? new AbortController().signal;
  ensureHome(options.home);
  ensureFolder(layout.root, passableMode());
  rotateLog(layout.log);
  const binaries = findPostgresBinaries();
  const runAs = chooseRunAs([binaries.postgres, binaries.initdb], layout.root, layout.data);
  const password = clusterPassword(layout);
  const made = await ensureCluster(layout, binaries, runAs, signal);
  if (made) logger.info('a new database was created', { folder: layout.data });
  return { layout, binaries, runAs, password, settings: options.settings ?? {}, logger, signal };
}

async function launchOnFreePort(context: LaunchContext): Promise<Launched> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await choosePort(context.layout);
    try {
      const launched = await launch(context, port);
      writeAtomically(context.layout.port, String(launched.port));
      return launched;
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
    }
  }
  throw new LauncherError(
    'PostgreSQL found no free port on loopback.',
    'Stop some of the programs that listen on loopback, and start again.',
  );
}

/** The port of the last start, so that clients find the server again, unless another program took it. */
async function choosePort(layout: PostgresLayout): Promise<number> {
  const kept = Number(readIfThere(layout.port));
  if (Number.isInteger(kept) && kept > 1023 && kept < 65_536 && 'port' in (await tryPort(kept))) return kept;
  return freePort();
}

interface Supervision {
  current(): ProcessReference | undefined;
  /** Resolves when no restart is under way any more. */
  readonly ended: Promise<void>;
}

/** Starts the server again when it dies, on the same port: the host has its address and recovers by itself. */
function supervise(context: LaunchContext, launched: Launched, onRestart: () => void = () => {}): Supervision {
  let current: ProcessReference | undefined = launched.process;
  const watch = async (): Promise<void> => {
    for (;;) {
      if (current !== undefined) await untilGone(current, context.signal);
      if (context.signal.aborted) return;
      current = undefined;
      context.logger.error('PostgreSQL ended unexpectedly and is restarted', { log: context.layout.log });
      current = await relaunch(context, launched.port);
      onRestart();
    }
  };
  const ended = watch().catch((error: unknown) => {
    if (!context.signal.aborted) {
      context.logger.error('PostgreSQL is no longer restarted', { reason: messageOf(error) });
    }
  });
  return { current: () => current, ended };
}

async function relaunch(context: LaunchContext, port: number): Promise<ProcessReference> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const launched = await launch(context, port);
      context.logger.info('PostgreSQL is running again', { pid: launched.process.pid });
      return launched.process;
    } catch (error) {
      context.signal.throwIfAborted();
      context.logger.error('PostgreSQL could not be restarted', {
        reason: messageOf(error),
        retryInMs: backoff(attempt),
      });
      await delay(backoff(attempt), undefined, { signal: context.signal, ref: false });
    }
  }
}

async function endServer(reference: ProcessReference | undefined, force: boolean, logger: Logger): Promise<void> {
  if (reference === undefined) return;
  if (await endProcess(reference, [force ? ['SIGQUIT', 5_000] : ['SIGINT', 60_000]])) return;
  logger.warn('PostgreSQL does not stop and is killed; committed data is not lost', { pid: reference.pid });
  await endProcess(reference, immediateStop);
}
