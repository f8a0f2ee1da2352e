import { gt, valid } from 'semver';
import { isVersionText, parseSource } from './open-source';
import type { SourceOptions } from './source-options';
import { PluginError, type UpgradablePlugin } from '@gantry/core-loader';
import { findNewestVersion } from './newest-version';

/** Where the package of an upgrade comes from, or that there is no newer one. */
export type UpgradeSource =
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'newest'; readonly version: string };

/**
 * @param to a version, range or tag of the package that the plugin came from, or a package of npm, a tarball or a folder; the
 *   newest version unless given
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_NOT_FETCHED, PLUGIN_NOT_INSTALLED where the plugin did not come from a registry
 */
export async function findUpgradeSource(
  plugin: string,
  { before, from, elsewhere }: UpgradablePlugin,
  to: string | undefined,
  options: SourceOptions,
): Promise<UpgradeSource> {
  const isVersion = to === undefined || (isVersionText(to) && parseSource(to).kind === 'id');
  if (!isVersion) return { kind: 'source', source: to };
  const installed = before?.installed;
  if (installed?.source !== 'registry') {
    const place =
      elsewhere === undefined ? `of ${installed?.source ?? ''} ${installed?.from ?? ''}` : `in ${elsewhere.folder}`;
    throw new PluginError(
      'PLUGIN_NOT_INSTALLED',
      `The plugin ${plugin} did not come from a registry: it is version ${from}, ${place}`,
      `${elsewhere === undefined ? '' : `${elsewhere.remedy}. `}To replace it, name a package, a tarball or a folder: gantry plugins upgrade ${plugin} --to npm:<name>@<version>`,
    );
  }
  const { packageName } = installed;
  if (to !== undefined) return { kind: 'source', source: `npm:${packageName}@${to}` };
  const newest = await findNewestVersion(packageName, options);
  const isNewer = valid(from) === null || gt(newest, from);
  return isNewer ? { kind: 'source', source: `npm:${packageName}@${newest}` } : { kind: 'newest', version: newest };
}
