import { sep } from 'node:path';
import type { InstalledPackage, PluginDecision } from '@gantry/contracts';
import { findPlugins } from './find-plugins';
import { PluginError } from '../plugin-error';
import type { PluginSources } from '../plugin-sources';
import type { PluginRecord } from '../record/plugin-record';
import { decisionFor } from '../state/local-copy';
import { neededBy, planDisable, recordOf } from './plugin-commands';

/** A plugin with the package that is to be installed. */
export interface NewPackage {
  readonly plugin: string;
  readonly installed: InstalledPackage;
}

/** The decisions of a command on a package. */
export interface PackagePlan {
  /** The current decision about the plugin; a change that is made meanwhile prevents this one. */
  readonly before: PluginDecision | undefined;
  readonly decision: PluginDecision;
}

export interface UpgradePlan extends PackagePlan {
  /** The version that is replaced. */
  readonly from: string;
  /** Whether it is that package already. */
  readonly isSame: boolean;
}

/** @throws PluginError PLUGIN_INSTALLED, PLUGIN_STATE_DAMAGED */
export async function planInstall(
  sources: PluginSources,
  { plugin, installed }: NewPackage,
  enabled: boolean,
): Promise<PackagePlan> {
  const { records, decisions } = await findPlugins(sources);
  const before = decisions.get(plugin);
  const decision = decisionFor(installed, enabled);
  const known = recordOf(records, plugin);
  if (known === undefined && before?.installed === undefined) return { before, decision };
  const version = before?.installed?.version ?? known?.manifest?.version ?? '';
  const place = before?.installed === undefined ? `in ${known?.found.source ?? ''}` : 'installed';
  throw new PluginError(
    'PLUGIN_INSTALLED',
    `The plugin ${plugin} is already installed: version ${version}, ${place}`,
    `To replace it: gantry plugins upgrade ${plugin} --to ${nameOf(installed)}`,
  );
}

/** @throws PluginError PLUGIN_UNKNOWN, PLUGIN_STATE_DAMAGED */
export async function planUpgrade(sources: PluginSources, { plugin, installed }: NewPackage): Promise<UpgradePlan> {
  const { from, before } = await findUpgradable(sources, plugin);
  return {
    ...{ before, from },
    isSame: before?.installed?.contentHash === installed.contentHash,
    // Without a decision it runs.
    decision: decisionFor(installed, before?.enabled ?? true),
  };
}

/** A plugin that can be upgraded. */
export interface UpgradablePlugin {
  /** Its version. */
  readonly from: string;
  readonly before: PluginDecision | undefined;
  /** Where its package is, and how it is updated there, if it was not installed by command. */
  readonly elsewhere?: { readonly folder: string; readonly remedy: string };
}

/** @throws PluginError PLUGIN_UNKNOWN, PLUGIN_STATE_DAMAGED */
export async function findUpgradable(sources: PluginSources, plugin: string): Promise<UpgradablePlugin> {
  const { records, decisions } = await findPlugins(sources);
  const before = decisions.get(plugin);
  if (before?.installed !== undefined) return { from: before.installed.version, before };
  const record = recordOf(records, plugin);
  if (record === undefined) throw notThere(plugin, records);
  const { folder } = placeOf(record);
  const version = before?.enabled ? before.version : (record.manifest?.version ?? '');
  const enable = `gantry plugins enable ${plugin}`;
  const remedy = isDependency(record)
    ? `Update it in the project, and enable the new files: npm update ${record.manifest?.packageName ?? ''} && ${enable}`
    : `Put the new files into that folder, and enable them: ${enable}`;
  return { from: version, before, elsewhere: { folder, remedy } };
}

/**
 * @param disable whether one that is enabled may be disabled by this, too
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_NOT_INSTALLED, PLUGIN_IN_USE, PLUGIN_REQUIRED, PLUGIN_NEEDED, PLUGIN_STATE_DAMAGED
 */
export async function planUninstall(sources: PluginSources, plugin: string, disable: boolean): Promise<PackagePlan> {
  const { records, decisions } = await findPlugins(sources);
  const before = decisions.get(plugin);
  const record = recordOf(records, plugin);
  if (before?.installed === undefined) {
    if (record === undefined) throw notThere(plugin, records);
    throw notInstalled(record);
  }
  if (record !== undefined) await assertNotNeeded(sources, plugin);
  if (before.enabled && !disable) {
    throw new PluginError(
      'PLUGIN_IN_USE',
      `The plugin ${plugin} is enabled`,
      `Disable it first, or disable and uninstall it with: gantry plugins uninstall ${plugin} --disable`,
    );
  }
  // Stays disabled: a package of the same id in some folder must not begin to run.
  return { before, decision: { enabled: false } };
}

async function assertNotNeeded(sources: PluginSources, plugin: string): Promise<void> {
  const { dependents } = await planDisable(sources, plugin);
  if (dependents.length === 0) return;
  throw new PluginError(
    'PLUGIN_NEEDED',
    neededBy(plugin, dependents, 'uninstalled'),
    `Disable the plugins that depend on it first: gantry plugins disable ${plugin} --dependents`,
    { dependents },
  );
}

function placeOf(record: PluginRecord): { readonly folder: string } {
  return { folder: (record.candidate ?? record).found.source };
}

/** npm has installed it for the project. */
function isDependency(record: PluginRecord): boolean {
  return placeOf(record).folder.split(sep).includes('node_modules');
}

function notInstalled(record: PluginRecord): PluginError {
  const { folder } = placeOf(record);
  const remove = isDependency(record)
    ? `remove it from the project: npm uninstall ${record.manifest?.packageName ?? ''}`
    : 'remove that folder';
  return new PluginError(
    'PLUGIN_NOT_INSTALLED',
    `The plugin ${record.id} was not installed by command; its package is in ${folder}`,
    `Disable it (gantry plugins disable ${record.id}), and ${remove}`,
  );
}

function notThere(plugin: string, records: readonly PluginRecord[]): PluginError {
  const known = records.map(({ id }) => id).join(', ');
  return new PluginError(
    'PLUGIN_UNKNOWN',
    `There is no plugin ${plugin}; found: ${known || 'none'}`,
    'Install it first: gantry plugins install <package, tarball or folder>',
  );
}

/** As `--to` takes it. */
function nameOf({ source, packageName, version, from }: InstalledPackage): string {
  return source === 'registry' ? `npm:${packageName}@${version}` : from;
}
