import { PluginError } from '../plugins';
import type { PreparedPackage } from './prepared-packages';

/** @throws PluginError PLUGIN_UNUSABLE for a package that is another plugin */
export function ofPlugin(plugin: string, prepared: PreparedPackage): PreparedPackage {
  if (prepared.plugin === plugin) return prepared;
  throw new PluginError(
    'PLUGIN_UNUSABLE',
    `${prepared.installed.from} is the plugin ${prepared.plugin}, not ${plugin}`,
    `To install it: gantry plugins install ${prepared.installed.from}`,
  );
}
