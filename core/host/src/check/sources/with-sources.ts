import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { PluginError } from '../../plugins';
import type { CheckTarget, SourceOptions } from './check-target';
import { fetchPackage } from './fetch-package';
import { installDependencies } from './install-dependencies';
import { openTarball } from './open-tarball';

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

type Source =
  | { readonly kind: 'id'; readonly word: string }
  | { readonly kind: 'path'; readonly word: string }
  | { readonly kind: 'npm'; readonly word: string; readonly spec: string };

/** As npm allows it for new packages. */
const packageName = /^(@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*$/i;
/** A version, a range or a tag; no address and no other name, which npm would accept here, too. */
const versionText = /^[\w.^~<>=|*+ -]{1,100}$/;

/**
 * A word without a version is an id: a mistyped one must not bring code of a stranger. `npm:` makes it a name of npm.
 */
function parseSource(word: string): Source {
  if (isPath(word)) return { kind: 'path', word };
  const isNamed = word.startsWith('npm:');
  const spec = isNamed ? word.slice('npm:'.length) : word;
  const at = spec.indexOf('@', 1);
  const name = at === -1 ? spec : spec.slice(0, at);
  if (!isNamed && at === -1 && !spec.startsWith('@')) return { kind: 'id', word };
  if (packageName.test(name) && (at === -1 || versionText.test(spec.slice(at + 1)))) return { kind: 'npm', word, spec };
  throw new PluginError(
    'PLUGIN_UNKNOWN',
    `"${word}" is no name of a package`,
    'Write name@version, with a version, a range or a tag such as latest; or the path of a folder or of a tarball',
  );
}

function isPath(word: string): boolean {
  if (isAbsolute(word) || /^\.{1,2}$/.test(word) || /\.(tgz|tar\.gz)$/.test(word)) return true;
  return (word.includes('/') || word.includes(sep)) && !/^(npm:)?@/.test(word);
}

async function open(source: Source, temporary: string, options: SourceOptions): Promise<CheckTarget> {
  switch (source.kind) {
    case 'id':
      return source.word;
    case 'path':
      return openPath(source.word, temporary, options);
    case 'npm': {
      const file = await fetchPackage(source.spec, `${temporary}-packed`, options);
      return unpack(file, source.spec, temporary, options);
    }
  }
}

async function openPath(word: string, temporary: string, options: SourceOptions): Promise<CheckTarget> {
  const path = await realpath(resolve(word)).catch(() => undefined);
  if (path === undefined) {
    throw new PluginError(
      'PLUGIN_UNKNOWN',
      `There is no folder and no file ${resolve(word)}`,
      'Name the folder of a plugin package, or a tarball that "npm pack" has made',
    );
  }
  if ((await stat(path)).isDirectory()) return { folder: path };
  return unpack(path, word, temporary, options);
}

async function unpack(file: string, origin: string, temporary: string, options: SourceOptions): Promise<CheckTarget> {
  const folder = await openTarball(file, origin, join(temporary, 'package'), options.signal);
  await installDependencies(folder, origin, join(temporary, 'install'), options);
  return { folder, origin };
}
