import { chmodSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, messageOf, silentLogger } from '@gantry/core-common';
import { sumTableFile } from './database/copy-table';
import { sumFile } from './file-sum';
import type { FileSum } from './file-sum';
import { loadBackup } from './load-backup';
import { backupFolders, damaged, readManifest } from './manifest';
import type { BackedUpTable, Manifest } from './manifest';

export interface VerifyOptions {
  /** Absolute folder of a backup. */
  readonly backup: string;
  /** Restores it into a temporary folder as well, which takes its time and space. */
  readonly deep: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (step: string) => void;
}

export interface VerifyReport {
  readonly createdAt: string;
  readonly platformVersion: string;
  readonly postgresVersion: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** Whether it was restored to be sure. */
  readonly isRestorable: boolean | undefined;
}

/**
 * Reads all of a backup and compares it with its sums.
 * @throws LauncherError with the first part that is damaged.
 * @public
 */
export async function verifyBackup(options: VerifyOptions): Promise<VerifyReport> {
  const { backup, deep, signal, onProgress = () => undefined } = options;
  const manifest = readManifest(backup);
  for (const table of manifest.tables) {
    onProgress(`Reading the table ${table.name}`);
    await verifyTable(backup, table, signal);
  }
  onProgress('Reading images and plugins');
  await verifyFiles(backup, backupFolders.files, manifest.files, signal);
  await verifyFiles(backup, backupFolders.temporal, manifest.temporal?.files ?? [], signal);
  if (deep) await restoreForTrial(backup, manifest, signal, onProgress);
  return {
    createdAt: manifest.createdAt,
    platformVersion: manifest.platformVersion,
    postgresVersion: manifest.postgresVersion,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.length,
    isRestorable: deep ? true : undefined,
  };
}

async function verifyTable(backup: string, table: BackedUpTable, signal: AbortSignal): Promise<void> {
  const found = await sumTableFile(join(backup, table.file), signal).catch((error: unknown) => {
    throw unreadable(backup, table.file, error);
  });
  assertSame(backup, table.file, table, found);
  if (found.rows === table.rows && found.sum === table.sum) return;
  throw damaged(backup, `the rows in ${table.file} have changed`);
}

async function verifyFiles(backup: string, part: string, files: Manifest['files'], signal: AbortSignal): Promise<void> {
  for (const file of files) {
    const path = `${part}/${file.path}`;
    try {
      if (!('link' in file)) assertSame(backup, path, file, await sumFile(join(backup, path), signal));
      else if (readlinkSync(join(backup, path)) !== file.link) throw damaged(backup, `the link ${path} has changed`);
    } catch (error) {
      throw unreadable(backup, path, error);
    }
  }
}

function assertSame(backup: string, path: string, expected: FileSum, found: FileSum): void {
  if (found.size === expected.size && found.sha256 === expected.sha256) return;
  throw damaged(backup, `${path} has changed`);
}

function unreadable(backup: string, path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOENT') return damaged(backup, `${path} is missing`);
  if (code?.startsWith('Z_') === true) return damaged(backup, `${path} cannot be unpacked (${messageOf(error)})`);
  return error;
}

async function restoreForTrial(
  backup: string,
  manifest: Manifest,
  signal: AbortSignal,
  onProgress: (step: string) => void,
): Promise<void> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-verify-'));
  try {
    // Started by root, PostgreSQL runs as another user, who has to pass through.
    chmodSync(home, 0o711);
    await loadBackup({ folder: backup, manifest, home, logger: silentLogger, signal, onProgress });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
