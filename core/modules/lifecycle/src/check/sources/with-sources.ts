import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PluginError } from '@gantry/core-loader';
import { openSource, parseSource, type Source } from '../../packages/open-source';
import type { SourceOptions } from '../../packages/source-options';
import type { CheckTarget } from './check-target';

/**
 * Makes what a person named into targets of a check: ids stay ids, a folder is a package, and a tarball or a package of npm
 * is unpacked into a temporary folder, which is removed after the work.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_NOT_FETCHED
 */
export async function withSources<T>(
  words: readonly string[],
  options: SourceOptions,
  work: (targets: readonly CheckTarget[]) => Promise<T>,
): Promise<T> {
  const sources = words.map(parseSource);
  if (sources.every(({ kind }) => kind === 'id')) return work(words);
  // Only this user can read it.
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'gantry-check-')));
  try {
    const targets: CheckTarget[] = [];
    for (const [index, source] of sources.entries()) {
      targets.push(await open(source, join(temporary, String(index)), options));
    }
    return await work(targets).catch((error: unknown) => {
      throw withOrigins(error, targets);
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** A temporary copy is called what a person named. */
function withOrigins(error: unknown, targets: readonly CheckTarget[]): unknown {
  if (!(error instanceof PluginError)) return error;
  const message = targets.reduce<string>(
    (text, target) =>
      typeof target === 'string' ? text : text.replaceAll(target.folder, () => target.origin ?? target.folder),
    error.message,
  );
  return message === error.message ? error : new PluginError(error.code, message, error.remedy, { cause: error });
}

async function open(source: Source, temporary: string, options: SourceOptions): Promise<CheckTarget> {
  if (source.kind === 'id') return source.word;
  const { source: kind, folder, origin } = await openSource(source, temporary, options);
  return kind === 'folder' ? { folder } : { folder, origin };
}
