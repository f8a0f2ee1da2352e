import type { PluginReport } from '@gantry/contracts';
import { inspectPlugins, type PluginSources } from '@gantry/core-loader';
import { asRequestError } from './change-errors';

/** The plugins of this process, and those that were put into the plugin folders since it started; these are `stopped`. */
export async function includeNewPackages(
  sources: PluginSources,
  known: readonly PluginReport[],
): Promise<readonly PluginReport[]> {
  const { plugins } = await asRequestError(() => inspectPlugins(sources));
  const folders = new Set(known.map(({ folder }) => folder));
  const found = plugins.filter(({ folder }) => !folders.has(folder));
  return [...known, ...found].toSorted((first, second) => (first.id < second.id ? -1 : Number(first.id > second.id)));
}
