import { readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PluginProblem } from '@gantry/contracts';
import type { DiscoveredPackage } from '../record/plugin-record';
import { createProblem } from '../problem-kinds';

/** Packages of which the process may hold one copy only: they keep registries, or their classes are compared. */
const singletons: readonly string[] = ['sequelize', 'sequelize-typescript', 'reflect-metadata', '@gantry/plugin-api'];

/** Copies of such packages that a plugin has in its own node_modules, in addition to the host's. */
export async function findDuplicateModules({
  folder,
  source,
}: Pick<DiscoveredPackage, 'folder' | 'source'>): Promise<readonly PluginProblem[]> {
  const problems = await Promise.all(
    singletons.map(async (name) => {
      const copy = await realpath(join(folder, 'node_modules', name)).catch(() => undefined);
      if (copy === undefined) return [];
      const own = await hostCopy(name);
      return copy === own ? [] : [duplicate(name, copy, own, source)];
    }),
  );
  return problems.flat();
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
    `Name ${name} in peerDependencies of ${join(folder, 'package.json')}, not in dependencies; keep npm from installing peers, with the line legacy-peer-deps=true in ${join(folder, '.npmrc')}; and remove the copy: rm -r "${join(folder, 'node_modules', name)}"`,
  );
}
