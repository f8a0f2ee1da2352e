import { chmodSync, closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { codeOf } from '@gantry/core-common';
import { readIfThere } from '../common/files';
import { LauncherError } from '../common/launcher-error';
import { openDatabase } from '../servers/open-database';
import { platformVersion } from '../common/platform-version';
import { postgresLayout } from '../postgres/layout';
import { findRunningPlatform } from '../home/run-file';
import { dumpDatabase } from './database/dump-database';
import { createDraftFolder } from './draft-folder';
import { sumFile } from './file-sum';
import { copyHomeFiles } from './home-files';
import { backupFolders, writeManifest } from './manifest';
import type { BackedUpFile, Manifest } from './manifest';
import { whilePaused } from './pause-process';
import { precopyTemporalFiles, refreshTemporalCopy, runningTemporal } from './temporal-files';

export interface BackupOptions {
  /** Absolute folder of data, logs and state (GANTRY_HOME). */
  readonly home: string;
  /** Absolute folder that does not exist yet. */
  readonly target: string;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly signal: AbortSignal;
  /** Called with what is being done. */
  readonly onProgress?: (step: string) => void;
}

export interface BackupReport {
  readonly folder: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Bytes of the whole backup. */
  readonly size: number;
  /** Milliseconds for which the running Temporal was stopped; absent when none runs. */
  readonly temporalPausedMs?: number;
  /** Files and objects that are not part of the backup. */
  readonly leftOut: readonly string[];
}

/**
 * Writes everything that a home holds into a folder: the tables, the workflows of the embedded Temporal, images, and the
 * plugin set. The platform may keep running; what is written is its state at one moment. The folder appears only when it
 * is complete.
 * @throws LauncherError when the database is not the embedded one, or something cannot be read or written.
 * @public
 */
export async function backupHome(options: BackupOptions): Promise<BackupReport> {
  const { home, target, environment, signal } = options;
  assertOutside(home, target);
  assertEmbedded(home, environment);
  const draft = createDraftFolder(target);
  try {
    const database = await openDatabase({ home, purpose: 'gantry backup', environment, signal });
    try {
      const manifest = await writeBackup(options, database.url, draft.path);
      writeManifest(draft.path, manifest);
      draft.publish();
      return reportOf(target, manifest);
    } finally {
      await database.close();
    }
  } catch (error) {
    draft.remove();
    throw explained(error, target);
  }
}

/** @throws LauncherError when the home has no embedded database, or its platform uses another one. */
function assertEmbedded(home: string, environment: Readonly<NodeJS.ProcessEnv>): void {
  const layout = postgresLayout(home);
  const running = findRunningPlatform(home);
  const password = readIfThere(layout.password)?.trim() ?? '';
  const isOther = running !== undefined && new URL(running.databaseUrl).password !== encodeURIComponent(password);
  if (environment['DATABASE_URL'] || isOther) {
    throw new LauncherError(
      'The platform uses a PostgreSQL that DATABASE_URL names, and "gantry backup" is for the embedded one.',
      'Back that PostgreSQL up with its own tools, such as pg_dump, together with GANTRY_HOME: see docs/backup-and-restore.md.',
    );
  }
  if (existsSync(layout.data)) return;
  throw new LauncherError(
    `${home} holds no database.`,
    'Name the folder of the platform with --home or GANTRY_HOME; before the first start, a home has no data.',
  );
}

function assertOutside(home: string, target: string): void {
  const path = relative(home, target);
  if (path !== '' && (path.startsWith('..') || isAbsolute(path))) return;
  throw new LauncherError(
    `${target} is in ${home}, which is to be backed up.`,
    'Name a folder elsewhere, best on another disk.',
  );
}

/** Messages for the most frequent failures. */
function explained(error: unknown, target: string): unknown {
  if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')) return error;
  return new LauncherError(
    `The backup does not fit on the disk of ${target}. The incomplete backup was deleted.`,
    'Free some space there, or name a folder on another disk.',
    { cause: error },
  );
}

async function writeBackup(options: BackupOptions, url: string, folder: string): Promise<Manifest> {
  const { home, signal, environment, onProgress = () => undefined } = options;
  const temporalFolder = join(folder, backupFolders.temporal);
  let pausedMs: number | undefined;
  let names: readonly string[] = [];
  onProgress('Copying the workflows');
  precopyTemporalFiles(home, temporalFolder);
  const database = await dumpDatabase({
    url,
    folder,
    signal,
    atSnapshot: async (takeSnapshot) => {
      const copyAtSnapshot = async (): Promise<readonly string[]> => {
        await takeSnapshot();
        return refreshTemporalCopy(home, temporalFolder);
      };
      const temporal = runningTemporal(home);
      if (temporal === undefined) {
        names = await copyAtSnapshot();
        return;
      }
      ({ result: names, pausedMs } = await whilePaused(temporal, copyAtSnapshot));
    },
    onTable: ({ name }, index, count) => onProgress(`Copied the table ${name} (${index} of ${count})`),
  });
  onProgress('Copying images and plugins');
  // Behind the tables: every image that a row names is there, as images are stored first and never change.
  const files = await copyHomeFiles(home, join(folder, backupFolders.files), signal);
  const temporal = await describeTemporal(temporalFolder, names, signal);
  return {
    createdAt: new Date().toISOString(),
    platformVersion: platformVersion(),
    ...database,
    leftOut: [...database.leftOut, ...leftOutBy(environment, temporal)],
    ...(temporal.length === 0
      ? {}
      : { temporal: { files: temporal, ...(pausedMs === undefined ? {} : { pausedMs }) } }),
    files,
  };
}

async function describeTemporal(
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = [];
  for (const path of names) {
    const file = join(folder, path);
    chmodSync(file, 0o600);
    syncFile(file);
    files.push({ path, mode: 0o600, ...(await sumFile(file, signal)) });
  }
  return files;
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function leftOutBy(environment: Readonly<NodeJS.ProcessEnv>, temporal: readonly BackedUpFile[]): readonly string[] {
  const address = environment['TEMPORAL_ADDRESS'];
  return address && temporal.length === 0 ? [`workflows of the Temporal at ${address} (TEMPORAL_ADDRESS)`] : [];
}

function reportOf(folder: string, { tables, files, temporal, leftOut }: Manifest): BackupReport {
  const sizes = [...tables, ...files, ...(temporal?.files ?? [])].map((part) => ('size' in part ? part.size : 0));
  return {
    folder,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.length,
    size: sizes.reduce((sum, size) => sum + size, 0),
    ...(temporal?.pausedMs === undefined ? {} : { temporalPausedMs: Math.round(temporal.pausedMs) }),
    leftOut,
  };
}
