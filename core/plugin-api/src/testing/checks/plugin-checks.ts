import { itemTypeChecks } from './item-type-checks';
import { packageChecks } from './package-checks';
import { platformChecks } from './platform-checks';
import type { PluginCheck } from './plugin-check';
import { settingsChecks } from './settings-checks';
import type { PluginPackage } from '../plugin-package';

/** The last checks, after those of all plugins: no plugin may hold the platform back. */
export const stopCheckName = 'the platform stops cleanly';

/** The contract test of a plugin, in the order in which it is run. */
export function pluginChecks(plugin: PluginPackage): readonly PluginCheck[] {
  return [
    ...packageChecks(),
    ...platformChecks(),
    ...settingsChecks(),
    ...plugin.itemTypes.flatMap((type) => itemTypeChecks(type)),
  ];
}
