import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { backoff, messageOf, untilGone } from '@gantry/core-common';
import { rotateLog } from '../common/log-file';
import { acquireProgram } from './binaries/acquire-program';
import type { AcquireOptions } from './binaries/acquire-program';
import { keepHistories } from './keep-histories';
import { adopt, launch } from './launch';
import type { LaunchContext, Launched } from './launch';
import { dataFileOf, dataFileVersions } from './binaries/layout';
import type { TemporalProgram } from './program';

export interface KeepOptions extends LaunchContext, AcquireOptions {
  /** Called for every server that is taken over or started, with undefined when it has ended. */
  readonly onServer: (server: Launched | undefined) => void;
}

/** Takes over the running server or starts one, again and again, until the signal aborts. Never rejects. */
export async function keepRunning(options: KeepOptions): Promise<void> {
  const { signal, logger, layout } = options;
  try {
    let server = await adopt(options);
    if (server !== undefined) {
      logger.info('a Temporal that an earlier start left running was taken over', { pid: server.process.pid });
    }
    for (;;) {
      server ??= await start(options);
      options.onServer(server);
      await keepHistories({ ...options, api: server.api });
      options.onState(running);
      await untilGone(server.process, signal);
      signal.throwIfAborted();
      options.onServer(undefined);
      server = undefined;
      options.onState(starting);
      logger.error('Temporal ended unexpectedly and is restarted', { log: layout.log });
    }
  } catch (error) {
    if (!signal.aborted) logger.error('Temporal is no longer restarted', { reason: messageOf(error) });
  }
}

/** @throws only when the signal aborts. */
async function start(options: KeepOptions): Promise<Launched> {
  const { signal, logger, layout } = options;
  for (let attempt = 0; ; attempt += 1) {
    const program = await acquireProgram(options);
    try {
      options.onState(starting);
      rotateLog(layout.log);
      warnOfOlderFiles(options, program);
      const launched = await launch(options, program);
      logger.info('Temporal is running', { version: launched.serverVersion });
      return launched;
    } catch (error) {
      signal.throwIfAborted();
      const retryInMs = backoff(attempt, 500);
      logger.error('Temporal could not be started', { reason: messageOf(error), retryInMs });
      options.onState({
        state: 'failed',
        message: `Temporal cannot start: ${messageOf(error)}.`,
        remedy: `Read ${layout.log}. The platform keeps trying, and then starts the services automatically.`,
      });
      await delay(retryInMs, undefined, { signal, ref: false });
    }
  }
}

export const starting = {
  state: 'starting',
  message: 'Temporal is starting.',
  remedy: 'The services start automatically when it is running.',
} as const;

const running = {
  state: 'running',
  message: 'Temporal is running.',
  remedy: 'The services continue automatically when it answers.',
} as const;

/** The dev server does not convert its file: a new version starts without workflows, which matters to a home with open orders. */
function warnOfOlderFiles({ layout, logger }: KeepOptions, { serverVersion }: TemporalProgram): void {
  const older = dataFileVersions(layout).filter((version) => version !== serverVersion);
  if (older[0] === undefined || existsSync(dataFileOf(layout, serverVersion))) return;
  logger.warn(`Temporal server ${serverVersion} starts without workflows; those of server ${older[0]} are kept`, {
    file: dataFileOf(layout, older[0]),
  });
}
