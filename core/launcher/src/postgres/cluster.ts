import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, poll } from '@gantry/core-common';
import { spawnChild } from '@gantry/core-supervisor/child';
import { ensureFolder, readIfThere, writeAtomically } from '../common/files';
import { passableMode } from '../home/private-home';
import { LauncherError } from '../common/launcher-error';
import type { PostgresBinaries } from './binaries';
import type { PostgresLayout } from './layout';
import type { RunAs } from './run-as';
import { totalmem } from 'node:os';

export const databaseUser = 'gantry';

const draftPrefix = 'initialising-';
const orphanTimeoutMs = 10_000;
/** The builtin provider decides order and case; libc's character classes still decide what a word is in trigram indexes. */
const characterClasses = ['C.UTF-8', 'en_US.UTF-8', 'C'] as const;

/**
 * Makes the database files unless they are there. A kill at any moment leaves either none or all of them.
 * @returns whether they were made now.
 * @throws LauncherError when they are there but unusable, or cannot be made; the signal's reason when it aborts.
 */
export async function ensureCluster(
  layout: PostgresLayout,
  binaries: PostgresBinaries,
  runAs: RunAs,
  signal: AbortSignal,
): Promise<boolean> {
  ensureFolder(layout.root, passableMode());
  await removeDrafts(layout.root);
  if (existsSync(layout.data)) {
    checkData(layout, binaries, runAs);
    return false;
  }
  await initialise(layout, binaries, runAs, signal);
  return true;
}

/**
 * Removes what a killed start had begun to make. Its programs may still write there for a moment: what they have written
 * meanwhile is removed again, until nothing is added any more.
 */
export async function removeDrafts(root: string): Promise<void> {
  const drafts = readdirSync(root).filter((name) => name.startsWith(draftPrefix));
  for (const draft of drafts) await removeDraft(join(root, draft));
}

async function removeDraft(folder: string): Promise<void> {
  const isGone = await poll(() => tryToRemove(folder), orphanTimeoutMs, 100);
  // Tried again, to get the reason from the system.
  if (isGone === undefined) rmSync(folder, { recursive: true, force: true });
}

/** @returns undefined when it was filled again in the meantime */
function tryToRemove(folder: string): true | undefined {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY') throw error;
    return undefined;
  }
}

/** The password of {@link databaseUser}; made at the first call. */
export function clusterPassword(layout: PostgresLayout): string {
  const kept = readIfThere(layout.password)?.trim();
  if (kept !== undefined && kept !== '') return kept;
  if (existsSync(layout.data)) {
    throw new LauncherError(
      `${layout.password} is missing, so that the database in ${layout.data} cannot be opened.`,
      `Restore the file from a copy, or move ${layout.root} away to start with an empty database.`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  ensureFolder(layout.root, passableMode());
  writeAtomically(layout.password, password);
  return password;
}

function checkData(layout: PostgresLayout, binaries: PostgresBinaries, runAs: RunAs): void {
  const version = readIfThere(join(layout.data, 'PG_VERSION'))?.trim();
  if (version === undefined || !/^\d+$/.test(version)) {
    throw new LauncherError(
      `${layout.data} is damaged: it holds no database of PostgreSQL (PG_VERSION is missing or unreadable).`,
      `Restore it from a copy, or move ${layout.root} away to start with an empty database.`,
    );
  }
  if (Number(version) !== binaries.major) {
    throw new LauncherError(
      `${layout.data} was written by PostgreSQL ${version}, but this version of Gantry includes PostgreSQL ${binaries.major}.`,
      `Back it up with a version of Gantry that includes PostgreSQL ${version} (npx @gantry/cli@<version> backup <folder>), and restore that ` +
        `with this one: gantry restore <folder> --replace. Or set DATABASE_URL to a PostgreSQL ${version} that serves it.`,
    );
  }
  const stats = statSync(layout.data);
  const expected = runAs.owner?.uid ?? process.getuid?.() ?? stats.uid;
  if (stats.uid !== expected) {
    const name = runAs.owner?.name ?? process.env['USER'] ?? String(expected);
    throw new LauncherError(
      `${layout.data} belongs to another user (uid ${stats.uid}) than the user that runs PostgreSQL (${name}).`,
      `Start as that user, or change the owner with: chown -R ${name} ${layout.data}`,
    );
  }
  // A copy made without modes is the usual cause, and PostgreSQL refuses any other mode.
  if ((stats.mode & 0o077) !== 0) chmodSync(layout.data, 0o700);
}

async function initialise(
  layout: PostgresLayout,
  binaries: PostgresBinaries,
  runAs: RunAs,
  signal: AbortSignal,
): Promise<void> {
  const password = clusterPassword(layout);
  const draft = mkdtempSync(join(layout.root, draftPrefix));
  chmodSync(draft, 0o711);
  try {
    const passwordFile = join(draft, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const data = join(draft, 'data');
    ensureFolder(data, 0o700, runAs.owner);
    if (runAs.owner !== undefined) chownSync(passwordFile, runAs.owner.uid, runAs.owner.gid);
    await runInitdb(runAs, binaries, { data, passwordFile }, signal);
    renameSync(data, layout.data);
  } finally {
    await removeDraft(draft);
  }
}

interface Draft {
  readonly data: string;
  readonly passwordFile: string;
}

async function runInitdb(runAs: RunAs, binaries: PostgresBinaries, draft: Draft, signal: AbortSignal): Promise<void> {
  let output = '';
  for (const characterClass of characterClasses) {
    const result = await run(runAs, binaries.initdb, initdbArguments(draft, characterClass), signal);
    signal.throwIfAborted();
    if (result.code === 0) return;
    output = result.output;
    // initdb empties the folder again when it fails. Only an unknown locale is worth another try.
    if (!/invalid locale|locale name/i.test(output)) break;
  }
  const reason = output.split('\n').find((line) => /error|fatal/i.test(line)) ?? output.trim().split('\n').at(-1) ?? '';
  throw new LauncherError(
    `The database could not be created in ${draft.data}: ${reason.trim()}`,
    'Check the free space and the rights of that folder, or set GANTRY_HOME to another one.',
  );
}

function initdbArguments({ data, passwordFile }: Draft, characterClass: string): readonly string[] {
  const settings = Object.entries(initialSettings()).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return [
    ...['-D', data, '--username', databaseUser, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    ...['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...['--locale', 'C', '--lc-ctype', characterClass, '--lc-messages', 'C', '--no-instructions'],
    ...settings,
  ];
}

/** Runs a program to its end, which comes early when the signal aborts: on a slow disk initdb takes minutes. */
async function run(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly output: string }> {
  signal.throwIfAborted();
  const [command, allArgs] = runAs.command(program, args);
  const lines: string[] = [];
  const { exitCode, lastError } = await spawnChild({
    program: command,
    args: allArgs,
    identity: runAs.identity,
    cwd: '/',
    env: postgresEnvironment(),
    output: { onLine: (line) => lines.push(line) },
    signal,
  }).ended;
  return { code: exitCode, output: lines.length === 0 ? (lastError ?? '') : lines.join('\n') };
}

/** Variables of the terminal are left out: PGDATA, PGPORT, PGOPTIONS and locale variables of the terminal would change the server. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

const megabyte = 1024 * 1024;

/**
 * Settings written to postgresql.conf when the database is made: a developer machine with a solid-state disk, full
 * durability (fsync and synchronous_commit keep their defaults). Change them there, or with ALTER SYSTEM.
 */
function initialSettings(
  memory = totalmem(),
  platform: NodeJS.Platform = process.platform,
): Readonly<Record<string, string>> {
  const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte)}MB`;
  const sharedBuffers = Math.min(Math.max(memory / 16, 128 * megabyte), 1024 * megabyte);
  return {
    max_connections: '200',
    shared_buffers: megabytes(sharedBuffers),
    effective_cache_size: megabytes(Math.max(memory / 2, 512 * megabyte)),
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    random_page_cost: '1.1',
    // Compiling a query costs more than the short queries here take.
    jit: 'off',
    min_wal_size: '128MB',
    max_wal_size: '2GB',
    wal_compression: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Only this reaches the disk on macOS; elsewhere the default does.
    ...(platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}),
  };
}
