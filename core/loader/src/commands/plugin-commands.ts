import type { PluginDecision, PluginReport } from '@gantry/contracts';
import { disabled } from '../state/local-copy';
import { pinPackage } from '../state/pin-package';
import { PluginError } from '../plugin-error';
import type { PluginSources } from '../plugin-sources';
import { isStored, type PluginRecord } from '../record/plugin-record';
import { findPlugins } from './find-plugins';
import { reportOf } from '../record/startup-report';
import { changeDecision } from '../state/state-file';

/**
 * Enables a plugin from the next start on, pinned to its version and content of now, of which the store keeps a copy.
 * @returns its report; problems that remain, such as a disabled dependency, are in it
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_STATE_DAMAGED, PLUGIN_STATE_BUSY
 */
export async function enablePlugin(sources: PluginSources, id: string): Promise<PluginReport> {
  const record = await findPlugin(sources, id);
  const { manifest, problems } = record.candidate ?? record;
  const shared = problems.find(({ code }) => code === 'PLUGIN_ID_TAKEN');
  const obstacle =
    shared ?? (manifest === undefined ? problems.find(({ code }) => code !== 'PLUGIN_DISABLED') : undefined);
  if (manifest === undefined || shared) {
    throw new PluginError(
      'PLUGIN_UNUSABLE',
      `The plugin ${id} cannot be enabled: ${obstacle?.reason ?? 'its manifest is not valid'}`,
      obstacle?.remedy ?? `gantry plugins info ${id}`,
    );
  }
  await changeDecision(sources.home, id, await pinPackage(sources.home, manifest, record.candidate ?? record));
  return reportOf(await findPlugin(sources, id));
}

/**
 * Disables a plugin from the next start on. Its data stay.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_REQUIRED, PLUGIN_NEEDED, PLUGIN_STATE_DAMAGED, PLUGIN_STATE_BUSY
 */
export async function disablePlugin(sources: PluginSources, id: string): Promise<PluginReport> {
  const { dependents, decision } = await planDisable(sources, id);
  if (dependents.length > 0) {
    const commands = dependents.toReversed().map((dependent) => `gantry plugins disable ${dependent}`);
    throw new PluginError(
      'PLUGIN_NEEDED',
      neededBy(id, dependents),
      `Disable the plugins that depend on it first: ${commands.join('; ')}`,
      { dependents },
    );
  }
  await changeDecision(sources.home, id, disabled(decision));
  return reportOf(await findPlugin(sources, id));
}

/**
 * @returns whether there is a pin to remove: a plugin that is not pinned runs from its folder
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE where there is no folder to run from, PLUGIN_STATE_DAMAGED
 */
export async function planUnpin(sources: PluginSources, id: string): Promise<boolean> {
  const { records, decisions } = await findPlugins(sources);
  const { candidate } = findRecord(records, id);
  const decision = decisions.get(id);
  if (decision === undefined) return false;
  const refuse = (reason: string, remedy: string) =>
    new PluginError('PLUGIN_UNUSABLE', `The plugin ${id} cannot run from its folder: ${reason}`, remedy);
  if (decision.installed !== undefined) {
    throw refuse('its package was installed', `gantry plugins upgrade ${id} --to <its folder>`);
  }
  if (!decision.enabled) throw refuse('it is disabled', `Enable it first: gantry plugins enable ${id}`);
  if (candidate === undefined) {
    throw refuse('the folder is not found', 'Put the package into a folder of GANTRY_PLUGIN_PATH');
  }
  return true;
}

/** The plan of disabling a plugin. */
export interface DisablePlan {
  /** Enabled plugins that need it, directly or by others, the direct ones first. */
  readonly dependents: readonly string[];
  readonly isDisabled: boolean;
  /** The current decision about it. */
  readonly decision: PluginDecision | undefined;
}

/** @throws PluginError PLUGIN_UNKNOWN, PLUGIN_REQUIRED (also for what needs it), PLUGIN_STATE_DAMAGED */
export async function planDisable(sources: PluginSources, id: string): Promise<DisablePlan> {
  // A plugin that this process does not run may run in others.
  const { only: _ofThisProcess, ...all } = sources;
  const { records, decisions } = await findPlugins(all);
  const dependents = dependentsOf(records, findRecord(records, id).id);
  const required = [id, ...dependents].find((one) => findRecord(records, one).manifest?.required);
  if (required !== undefined) {
    const reason =
      required === id ? 'the platform requires it' : `the platform requires ${required}, which depends on it`;
    throw new PluginError('PLUGIN_REQUIRED', `The plugin ${id} cannot be disabled: ${reason}`, 'Leave it enabled');
  }
  const decision = decisions.get(id);
  return { dependents, isDisabled: decision?.enabled === false, decision };
}

/** A sentence that names who needs a plugin. @param done what cannot be done with it */
export function neededBy(id: string, dependents: readonly string[], done = 'disabled'): string {
  return `The plugin ${id} cannot be ${done}: ${dependents.join(', ')} ${dependents.length === 1 ? 'depends' : 'depend'} on it`;
}

async function findPlugin(sources: PluginSources, id: string): Promise<PluginRecord> {
  const { records } = await findPlugins(sources);
  return findRecord(records, id);
}

/** Of packages with the same id, the one that runs. */
export function recordOf(records: readonly PluginRecord[], id: string): PluginRecord | undefined {
  const named = records.filter((candidate) => candidate.id === id);
  return named.find(isStored) ?? named[0];
}

/** @throws PluginError PLUGIN_UNKNOWN that names those there are */
export function findRecord(records: readonly PluginRecord[], id: string): PluginRecord {
  const record = recordOf(records, id);
  if (record) return record;
  const known = records.map((candidate) => candidate.id).join(', ');
  throw new PluginError(
    'PLUGIN_UNKNOWN',
    `There is no plugin ${id}; found: ${known || 'none'}`,
    'Put its folder, with a package.json that has a member "gantry", into a folder that GANTRY_PLUGIN_PATH names',
  );
}

function dependentsOf(records: readonly PluginRecord[], id: string): readonly string[] {
  const found = [id];
  for (const needed of found) {
    const next = records.filter(
      ({ state, manifest }) => state !== 'disabled' && Object.hasOwn(manifest?.dependsOn ?? {}, needed),
    );
    found.push(...next.map((record) => record.id).filter((dependent) => !found.includes(dependent)));
  }
  return found.slice(1);
}
