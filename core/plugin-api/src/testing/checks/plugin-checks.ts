import { packageChecks } from './package-checks';
import { platformChecks } from './platform-checks';
import type { PluginCheck } from './plugin-check';
import { settingsChecks } from './settings-checks';
import type { PluginPackage } from '../plugin-package';
import { inputChecks } from './input-checks';
import { metadataChecks } from './metadata-checks';
import { readingChecks } from './reading-checks';
import { writingChecks } from './writing-checks';

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

/** Checks of an item type: described, created, read, found, changed, deleted, and fed with bad input. */
function itemTypeChecks(type: string): readonly PluginCheck[] {
  return [...metadataChecks(type), ...readingChecks(type), ...writingChecks(type), ...inputChecks(type)].map(
    ({ name, run }) => ({ name: `${type} ${name}`, run: async (bench) => run(await bench.platform()) }),
  );
}
