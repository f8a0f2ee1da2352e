import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, describeError } from '@gantry/core-common';
import { z } from 'zod';
import { PluginError } from '@gantry/core-loader';
import { npmFailed, quietFlags } from './fetch-package';
import { readLockFile, type LockFile } from './lock-file';
import { runNpm } from './run-npm';
import type { SourceOptions } from './source-options';

const timeoutMs = 5 * 60_000;

const tableSchema = z.record(z.string(), z.string()).default({});
const packageSchema = z.object({
  gantry: z.unknown().optional(),
  dependencies: tableSchema,
  optionalDependencies: tableSchema,
});

/**
 * Installs what an unpacked plugin needs when it runs and does not bring along, without any script. That is done in a
 * separate folder: npm would obey an `.npmrc` in the package.
 * @param folder of the package
 * @param install a folder that does not exist yet
 * @param lock of an earlier installation, which this one repeats
 * @returns the lock file; undefined where the plugin needs nothing
 * @throws PluginError PLUGIN_UNUSABLE, PLUGIN_NOT_FETCHED
 */
export async function installDependencies(
  folder: string,
  origin: string,
  install: string,
  { project, environment, signal }: SourceOptions,
  lock?: LockFile,
): Promise<LockFile | undefined> {
  const brought = new Set(await packagesIn(join(folder, 'node_modules'), origin));
  const { dependencies, optionalDependencies } = missing(await readDependencies(folder, origin), brought);
  if (Object.keys({ ...dependencies, ...optionalDependencies }).length === 0) return undefined;
  assertFromRegistry({ ...dependencies, ...optionalDependencies }, origin);
  await mkdir(install, { recursive: true });
  const manifest = { name: 'checked', version: '0.0.0', private: true, dependencies, optionalDependencies };
  await writeFile(join(install, 'package.json'), JSON.stringify(manifest));
  await copyFile(join(project, '.npmrc'), join(install, '.npmrc')).catch(() => undefined);
  if (lock !== undefined) await writeFile(join(install, 'package-lock.json'), JSON.stringify(lock));
  // Every host asks its own registry: the lock file does not say where packages are.
  const words = lock === undefined ? ['install', '--omit-lockfile-registry-resolved'] : ['ci'];
  const run = await runNpm([...words, '--omit=dev', '--package-lock', ...quietFlags], {
    cwd: install,
    environment,
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  if (run.exitCode !== 0) throw npmFailed(`The dependencies of ${origin} were not installed`, run);
  const installed = lock ?? (await readLockFile(join(install, 'package-lock.json'), origin));
  await moveMissing(join(install, 'node_modules'), join(folder, 'node_modules'), origin, brought);
  return installed;
}

type Dependencies = Omit<z.infer<typeof packageSchema>, 'gantry'>;

async function readDependencies(folder: string, origin: string): Promise<Dependencies> {
  const { gantry, ...tables } = await readPackage(folder, origin);
  if (gantry !== undefined) return tables;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} is not a plugin package: its package.json has no member "gantry"`,
    'Check the name',
  );
}

async function readPackage(folder: string, origin: string): Promise<z.infer<typeof packageSchema>> {
  try {
    return packageSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  } catch (error) {
    throw new PluginError(
      'PLUGIN_UNUSABLE',
      `The package.json of ${origin} cannot be read: ${describeError(error)}`,
      'Correct it, and pack the plugin again: npm pack',
      { cause: error },
    );
  }
}

function missing(tables: Dependencies, brought: ReadonlySet<string>): Dependencies {
  const without = (table: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => !brought.has(name)));
  return {
    dependencies: without(tables.dependencies),
    optionalDependencies: without(tables.optionalDependencies),
  };
}

/** An address or a path would lead npm to places that the package chooses. */
function assertFromRegistry(table: Readonly<Record<string, string>>, origin: string): void {
  const other = Object.entries(table).find(([, range]) => !isOfRegistry(range));
  if (other === undefined) return;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${origin} needs ${other[0]} from ${other[1]}, which is not in the registry`,
    'Bundle the package (bundleDependencies), or check the folder in which the dependencies are installed',
  );
}

/** A range or a tag; the package may have another name there. */
function isOfRegistry(range: string): boolean {
  return /^(?!\.)[\w.^~<>=|*+ @-]*$/.test(range.replace(/^npm:(@[\w.~-]+\/)?/, ''));
}

/** Names of the packages in a node_modules. @throws PluginError PLUGIN_UNUSABLE where a file is in the place of a folder */
async function packagesIn(folder: string, origin: string): Promise<readonly string[]> {
  const names = (await namesIn(folder, origin)).filter((name) => !name.startsWith('.'));
  const scoped = names.map(async (name) =>
    name.startsWith('@') ? (await namesIn(join(folder, name), origin)).map((inner) => `${name}/${inner}`) : [name],
  );
  return (await Promise.all(scoped)).flat();
}

async function namesIn(folder: string, origin: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new PluginError(
      'PLUGIN_UNUSABLE',
      `The bundled packages of ${origin} cannot be read: ${describeError(error)}`,
      'Pack the plugin again: npm pack',
      { cause: error },
    );
  }
}

async function moveMissing(from: string, to: string, origin: string, brought: ReadonlySet<string>): Promise<void> {
  for (const name of await packagesIn(from, origin)) {
    if (brought.has(name)) continue;
    await mkdir(join(to, name, '..'), { recursive: true });
    await rename(join(from, name), join(to, name));
  }
}
