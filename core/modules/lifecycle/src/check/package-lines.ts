import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginCheckLine } from '@gantry/contracts';
import { listPackageFiles, shippedSingletons, type CheckedPlugin } from '@gantry/core-loader';
import { okLine, warningLine } from './check-lines';

/** Scripts that npm runs when a package is installed as a dependency. */
const installScripts = ['preinstall', 'install', 'postinstall'];

/** How much a package is, and what of it is more than JavaScript. */
export async function packageLines({ folder, contentHash }: CheckedPlugin): Promise<readonly PluginCheckLine[]> {
  // Without a hash, its files could not be read, which is reported by itself.
  if (contentHash === undefined) return [];
  const files = (await listPackageFiles(folder)).filter(({ target }) => target === undefined).map(({ path }) => path);
  const sizes = await Promise.all(files.map(async (path) => (await stat(join(folder, path))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const scripts = await Promise.all(files.filter(isManifest).map((path) => scriptsOf(folder, path)));
  return [
    okLine('package/size', `${files.length.toLocaleString('en')} files, ${sizeText(bytes)}`),
    ...scriptLines(scripts.flat()),
    ...dependencyLines(readJson(await readFile(join(folder, 'package.json'), 'utf8'))),
    ...nativeLines(files.filter(isNative)),
  ];
}

/** A package.json of the package or of one in its node_modules. */
function isManifest(path: string): boolean {
  return path === 'package.json' || /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path);
}

function isNative(path: string): boolean {
  return /\.(node|so|dylib|dll)$/.test(path) || /(^|\/)binding\.gyp$/.test(path);
}

async function scriptsOf(folder: string, path: string): Promise<readonly string[]> {
  const { scripts: given } = readJson(await readFile(join(folder, path), 'utf8'));
  const scripts: object = typeof given === 'object' && given !== null ? given : {};
  return installScripts.flatMap((name) => {
    const script: unknown = Reflect.get(scripts, name);
    return typeof script === 'string' ? [`${path}: ${name}: ${script.slice(0, 200)}`] : [];
  });
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
  } catch {
    // Whether it is loaded is decided elsewhere.
    return {};
  }
}

const maxDetails = 20;

function scriptLines(scripts: readonly string[]): readonly PluginCheckLine[] {
  if (scripts.length === 0) return [];
  const message = `${scripts.length === 1 ? 'A script' : `${scripts.length} scripts`} would run when npm installs the package`;
  const remedy = 'Read the scripts before you install the package with npm; the platform never runs them';
  return [warningLine('package/install-scripts', message, { remedy, details: scripts.slice(0, maxDetails) })];
}

/** Where they are not in its node_modules, the package itself runs, but an installation of it would bring them along. */
function dependencyLines(json: Readonly<Record<string, unknown>>): readonly PluginCheckLine[] {
  const names = shippedSingletons(json);
  if (names.length === 0) return [];
  const message = `Its package.json has ${names.join(', ')} as ${names.length === 1 ? 'a dependency' : 'dependencies'}, which the platform provides: an installed package with a copy of it is refused`;
  const remedy = `Name ${names.join(', ')} in peerDependencies and devDependencies`;
  return [warningLine('package/dependencies', message, { remedy })];
}

function nativeLines(files: readonly string[]): readonly PluginCheckLine[] {
  if (files.length === 0) return [];
  const message = 'It contains native code, which runs on one system only and can end the process';
  const remedy = 'Use only packages from a source that you trust, and build them on the target system';
  return [warningLine('package/native-code', message, { remedy, details: files.slice(0, maxDetails) })];
}

function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000).toLocaleString('en')} kB`;
  return `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
