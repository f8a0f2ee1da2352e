import { findUpgradable, PluginError, type PluginSources } from '@gantry/core-loader';
import { preparePackage, type PreparedPackage, type PrepareOptions } from './prepare-package';
import { findUpgradeSource } from './upgrade-source';

/** The package of an upgrade, and the version that it replaces; or the version that is there, where that is the newest one. */
export type PreparedUpgrade = (PreparedPackage & { readonly replaces: string }) | { readonly newest: string };

/**
 * Prepares the package to which a plugin is upgraded.
 * @param to as {@link findUpgradeSource} takes it
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_NOT_FETCHED, PLUGIN_NOT_INSTALLED; PLUGIN_UNUSABLE, also for a package that is another plugin
 */
export async function prepareUpgrade(
  sources: PluginSources,
  plugin: string,
  to: string | undefined,
  options: PrepareOptions,
): Promise<PreparedUpgrade> {
  const upgradable = await findUpgradable(sources, plugin);
  const found = await findUpgradeSource(plugin, upgradable, to, options);
  if (found.kind === 'newest') return { newest: found.version };
  const prepared = await preparePackage(found.source, options);
  if (prepared.plugin === plugin) return { ...prepared, replaces: upgradable.from };
  const { from } = prepared.installed;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${from} is the plugin ${prepared.plugin}, not ${plugin}`,
    `To install it: gantry plugins install ${from}`,
  );
}
