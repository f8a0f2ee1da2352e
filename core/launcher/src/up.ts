import { join } from 'node:path';
import type { HostConfig } from '@gantry/host/config';
import { acquireHomeLease, type HomeLease } from './home/home-lease';
import { isLauncherError } from './common/launcher-error';
import { runPlatform, type PlatformOptions } from './platform';
import { listenForStopSignals, type StopSignals } from './common/stop-signals';
import { createOutput } from './terminal/output';
import { readSettings } from './read-settings';

export interface UpOptions extends Pick<
  PlatformOptions,
  'watchdogTimes' | 'stopTimes' | 'restartPolicy' | 'onServing'
> {
  /** Settings; the environment of this process unless given. */
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
  /** Shows why it could not start or keep running; on standard error unless given. */
  readonly onFailure?: (error: unknown) => void;
  /** JavaScript file of the host process, for tests. */
  readonly hostEntry?: string;
}

/**
 * `gantry up`: brings up the servers and the host, shows a banner, and runs until a signal arrives or nothing helps.
 * @returns the exit code of the process: 0 after a signal, 130 after a second one, 1 when it could not start or keep running.
 * @public
 */
export async function up(options: UpOptions = {}): Promise<number> {
  const environment = options.environment ?? process.env;
  const signals = listenForStopSignals();
  // Files of this process, the servers and the plugins are for the owner of the home.
  process.umask(0o077);
  // If nobody reads standard error any more, errors are in the log.
  process.stderr.on('error', () => {});
  const exitCode = await upOnHome({ ...options, environment, signals }).catch((error: unknown) => {
    if (options.onFailure === undefined) process.stderr.write(`${describe(error)}\n`);
    else options.onFailure(error);
    return 1;
  });
  signals.finish(exitCode);
  return exitCode;
}

interface Calling extends UpOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly signals: StopSignals;
}

async function upOnHome(calling: Calling): Promise<number> {
  const config = readSettings(calling.environment);
  const lease = acquireHomeLease(config);
  try {
    return await upAt(lease, config, calling);
  } finally {
    lease.release();
  }
}

async function upAt(lease: HomeLease, config: HostConfig, calling: Calling): Promise<number> {
  const { environment, hostEntry = require.resolve('@gantry/host/main') } = calling;
  const logFile = join(config.home, 'logs', logFileName(config, lease));
  const readable = process.stdout.isTTY;
  const colour = readable && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const output = createOutput({ stdout: process.stdout, logFile, level: config.logLevel, readable, colour });
  try {
    return await runPlatform({ ...calling, config, lease, output, logFile, hostEntry, colour });
  } finally {
    await output.close();
  }
}

/** Clients of a home write separate files. */
function logFileName({ only = [] }: HostConfig, lease: HomeLease): string {
  return lease.isOwner() ? 'host.log' : `host-${only.join('-')}.log`;
}

/** A person can fix a LauncherError; anything else is a defect of Gantry, and its stack helps to find it. */
function describe(error: unknown): string {
  if (isLauncherError(error)) return `gantry: ${error.message}\n  ${error.remedy}`;
  return `gantry: internal error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
