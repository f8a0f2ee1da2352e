import { poll, silentLogger, type FileLock, type LockHolder, type Logger } from '@gantry/core-common';
import { assertRestored } from '../home/restoring-mark';
import { assertReadableHome, assertUsedHome } from '../home/home-format';
import { acquireHomeLock } from '../home/home-lock';
import { LauncherError } from '../common/launcher-error';
import { startPostgres } from '../postgres/start-postgres';
import { findRunningPlatform } from '../home/run-file';
import { checkDatabase } from './own-database';

export interface OpenDatabaseOptions {
  /** Absolute folder of data, logs and state (GANTRY_HOME). */
  readonly home: string;
  /** The command that the person called, for the message of a command that finds the lock: `gantry items import`. */
  readonly purpose: string;
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
  readonly logger?: Logger;
  readonly signal?: AbortSignal;
  /** Whether a home that no platform has used is refused; without it, the command makes one. */
  readonly mustExist?: boolean;
  /** How long to wait for another command on this home; half a minute unless given. */
  readonly waitMs?: number;
}

export interface OpenDatabase {
  readonly url: string;
  /** Stops the server again if it was started for this caller. */
  close(): Promise<void>;
}

const defaultWaitMs = 30_000;

/**
 * The database of a home for a command: the one of DATABASE_URL, of the running platform, or else the embedded PostgreSQL,
 * started for as long as the command needs it.
 * @throws LauncherError when there is none to be had.
 * @public
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const signal = options.signal ?? new AbortController().signal;
  const own = (options.environment ?? process.env)['DATABASE_URL'];
  if (own) {
    await checkDatabase(own, signal);
    return { url: own, close: () => Promise.resolve() };
  }
  assertRestored(options.home);
  assertReadableHome(options.home);
  if (options.mustExist === true) assertUsedHome(options.home);
  let holder: LockHolder | undefined;
  const found = await poll(
    () => {
      const url = findRunningPlatform(options.home)?.databaseUrl;
      if (url !== undefined) return url;
      const outcome = acquireHomeLock(options.home, options.purpose);
      if ('release' in outcome) return outcome;
      holder = outcome.heldBy;
      return undefined;
    },
    options.waitMs ?? defaultWaitMs,
    100,
    signal,
  );
  if (found === undefined) {
    throw new LauncherError(
      `"${holder?.purpose ?? 'another command'}" (process ${holder?.pid ?? 'unknown'}) is using ${options.home}.`,
      'Wait until it has finished, and try again.',
    );
  }
  return typeof found === 'string'
    ? { url: found, close: () => Promise.resolve() }
    : openEmbedded(options, found, signal);
}

async function openEmbedded(
  { home, logger = silentLogger }: OpenDatabaseOptions,
  lock: FileLock,
  signal: AbortSignal,
): Promise<OpenDatabase> {
  try {
    const postgres = await startPostgres({ home, logger, signal });
    return {
      url: postgres.url,
      close: async () => {
        await postgres.stop().finally(() => lock.release());
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
