import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isPackageName } from '@gantry/core-common';
import { PluginError } from '@gantry/core-loader';
import { fetchPackage } from './fetch-package';
import { installDependencies } from './install-dependencies';
import type { LockFile } from './lock-file';
import { openTarball } from './open-tarball';
import type { SourceOptions } from './source-options';

/** The meaning of a word of a person. */
export type Source =
  | { readonly kind: 'id'; readonly word: string }
  | { readonly kind: 'path'; readonly word: string }
  | { readonly kind: 'npm'; readonly word: string; readonly spec: string };

/** A package in a folder. */
export interface OpenedSource {
  readonly source: 'registry' | 'tarball' | 'folder';
  /** Real path. */
  readonly folder: string;
  /** The argument that named it. */
  readonly origin: string;
  /** Where it is, for the record. */
  readonly place: string;
  /** Of its tarball: `sha512-…`. npm has compared it with the one of the registry. */
  readonly integrity?: string;
  /** Of what it needs and does not bring along. */
  readonly lock?: LockFile;
}

/** A version, a range or a tag; no address and no other name, which npm would accept here, too. */
const versionText = /^[\w.^~<>=|*+ -]{1,100}$/;

/** Whether a word is a version, a range or a tag. */
export function isVersionText(text: string): boolean {
  return versionText.test(text) && !text.startsWith('-') && !isPath(text);
}

/**
 * A word without a version is an id: a mistyped one must not bring code of a stranger. `npm:` makes it a name of npm.
 * @throws PluginError PLUGIN_UNKNOWN
 */
export function parseSource(word: string): Source {
  if (isPath(word)) return { kind: 'path', word };
  const isNamed = word.startsWith('npm:');
  const spec = isNamed ? word.slice('npm:'.length) : word;
  const at = spec.indexOf('@', 1);
  const name = at === -1 ? spec : spec.slice(0, at);
  if (!isNamed && at === -1 && !spec.startsWith('@')) return { kind: 'id', word };
  if (isPackageName(name) && (at === -1 || isVersionText(spec.slice(at + 1)))) return { kind: 'npm', word, spec };
  throw new PluginError(
    'PLUGIN_UNKNOWN',
    `"${word}" is not the name of a package`,
    'Write name@version, with a version, a range or a tag such as latest; or the path of a folder or of a tarball',
  );
}

function isPath(word: string): boolean {
  if (isAbsolute(word) || /^\.{1,2}$/.test(word) || /\.(tgz|tar\.gz)$/.test(word)) return true;
  return (word.includes('/') || word.includes(sep)) && !/^(npm:)?@/.test(word);
}

/**
 * Opens what was named, with what it needs when it runs: a folder is used as it is, a tarball or a package of npm is unpacked.
 * @param temporary a folder that does not exist yet
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_NOT_FETCHED
 */
export async function openSource(
  source: Exclude<Source, { readonly kind: 'id' }>,
  temporary: string,
  options: SourceOptions,
): Promise<OpenedSource> {
  if (source.kind === 'path') return openPath(source.word, temporary, options);
  const file = await fetchPackage(source.spec, `${temporary}-packed`, options);
  return { ...(await unpack(file, source.spec, temporary, options)), source: 'registry' };
}

async function openPath(word: string, temporary: string, options: SourceOptions): Promise<OpenedSource> {
  const path = await realpath(resolve(word)).catch(() => undefined);
  if (path === undefined) {
    throw new PluginError(
      'PLUGIN_UNKNOWN',
      `There is no folder and no file ${resolve(word)}`,
      'Name the folder of a plugin package, or a tarball that "npm pack" has made',
    );
  }
  if ((await stat(path)).isDirectory()) return { source: 'folder', folder: path, origin: path, place: path };
  return { ...(await unpack(path, word, temporary, options)), place: path };
}

/**
 * Opens a tarball.
 * @param origin what it is called in messages
 * @param given the lock file by which its dependencies are installed
 * @throws PluginError PLUGIN_UNUSABLE, PLUGIN_NOT_FETCHED
 */
export async function unpack(
  file: string,
  origin: string,
  temporary: string,
  options: SourceOptions,
  given?: LockFile,
): Promise<OpenedSource> {
  const folder = await openTarball(file, origin, join(temporary, 'package'), options.signal);
  const lock = await installDependencies(folder, origin, join(temporary, 'install'), options, given);
  const integrity = await integrityOf(file);
  return { source: 'tarball', folder, origin, place: origin, integrity, ...(lock === undefined ? {} : { lock }) };
}

/** As in Subresource Integrity. */
export async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}
