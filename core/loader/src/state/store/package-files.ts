import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { PluginError } from '../../plugin-error';

/** A file of a package, or a link within it. */
export interface PackageFile {
  /** From the package's folder, with slashes. */
  readonly path: string;
  /** Of a link: where it leads, from the folder that it is in, with slashes. */
  readonly target?: string;
}

/** Files that are not part of a package: neither hashed nor copied, so that it cannot be loaded from the copy either. */
const ignored: ReadonlySet<string> = new Set(['.git', '.DS_Store']);
const ignoredPaths: ReadonlySet<string> = new Set(['node_modules/.cache', 'node_modules/.package-lock.json']);
const maxFiles = 50_000;

/**
 * Every file of a package, its own node_modules included, by path. Links stay links where they lead to something in the
 * package. Those in node_modules that lead out of it are left out: such packages are found from the package's folder.
 * @throws PluginError PLUGIN_UNUSABLE for another link out of the package, or too many files
 */
export async function listPackageFiles(folder: string): Promise<readonly PackageFile[]> {
  const files: PackageFile[] = [];
  const home = await realpath(folder);
  const left = await developmentPackages(home);
  const add = (file: PackageFile): void => {
    files.push(file);
    if (files.length > maxFiles) throw tooMany(folder);
  };
  await walk(home, '', left, add);
  return files.toSorted((first, second) => (first.path < second.path ? -1 : 1));
}

/** npm's record of what it has installed. `devOptional` is also an optional dependency of what the package needs when it runs. */
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

/**
 * Packages that npm has installed for development only. Of a package in a workspace, the record is in a folder above. What the
 * record says of other paths does not count.
 */
async function developmentPackages(home: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let folder = home; ; folder = dirname(folder)) {
    const below = folder === home ? '' : `${relative(folder, home).replaceAll(sep, '/')}/`;
    for (const path of await developmentPackagesIn(folder)) {
      if (path.startsWith(`${below}node_modules/`)) found.add(path.slice(below.length));
    }
    if (folder === dirname(folder)) return found;
  }
}

async function developmentPackagesIn(folder: string): Promise<readonly string[]> {
  try {
    const text = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = lockSchema.parse(JSON.parse(text));
    return Object.keys(packages).filter((path) => packages[path]?.dev === true);
  } catch {
    // Without a record that can be read, nothing is left out.
    return [];
  }
}

async function walk(
  home: string,
  below: string,
  left: ReadonlySet<string>,
  add: (file: PackageFile) => void,
): Promise<void> {
  const entries = await readdir(join(home, below), { withFileTypes: true });
  const folders: string[] = [];
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (ignored.has(entry.name) || ignoredPaths.has(path) || left.has(path)) continue;
    if (entry.isDirectory()) folders.push(path);
    else if (entry.isFile()) add({ path });
    else if (entry.isSymbolicLink()) {
      const target = await targetWithin(home, path);
      if (target !== undefined) add({ path, target });
    }
  }
  for (const path of folders) await walk(home, path, left, add);
}

/** @returns undefined for a link that is left out */
async function targetWithin(home: string, path: string): Promise<string | undefined> {
  const link = join(home, path);
  const target = await realpath(link).catch(() => undefined);
  if (target === home || target?.startsWith(home + sep)) {
    return relative(dirname(link), target).replaceAll(sep, '/') || '.';
  }
  if (target === undefined || path.split('/').includes('node_modules')) return undefined;
  const found = await stat(link);
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${link} is a symbolic link out of the package, to ${target}, whose changes would not be detected`,
    `Replace the link by the ${found.isDirectory() ? 'folder' : 'file'} itself`,
  );
}

function tooMany(folder: string): PluginError {
  return new PluginError(
    'PLUGIN_UNUSABLE',
    `${folder} holds more than ${maxFiles} files, the maximum of a plugin`,
    'Install only what the plugin needs when it runs (npm install --omit=dev), or bundle it',
  );
}
