import type { Bench } from './bench';
import { itemTypeChecks } from './item-type-checks';
import { packageChecks } from './package-checks';
import { platformChecks } from './platform-checks';
import type { PluginPackage } from './plugin-package';

/** One point of the contract, with a name that says what holds. */
export interface PluginCheck {
  readonly name: string;
  /** Rejects with a message for the author when it does not hold. */
  readonly run: (bench: Bench) => Promise<void>;
}

/** What comes after the checks of all plugins: none of them may hold the platform back. */
export const stopCheckName = 'the platform ends in order';

/** The contract test of a plugin, in the order in which it is run. */
export function pluginChecks(plugin: PluginPackage): readonly PluginCheck[] {
  return [...packageChecks(), ...platformChecks(), ...plugin.itemTypes.flatMap((type) => itemTypeChecks(type))];
}
