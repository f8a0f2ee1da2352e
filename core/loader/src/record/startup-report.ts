import { basename } from 'node:path';
import type { Contributions, InstalledPackage, PluginReport, PluginState } from '@gantry/contracts';
import type { PackageJson } from '../manifest/package-json';
import type { PluginRecord } from './plugin-record';
import { uiOf } from './plugin-uis';

const nothing: Contributions = { itemTypes: [], taskQueues: [], routes: [] };

/** The report of one discovered package; members of an invalid manifest are reported as far as they can be read. */
export function reportOf(record: PluginRecord): PluginReport {
  const { manifest, found } = record;
  const gantry = objectOf(found.json.gantry);
  const ui = uiOf(record);
  return {
    id: record.id,
    displayName: manifest?.displayName ?? textOf(gantry.displayName) ?? record.id,
    packageName: manifest?.packageName ?? textOf(found.json.name) ?? '',
    version: manifest?.version ?? textOf(found.json.version) ?? '',
    folder: found.source,
    state: shownState(record.state),
    phase: record.phase,
    problems: record.problems,
    ...(record.notes.length === 0 ? {} : { notes: record.notes }),
    dependsOn: manifest?.dependsOn ?? {},
    contributes: manifest?.contributes ?? nothing,
    ...(ui === undefined ? {} : { ui }),
    ...(manifest?.systemScope === undefined ? {} : { systemScope: manifest.systemScope }),
    ...(record.installed === undefined ? {} : { installed: withoutLock(record.installed) }),
    timings: { ...record.timings },
  };
}

/** For a reader: a lock file names hundreds of packages. */
export function withoutLock({ lock: _lock, ...installed }: InstalledPackage): InstalledPackage {
  return installed;
}

/** The id that a package claims, or else a name by which a person recognises it. */
export function claimedId(folder: string, json: PackageJson): string {
  return textOf(objectOf(json.gantry).id) ?? textOf(json.name) ?? basename(folder);
}

/** A plugin that nothing is wrong with and that does not run (yet) is stopped. */
function shownState(state: PluginRecord['state']): PluginState {
  return state === 'active' ? 'stopped' : state;
}

function objectOf(value: unknown): PackageJson {
  return typeof value === 'object' && value !== null ? (value as PackageJson) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
