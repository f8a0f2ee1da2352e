import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeHold, codeOf, silentLogger, type FileLock, type Logger } from '@gantry/core-common';
import { unwritable } from '../common/files';
import { acquireHomeLock } from '../home/home-lock';
import { LauncherError } from '../common/launcher-error';
import { postgresLayout } from '../postgres/layout';
import { readPostmaster } from '../postgres/postmaster';
import { loadBackup } from './load-backup';
import { readManifest } from './manifest';
import { isRestoring, markRestoring, unmarkRestoring } from '../home/restoring-mark';
import { runningTemporal } from './temporal-files';

export interface RestoreOptions {
  /** Absolute folder of a backup. */
  readonly backup: string;
  /** Absolute folder to restore into (GANTRY_HOME): it must not exist or be empty, unless `replace` is set. */
  readonly home: string;
  /** Moves a home that is there aside. */
  readonly replace: boolean;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
  readonly logger?: Logger;
  readonly onProgress?: (step: string) => void;
}

export interface RestoreReport {
  readonly home: string;
  /** When the backup was taken. */
  readonly createdAt: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Where the home that was there is now. */
  readonly movedAside?: string;
}

/**
 * Makes a home from a backup, and puts it on hold: its content can be seen and edited, and no work is done until the hold
 * is ended. When it fails, nothing is changed.
 * @throws LauncherError when the backup is damaged or the home is in use.
 * @public
 */
export async function restoreHome(options: RestoreOptions): Promise<RestoreReport> {
  const { backup, home, environment, signal, logger = silentLogger, onProgress = () => undefined } = options;
  const manifest = readManifest(backup);
  assertEmbedded(environment);
  const claimed = claimHome(options);
  try {
    markRestoring(home, backup);
    await loadBackup({ folder: backup, manifest, home, logger, signal, onProgress });
    signal.throwIfAborted();
    writeHold(home, { since: new Date().toISOString(), reason: `restored from a backup of ${manifest.createdAt}` });
    unmarkRestoring(home);
  } catch (error) {
    claimed.giveBack();
    throw explained(error, home);
  }
  claimed.lock.release();
  return {
    home,
    createdAt: manifest.createdAt,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.length,
    ...(claimed.movedAside === undefined ? {} : { movedAside: claimed.movedAside }),
  };
}

function assertEmbedded({ DATABASE_URL: url }: Readonly<NodeJS.ProcessEnv>): void {
  if (!url) return;
  throw new LauncherError(
    'A backup is restored into the embedded PostgreSQL, and DATABASE_URL names another one.',
    'Unset DATABASE_URL.',
  );
}

interface ClaimedHome {
  readonly lock: FileLock;
  readonly movedAside: string | undefined;
  /** Leaves the folder as it was found. */
  giveBack(): void;
}

/** Takes the lock of a home in which nothing else is then. */
function claimHome({ home, replace }: RestoreOptions): ClaimedHome {
  const wasThere = existsSync(home);
  const lock = lockHome(home);
  try {
    if (isRestoring(home)) removeContent(home);
    if (contentOf(home).length === 0) {
      const giveBack = (): void => {
        removeContent(home);
        lock.release();
        if (!wasThere) rmSync(home, { recursive: true, force: true });
      };
      return { lock, movedAside: undefined, giveBack };
    }
    if (!replace) throw notEmpty(home);
    assertServersStopped(home);
  } catch (error) {
    lock.release();
    throw error;
  }
  return replaceHome(home, lock);
}

function replaceHome(home: string, oldLock: FileLock): ClaimedHome {
  const movedAside = `${home}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  oldLock.release();
  try {
    renameSync(home, movedAside);
  } catch (error) {
    throw unmovable(home, error);
  }
  const lock = lockHome(home);
  const giveBack = (): void => {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    renameSync(movedAside, home);
  };
  return { lock, movedAside, giveBack };
}

function lockHome(home: string): FileLock {
  const outcome = acquireHomeLock(home, 'gantry restore');
  if ('release' in outcome) return outcome;
  const { purpose = 'another command', pid = 'unknown' } = outcome.heldBy ?? {};
  throw new LauncherError(
    `"${purpose}" (process ${pid}) is using ${home}.`,
    'Stop it, and try again; or restore into another folder with --home.',
  );
}

const lockName = /^lock(\.|$)/;

function contentOf(home: string): readonly string[] {
  return readdirSync(home).filter((name) => !lockName.test(name));
}

function removeContent(home: string): void {
  // The mark goes last: as long as anything is left, the home is incomplete.
  const isMark = (name: string): number => (name === 'restoring.json' ? 1 : 0);
  for (const name of contentOf(home).toSorted((first, second) => isMark(first) - isMark(second))) {
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function assertServersStopped(home: string): void {
  const runs = readPostmaster(postgresLayout(home).data).kind === 'running' || runningTemporal(home) !== undefined;
  if (!runs) return;
  throw new LauncherError(
    `Servers that a killed process left behind are still running on ${home}.`,
    'Start the platform and stop it with Ctrl-C: this also stops the servers.',
  );
}

function notEmpty(home: string): LauncherError {
  return new LauncherError(
    `${home} is not empty.`,
    'Name an empty folder with --home, or move the existing home aside with --replace.',
  );
}

function unmovable(home: string, error: unknown): LauncherError {
  return new LauncherError(
    `${home} cannot be moved aside (${codeOf(error) ?? 'unknown reason'}).`,
    'If it is a mounted disk, move its content away yourself, and restore into the empty folder.',
    { cause: error },
  );
}

function explained(error: unknown, home: string): unknown {
  return ['ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error) ?? '') ? unwritable(home, error) : error;
}
