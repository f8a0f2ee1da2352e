import { join } from 'node:path';
import type { InstalledPackage } from '@gantry/contracts';
import type { SourceOptions } from './source-options';
import { openSource, parseSource, unpack, type OpenedSource } from './open-source';
import { copySelfContained, PluginError, readManifest, storePackage, withDraft } from '@gantry/core-loader';

export interface PrepareOptions extends SourceOptions {
  readonly home: string;
  /** Who does it, for the record. */
  readonly by: string;
}

/** A package of the store of the home that nothing uses yet; the store keeps it for a day. */
export interface PreparedPackage {
  /** Id of the plugin that it is. */
  readonly plugin: string;
  readonly displayName: string;
  /** In the store. */
  readonly folder: string;
  readonly installed: InstalledPackage;
}

/** The tarball that is the body of a request. */
export interface UploadedTarball {
  readonly file: string;
  /** Its name in messages. */
  readonly name: string;
}

/**
 * Fetches a package and verifies it, installs what it needs without any script, and puts all of it into the store of the home.
 * Runs no code of a package and changes no plugin.
 * @param source a folder, a tarball, or a package of npm
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_NOT_FETCHED
 */
export async function preparePackage(
  source: string | UploadedTarball,
  options: PrepareOptions,
): Promise<PreparedPackage> {
  return withDraft(options.home, async (draft) => {
    const opened = await open(source, join(draft, 'source'), options);
    options.signal?.throwIfAborted();
    const whole = join(draft, 'whole');
    // A folder may find what it needs above it; what npm has installed is complete.
    if (opened.source === 'folder') await copySelfContained(opened.folder, whole);
    const folder = opened.source === 'folder' ? whole : opened.folder;
    return store(folder, opened, options).catch((error: unknown) => {
      throw named(error, folder, opened.origin);
    });
  });
}

function open(source: string | UploadedTarball, temporary: string, options: PrepareOptions): Promise<OpenedSource> {
  if (typeof source !== 'string') return unpack(source.file, source.name, temporary, options);
  const parsed = parseSource(source);
  if (parsed.kind !== 'id') return openSource(parsed, temporary, options);
  throw new PluginError(
    'PLUGIN_UNKNOWN',
    `"${source}" could be a package of npm or a folder`,
    `Write npm:${source} for the package of npm, or ./${source} for the folder`,
  );
}

async function store(folder: string, opened: OpenedSource, { home, by }: PrepareOptions): Promise<PreparedPackage> {
  const { id: plugin, displayName, packageName, version } = await readManifest(folder);
  const stored = await storePackage(home, plugin, folder);
  const { contentHash } = stored;
  const installed: InstalledPackage = {
    ...{ packageName, version, contentHash },
    source: opened.source,
    from: opened.source === 'registry' ? `${packageName}@${version}` : opened.place,
    ...(opened.integrity === undefined ? {} : { integrity: opened.integrity }),
    ...(opened.lock === undefined ? {} : { lock: opened.lock }),
    by,
    at: new Date().toISOString(),
  };
  return { plugin, displayName, folder: stored.folder, installed };
}

/** The draft is called what a person named. */
function named(error: unknown, folder: string, origin: string): unknown {
  if (!(error instanceof PluginError)) return error;
  const text = (sentence: string): string => sentence.replaceAll(folder, () => origin);
  return new PluginError(error.code, text(error.message), text(error.remedy), { cause: error });
}
