import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { PluginProblem } from '@gantry/contracts';
import { codeOf, describeError } from '@gantry/core-common';
import { parsePackageJson, readPackageJson, type PackageJson } from '../manifest/package-json';
import type { PluginSources } from '../plugin-sources';
import { PluginError } from '../plugin-error';
import { createProblem } from '../problem-kinds';
import type { DiscoveredPackage } from '../record/plugin-record';

/** The packages in the folders that are searched for plugins. */
export interface Discovery {
  readonly packages: readonly DiscoveredPackage[];
  /** Sentences about what looked odd and is no plugin. */
  readonly notes: readonly string[];
}

interface Candidate {
  readonly path: string;
  /** Found by its place in a folder of the plugin path, or as a dependency of the project. */
  readonly source: 'path' | 'dependency';
}

type Finding = { readonly package: DiscoveredPackage } | { readonly note: string } | undefined;

/**
 * Finds plugin packages: the child folders of the plugin path, and the project's installed dependencies, whose
 * package.json has a `gantry` member. Runs none of their code.
 */
export async function discover(
  sources: Pick<PluginSources, 'project' | 'pluginPath' | 'trialFolders'>,
): Promise<Discovery> {
  const notes: string[] = [];
  const candidates: Candidate[] = (
    await Promise.all([
      ...sources.pluginPath.map((folder) =>
        childFolders(
          folder,
          notes,
          usualFolders.map((name) => join(sources.project, name)),
        ),
      ),
      dependencies(sources.project, notes),
    ])
  ).flat();
  candidates.push(...(sources.trialFolders ?? []).map(candidate));
  const packages = new Map<string, DiscoveredPackage>();
  for (const finding of await Promise.all(candidates.map(examine))) {
    if (finding === undefined) continue;
    if ('note' in finding) notes.push(finding.note);
    else if (!packages.has(finding.package.folder)) packages.set(finding.package.folder, finding.package);
  }
  return { packages: [...packages.values()], notes };
}

/**
 * The package in one folder, wherever that is.
 * @throws PluginError PLUGIN_UNUSABLE where there is none
 */
export async function discoverFolder(folder: string): Promise<DiscoveredPackage> {
  const finding = await examine(candidate(folder));
  if (finding !== undefined && 'package' in finding) return finding.package;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${folder} is not a plugin package: it has no package.json with a member "gantry"`,
    'Name the folder that contains the package.json of the plugin',
  );
}

/** Folders that are searched unless GANTRY_PLUGIN_PATH names others: a project need not have them. */
const usualFolders: readonly string[] = ['plugins', 'services'];

/** @param optional folders that need not exist */
async function childFolders(
  folder: string,
  notes: string[],
  optional: readonly string[],
): Promise<readonly Candidate[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter(
      (entry) =>
        (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.') && entry.name !== 'node_modules',
    );
    if (entries.some((entry) => entry.name === 'package.json') && (await isPluginPackage(folder))) {
      notes.push(
        `${folder} is itself a plugin package; GANTRY_PLUGIN_PATH names the folder that contains plugin folders: ${dirname(folder)}`,
      );
    }
    const nested = await Promise.all(
      folders.map(({ name }) =>
        name.startsWith('@')
          ? childFolders(join(folder, name), notes, [])
          : Promise.resolve([candidate(join(folder, name))]),
      ),
    );
    return nested.flat();
  } catch (error) {
    if (optional.includes(folder) && codeOf(error) === 'ENOENT') return [];
    notes.push(`The plugin folder ${folder} cannot be read: ${describeError(error)}`);
    return [];
  }
}

function candidate(path: string): Candidate {
  return { path, source: 'path' };
}

async function isPluginPackage(folder: string): Promise<boolean> {
  const json = await readPackageJson(join(folder, 'package.json')).then(parsePackageJson, () => undefined);
  return typeof json === 'object' && Object.hasOwn(json, 'gantry');
}

async function dependencies(project: string, notes: string[]): Promise<readonly Candidate[]> {
  const file = join(project, 'package.json');
  const text = await readPackageJson(file).catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string' && text.code === 'ENOENT') return [];
  const json = typeof text === 'string' ? parsePackageJson(text) : text.message;
  if (typeof json === 'string') {
    notes.push(`${file} cannot be read, and its plugins were not discovered: ${json}`);
    return [];
  }
  const names = new Set([json.dependencies, json.devDependencies, json.optionalDependencies].flatMap(packageNames));
  const folders = await Promise.all([...names].map((name) => installedFolder(project, name)));
  return folders.flatMap((path) => (path === undefined ? [] : [{ path, source: 'dependency' as const }]));
}

function packageNames(dependencyTable: unknown): readonly string[] {
  const names = typeof dependencyTable === 'object' && dependencyTable !== null ? Object.keys(dependencyTable) : [];
  return names.filter((name) => /^(?:@[^/\\.][^/\\]*\/)?[^/\\.@][^/\\]*$/.test(name));
}

/** Looks where Node.js would: in node_modules of the project and of every folder above it. */
async function installedFolder(project: string, name: string): Promise<string | undefined> {
  for (let folder = project; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (await realpath(path).catch(() => undefined)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

async function examine({ path, source }: Candidate): Promise<Finding> {
  const startedAt = performance.now();
  const file = join(path, 'package.json');
  const found = (folder: string, json: PackageJson, problems: readonly PluginProblem[]): Finding => ({
    package: { folder, source: folder, json, problems, duration: performance.now() - startedAt },
  });
  const broken = (folder: string, problem: PluginProblem): Finding =>
    source === 'path' ? found(folder, {}, [problem]) : { note: `${problem.reason}. ${problem.remedy}` };

  const folder = await realpath(path).catch(() => undefined);
  if (folder === undefined) return broken(path, unreadable(path, 'it is a broken symbolic link'));
  const text = await readPackageJson(file).catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string') {
    if (text.code !== 'ENOENT' && text.code !== 'ENOTDIR') return broken(folder, unreadable(file, text.message));
    return (await holdsCode(folder)) ? { note: `${folder} has no package.json; it is not loaded` } : undefined;
  }
  const json = parsePackageJson(text);
  if (typeof json === 'string') return broken(folder, malformed(file, json));
  if (Object.hasOwn(json, 'gantry')) return found(folder, json, []);
  return hasKeyword(json)
    ? { note: `${file} has the keyword gantry-plugin but no member "gantry"; it is not loaded` }
    : undefined;
}

/** Whether a folder looks like the beginning of a plugin, and not like one for something else. */
async function holdsCode(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => /^(?:src|lib|dist)$|\.(?:[cm]?js|tsx?)$/.test(name));
}

function hasKeyword(json: PackageJson): boolean {
  return Array.isArray(json.keywords) && json.keywords.includes('gantry-plugin');
}

function unreadable(file: string, cause: string): PluginProblem {
  return createProblem(
    'PACKAGE_UNREADABLE',
    `${file} cannot be read: ${cause}`,
    `Make ${basename(file)} readable, or remove it`,
  );
}

function malformed(file: string, cause: string): PluginProblem {
  return createProblem('PACKAGE_MALFORMED', `${file} is not valid: ${cause}`, `Correct ${file}, or remove the folder`);
}
