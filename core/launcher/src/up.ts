import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { HostConfig } from '@gantry/host/config';
import { takePlace } from './home/place';
import type { HomePlace } from './home/place';
import { isLauncherError } from './launcher-error';
import { runPlatform } from './platform';
import type { PlatformOptions } from './platform';
import { readSettings } from './read-settings';
import { listenForStopSignals } from './stop-signals';
import { createOutput } from './terminal/output';
import type { Output } from './terminal/output';

export interface UpOptions extends Pick<PlatformOptions, 'createServers' | 'watchTimes' | 'stopTimes'> {
  /** Settings; the environment of this process unless given. */
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
  /** JavaScript file of the host process, for tests. */
  readonly hostEntry?: string;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
}

/**
 * `gantry up`: brings up the servers and the host, shows a banner, and runs until a signal arrives or nothing helps.
 * @returns the exit code of the process: 0 after a signal, 130 after a second one, 1 when it could not start or go on.
 * @public
 */
export async function up(options: UpOptions = {}): Promise<number> {
  const environment = options.environment ?? process.env;
  const stdout = options.stdout ?? process.stdout;
  const stderr = options.stderr ?? process.stderr;
  try {
    const config = readSettings(environment);
    const place = takePlace(config);
    try {
      return await upAt(place, options, config, environment, { stdout, stderr });
    } finally {
      place.release();
    }
  } catch (error) {
    stderr.write(`${describe(error)}\n`);
    return 1;
  }
}

interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

async function upAt(
  place: HomePlace,
  options: UpOptions,
  config: HostConfig,
  environment: Readonly<NodeJS.ProcessEnv>,
  streams: Streams,
): Promise<number> {
  const logFile = join(config.home, 'logs', logFileName(config, place));
  const output = outputFor(config, environment, logFile, streams);
  const signals = listenForStopSignals();
  try {
    return await runPlatform({
      ...options,
      config,
      place,
      environment,
      output,
      logFile,
      signals,
      hostEntry: options.hostEntry ?? require.resolve('@gantry/host/main'),
      colour: coloured(environment, streams.stdout),
    });
  } finally {
    signals.dispose();
    await output.close();
  }
}

/** Guests of a home write files of their own. */
function logFileName({ only = [] }: HostConfig, place: HomePlace): string {
  return place.isKeeper() ? 'host.log' : `host-${only.join('-')}.log`;
}

function outputFor(
  config: HostConfig,
  environment: Readonly<NodeJS.ProcessEnv>,
  logFile: string,
  streams: Streams,
): Output {
  const readable = isTerminal(streams.stdout);
  return createOutput({
    ...streams,
    logFile,
    level: config.logLevel,
    readable,
    colour: coloured(environment, streams.stdout),
  });
}

function isTerminal(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

function coloured(environment: Readonly<NodeJS.ProcessEnv>, stream: Writable): boolean {
  return isTerminal(stream) && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** A person can mend a LauncherError; anything else is a defect of ours, and its stack helps whoever looks for it. */
function describe(error: unknown): string {
  if (isLauncherError(error)) return `gantry: ${error.message}\n  ${error.remedy}`;
  return `gantry: internal error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
