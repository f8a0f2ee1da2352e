import type { PluginDecision } from '@gantry/contracts';
import {
  changeDecisions,
  planInstall,
  planUninstall,
  planUpgrade,
  type PackagePlan,
  type PluginSources,
  type UpgradePlan,
} from '@gantry/core-loader';
import type { PreparedPackage } from './prepare-package';

/**
 * Installs a package from the next start on.
 * @throws PluginError PLUGIN_INSTALLED, PLUGIN_SET_CHANGED, PLUGIN_STATE_DAMAGED, PLUGIN_STATE_BUSY
 */
export async function installPackage(
  sources: PluginSources,
  prepared: PreparedPackage,
  enabled: boolean,
): Promise<PluginDecision> {
  const plan = await planInstall(sources, prepared, enabled);
  return decide(sources, prepared.plugin, plan);
}

/**
 * Upgrades a plugin from the next start on.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_SET_CHANGED, PLUGIN_STATE_DAMAGED, PLUGIN_STATE_BUSY
 */
export async function upgradePackage(sources: PluginSources, prepared: PreparedPackage): Promise<UpgradePlan> {
  const plan = await planUpgrade(sources, prepared);
  if (!plan.isSame) await decide(sources, prepared.plugin, plan);
  return plan;
}

/**
 * Uninstalls a plugin from the next start on. Its data stay.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_NOT_INSTALLED, PLUGIN_IN_USE, PLUGIN_REQUIRED, PLUGIN_NEEDED, PLUGIN_SET_CHANGED,
 *   PLUGIN_STATE_DAMAGED, PLUGIN_STATE_BUSY
 */
export async function uninstallPlugin(sources: PluginSources, plugin: string, disable: boolean): Promise<void> {
  await decide(sources, plugin, await planUninstall(sources, plugin, disable));
}

async function decide(
  { home }: PluginSources,
  plugin: string,
  { decision, before }: PackagePlan,
): Promise<PluginDecision> {
  await changeDecisions(home, new Map([[plugin, decision]]), new Map([[plugin, before]]));
  return decision;
}
