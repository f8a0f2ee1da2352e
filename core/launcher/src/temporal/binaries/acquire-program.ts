import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedTemporalState } from '@gantry/contracts';
import { backoff, messageOf, type Logger } from '@gantry/core-common';
import { withDownloadProgress } from '../../wheels/download-progress';
import { findProgram } from './find-program';
import { dataFileVersions } from './layout';
import type { TemporalLayout } from './layout';
import { obtainProgram } from '../obtain-program';
import type { TemporalProgram } from '../program';
import { oldestVersion, testedVersion } from './versions';

export interface AcquireOptions {
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  /** Absolute path of the home. */
  readonly home: string;
  readonly layout: TemporalLayout;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly onState: (state: EmbeddedTemporalState) => void;
}

const pollIntervalMs = 2_000;
const firstRetryMs = 30_000;
const lastRetryMs = 10 * 60_000;

/**
 * Finds the program or downloads it, without a limit of attempts: the search runs every two seconds, as somebody may install it,
 * and the download is retried with a longer interval, as the network may recover.
 * @throws only when the signal aborts.
 */
export async function acquireProgram(options: AcquireOptions): Promise<TemporalProgram> {
  for (let attempt = 0; ; attempt += 1) {
    const found = await find(options);
    if (found.program !== undefined) return found.program;
    const failure = await obtain(options, found.problems, attempt);
    const until = performance.now() + backoff(attempt, firstRetryMs, lastRetryMs);
    if (failure !== undefined) options.onState(missing([...found.problems, failure], options.environment));
    while (failure !== undefined && performance.now() < until) {
      const again = await find(options);
      if (again.program !== undefined) return again.program;
      await delay(pollIntervalMs, undefined, { signal: options.signal, ref: false });
    }
  }
}

function find({ environment, home, layout, signal }: AcquireOptions) {
  signal.throwIfAborted();
  return findProgram({ environment, home, preferredServers: dataFileVersions(layout) });
}

/** @returns why it could not be obtained. A program that the user names is left to the user. */
async function obtain(
  { environment, home, signal, logger, onState }: AcquireOptions,
  problems: readonly string[],
  attempt: number,
): Promise<string | undefined> {
  if (environment['GANTRY_TEMPORAL_CLI']) {
    return problems.length === 0 ? 'the program that GANTRY_TEMPORAL_CLI names does not exist' : '';
  }
  if (attempt === 0) {
    onState(obtaining);
    logger.info(`Temporal ${testedVersion} is downloaded, because it is not installed on this machine`);
  }
  try {
    await withDownloadProgress(
      'Temporal is being downloaded',
      (line) => logger.info(line),
      (onProgress) => obtainProgram({ environment, home, signal, onProgress }),
    );
    logger.info('Temporal was downloaded; later starts need no network');
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (attempt === 0) {
      logger.warn('Temporal could not be downloaded; the download is tried again', { reason: messageOf(error) });
    }
    return messageOf(error);
  }
}

const obtaining: EmbeddedTemporalState = {
  state: 'obtaining',
  message: 'Temporal is being downloaded.',
  remedy: 'The services start automatically when the download is complete.',
};

function missing(
  reasons: readonly string[],
  { GANTRY_TEMPORAL_CLI: named }: Readonly<NodeJS.ProcessEnv>,
): EmbeddedTemporalState {
  const program = `the official Temporal CLI (${oldestVersion} or newer)`;
  const remedy = named
    ? `Put ${program} there, or correct or unset GANTRY_TEMPORAL_CLI and start again, or set TEMPORAL_ADDRESS.`
    : `Put ${program} into a folder of PATH, or set TEMPORAL_ADDRESS.`;
  return {
    state: 'missing',
    message: `Temporal is not available: ${reasons.filter(Boolean).join('; ')}.`,
    remedy: `${remedy} The platform keeps looking for it, and then starts the services automatically.`,
  };
}
