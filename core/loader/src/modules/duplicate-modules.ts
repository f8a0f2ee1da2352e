import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PluginProblem } from '@gantry/contracts';
import type { DiscoveredPackage } from '../record/plugin-record';
import type { PackageJson } from '../manifest/package-json';
import { createProblem } from '../problem-kinds';

/** Packages of which the process may hold one copy only: they keep registries, or their classes are compared. */
const singletons: readonly string[] = ['sequelize', 'sequelize-typescript', 'reflect-metadata', '@gantry/plugin-api'];

/**
 * Copies of such packages that a plugin ships, because its manifest names them as dependencies. Those of a devDependency or of a
 * peer that npm has installed are for the compiler and the tests: what the plugin imports is the host's copy in any case.
 */
export async function findDuplicateModules({
  folder,
  source,
  json,
}: Pick<DiscoveredPackage, 'folder' | 'source' | 'json'>): Promise<readonly PluginProblem[]> {
  const problems = await Promise.all(
    shippedSingletons(json).map(async (name) => {
      const copy = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
      if (copy === undefined) return [];
      const own = await hostCopy(name);
      return copy === own ? [] : [duplicate(name, copy, own, source)];
    }),
  );
  return problems.flat();
}

/** Modules of the host that an installation of the package would bring along. */
export function shippedSingletons(json: PackageJson): readonly string[] {
  return singletons.filter((name) => isShipped(json, name));
}

function isShipped(json: PackageJson, name: string): boolean {
  const tables = [json['dependencies'], json['optionalDependencies']];
  if (tables.some((table) => typeof table === 'object' && table !== null && Object.hasOwn(table, name))) return true;
  return [json['bundleDependencies'], json['bundledDependencies']].flat().includes(name);
}

async function hostCopy(name: string): Promise<string> {
  let folder = dirname(createRequire(__filename).resolve(name));
  while (folder !== dirname(folder) && (await packageName(folder)) !== name) folder = dirname(folder);
  return realpath(folder);
}

async function packageName(folder: string): Promise<unknown> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { readonly name?: unknown }).name;
}

function duplicate(name: string, copy: string, own: string, folder: string): PluginProblem {
  return createProblem(
    'DUPLICATE_MODULE',
    `The package carries its own copy of ${name} in ${copy}; the host's copy is ${own}`,
    `Name ${name} in peerDependencies and devDependencies of ${join(folder, 'package.json')}, not in dependencies, and install again: npm install`,
  );
}
