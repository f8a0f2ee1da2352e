import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf, type Logger } from '@gantry/core-common';
import { LauncherError } from '../common/launcher-error';
import { findPostgresBinaries } from '../postgres/binaries';
import { startPostgres } from '../postgres/start-postgres';
import { temporalLayout } from '../temporal/binaries/layout';
import { loadDatabase } from './database/load-database';
import { restoreHomeFiles } from './home-files';
import { backupFolders, damaged } from './manifest';
import type { Manifest } from './manifest';

export interface LoadOptions {
  /** The backup. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** An empty home of which the caller has the lock. */
  readonly home: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly onProgress: (step: string) => void;
}

/**
 * Rows that are loaded in the transaction that makes their table need not be written to the log as well; they are on the
 * disk before the transaction ends.
 */
const loadSettings = { wal_level: 'minimal', max_wal_senders: '0', archive_mode: 'off' } as const;

/**
 * Fills a home with what a backup holds, and compares all of it with the sums of the backup.
 * @throws LauncherError when they differ.
 */
export async function loadBackup(options: LoadOptions): Promise<void> {
  const { folder, manifest } = options;
  assertReadable(folder, manifest);
  try {
    await load(options);
  } catch (error) {
    throw isDamage(error, folder) ? damaged(folder, `${messageOf(error)}; "gantry verify" names the file`) : error;
  }
}

/** A file of the backup is missing or cannot be unpacked. */
function isDamage(error: unknown, folder: string): boolean {
  const code = codeOf(error) ?? '';
  return (
    code.startsWith('Z_') || (code === 'ENOENT' && (error as NodeJS.ErrnoException).path?.startsWith(folder) === true)
  );
}

async function load({ folder, manifest, home, logger, signal, onProgress }: LoadOptions): Promise<void> {
  onProgress('Restoring images and plugins');
  await restoreFiles(folder, backupFolders.files, manifest.files, home, signal);
  await restoreTemporal(folder, manifest.temporal?.files ?? [], home, signal);
  onProgress('Making a database');
  const postgres = await startPostgres({ home, logger, signal, settings: loadSettings });
  try {
    await loadDatabase({
      url: postgres.url,
      folder,
      manifest,
      signal,
      onTable: ({ name }, index, count) => onProgress(`Restored the table ${name} (${index} of ${count})`),
    });
  } finally {
    await postgres.stop();
  }
}

/** The list has the file used last at the end; times of files that are written at once can be the same. */
async function restoreTemporal(
  folder: string,
  files: Manifest['files'],
  home: string,
  signal: AbortSignal,
): Promise<void> {
  const { root } = temporalLayout(home);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  await restoreFiles(folder, backupFolders.temporal, files, root, signal);
  const now = Math.floor(Date.now() / 1000);
  for (const [index, { path }] of files.entries()) {
    const usedAt = now - files.length + index;
    utimesSync(join(root, path), usedAt, usedAt);
  }
}

/** Newer versions of PostgreSQL read what older ones wrote. */
function assertReadable(folder: string, { postgresVersion }: Manifest): void {
  const { major } = findPostgresBinaries();
  if (Number.parseInt(postgresVersion, 10) <= major) return;
  throw new LauncherError(
    `${folder} was written by PostgreSQL ${postgresVersion}, but this version of Gantry includes PostgreSQL ${major}.`,
    'Restore it with the version of Gantry that wrote it, or a newer one.',
  );
}

async function restoreFiles(
  folder: string,
  part: string,
  files: Manifest['files'],
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const changed = await restoreHomeFiles(files, join(folder, part), target, signal);
  if (changed !== undefined) throw damaged(folder, `the file ${part}/${changed} has changed`);
}
