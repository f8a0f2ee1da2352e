import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { GantryError } from '@gantry/plugin-api';
import { spawnChild } from '@gantry/core-supervisor/child';
import { PluginError } from '../plugins';
import type { ArchiveAnswer, ArchiveStart } from './archive-messages';
import { withoutArchive, type PackageToArchive } from './archives';

/** The file of the process, seen from the sources as well as from the build. */
const entry = join(__dirname, '..', '..', 'dist', 'plugin-set', 'archive-process.js');

const timeoutMs = 5 * 60_000;

/**
 * Stores the archives that the database lacks, in a process of lower priority: packing hundreds of files takes a second of processor
 * time, in which requests would wait.
 * @throws PluginError PLUGIN_UNUSABLE for one that is too large
 * @throws GantryError `UNAVAILABLE`
 */
export async function archiveApart(
  client: ClientBase,
  { home, databaseUrl }: Pick<ArchiveStart, 'home' | 'databaseUrl'>,
  packages: readonly PackageToArchive[],
): Promise<void> {
  const missing = await withoutArchive(client, packages);
  if (missing.length === 0) return;
  const answer = await runProcess({ home, databaseUrl, packages: [...missing] });
  if (answer.kind === 'archived') return;
  if (answer.remedy !== undefined) throw new PluginError('PLUGIN_UNUSABLE', answer.message, answer.remedy);
  throw new GantryError('UNAVAILABLE', `The package was not stored for other hosts: ${answer.message}. Try again.`);
}

async function runProcess(start: ArchiveStart): Promise<ArchiveAnswer> {
  let onAnswer = (_answer: ArchiveAnswer): void => {};
  const answered = new Promise<ArchiveAnswer>((resolve) => {
    onAnswer = resolve;
  });
  const child = spawnChild({
    program: process.execPath,
    args: [entry],
    // PostgreSQL takes settings from it.
    env: process.env,
    isBackground: 'always',
    output: { onLine: () => {} },
    channel: {
      parse: (message) => message as ArchiveAnswer,
      onMessage: (message) => onAnswer(message),
      startMessage: Promise.resolve(start),
    },
  });
  child.limit(timeoutMs);
  const ended = child.ended.then(({ lastError, timedOut }): ArchiveAnswer => {
    const how = timedOut ? `it took longer than ${timeoutMs / 60_000} minutes` : (lastError ?? 'its process ended');
    return { kind: 'not-archived', message: how };
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    child.kill('SIGKILL');
  }
}
