import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { PluginError } from '../../plugin-error';
import { copyPackage } from './package-store';
import { findProductionPackages } from './production-packages';

/**
 * Copies a package, with the packages above its folder that it needs when it runs, into its node_modules: the copy does not
 * depend on where it is.
 * @param target a folder that does not exist yet
 * @throws PluginError PLUGIN_UNUSABLE
 */
export async function copySelfContained(folder: string, target: string): Promise<void> {
  await copyPackage(folder, target);
  for (const { path, folder: from } of await findProductionPackages(folder, folder)) {
    const place = join(target, 'node_modules', path);
    if ((await lstat(place).catch(() => undefined)) !== undefined) throw twoVersions(folder, path);
    await copyPackage(from, place);
  }
}

function twoVersions(folder: string, path: string): PluginError {
  return new PluginError(
    'PLUGIN_UNUSABLE',
    `${folder} needs two versions of ${path}, one in its folder and one above it`,
    'Pack the plugin, and name the tarball: npm pack',
  );
}
