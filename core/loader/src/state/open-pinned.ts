import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { InstalledPackage, PluginDecision } from '@gantry/contracts';
import { describeError } from '@gantry/core-common';
import { parsePackageJson, readPackageJson } from '../manifest/package-json';
import type { PluginRecord, DiscoveredPackage } from '../record/plugin-record';
import type { PluginDecisions } from './local-copy';
import { hashContent } from './store/content-hash';
import { holds, markUsed, openStored, storePackage, type StoredPackage } from './store/package-store';

/** A plugin that was enabled or installed by command, as it is in the store. */
export interface PinnedPackage {
  readonly found: DiscoveredPackage;
  /** The package in its folder now. */
  readonly candidate?: PluginRecord | undefined;
  readonly installed?: InstalledPackage | undefined;
  /** Packages of the same id that do not count, because another one was installed. */
  readonly unused?: readonly PluginRecord[] | undefined;
  /** A sentence about a folder that does not hold what runs. */
  readonly note?: string | undefined;
}

type Pin = Extract<PluginDecision, { readonly enabled: true }>;

/** Opens the stored packages of all plugins that are pinned or installed; those that the store lacks are left out. */
export async function openPinned(
  home: string,
  installed: readonly PluginRecord[],
  decisions: PluginDecisions,
): Promise<readonly PinnedPackage[]> {
  const opened = await Promise.all(
    [...decisions].map(async ([id, decision]) => {
      if (decision.installed !== undefined) return openInstalled(home, id, decision.installed, installed);
      return decision.enabled ? openPin(home, id, decision, installed) : undefined;
    }),
  );
  return opened.filter((one) => one !== undefined);
}

/** The installed package counts, whatever the folders contain. */
async function openInstalled(
  home: string,
  id: string,
  installed: InstalledPackage,
  records: readonly PluginRecord[],
): Promise<PinnedPackage | undefined> {
  const stored = await openStored(home, installed.contentHash);
  const found = stored && (await readKnownPackage(stored.folder, stored.folder));
  if (stored === undefined || found === undefined) return undefined;
  await markUsed(stored);
  const unused = records.filter((record) => record.id === id);
  return { found, installed, unused, note: describeUnused(id, installed, unused) };
}

function describeUnused(
  id: string,
  { version }: InstalledPackage,
  [unused]: readonly PluginRecord[],
): string | undefined {
  if (unused === undefined) return undefined;
  const { source } = unused.found;
  return `The plugin ${id} is the installed version ${version}; the package in ${source} is not used. To use it: gantry plugins upgrade ${id} --to ${source}`;
}

async function openPin(
  home: string,
  id: string,
  pin: Pin,
  installed: readonly PluginRecord[],
): Promise<PinnedPackage | undefined> {
  const candidates = candidatesOf(id, pin, installed);
  if (candidates.length === 0 && pin.host === undefined && (await isElsewhere(pin))) return undefined;
  const stored = (await openStored(home, pin.contentHash)) ?? (await storeAgain(home, id, pin, candidates));
  if (stored === undefined) return undefined;
  await markUsed(stored);
  const [candidate] = candidates;
  const source = candidate?.found.source ?? pin.folder ?? stored.folder;
  const found = await readKnownPackage(stored.folder, source);
  if (found === undefined) return undefined;
  return { found, candidate, note: await describeDifference(stored, id, pin, candidate) };
}

/**
 * The package in the folder that was enabled, even if its manifest is broken now; when that is gone, or was not written
 * down, the only one with the id.
 */
function candidatesOf(id: string, { folder }: Pin, installed: readonly PluginRecord[]): readonly PluginRecord[] {
  const same = installed.filter(
    (record) => record.found.source === folder && (record.id === id || record.manifest === undefined),
  );
  if (same.length > 0) return same;
  const named = installed.filter((record) => record.id === id);
  return folder === undefined || named.length === 1 ? named : [];
}

/** Whether the package is in its folder, and the settings just do not name that folder any more. */
async function isElsewhere({ folder }: Pin): Promise<boolean> {
  if (folder === undefined) return true;
  const there = await readKnownPackage(folder, folder);
  return there !== undefined && Object.hasOwn(there.json, 'gantry');
}

/** A package whose folder is known, such as one in the store. @returns undefined when it cannot be read */
async function readKnownPackage(folder: string, source: string): Promise<DiscoveredPackage | undefined> {
  const startedAt = performance.now();
  const json = await readPackageJson(join(folder, 'package.json')).then(parsePackageJson, describeError);
  if (typeof json === 'string') return undefined;
  return { folder, source, json, problems: [], duration: performance.now() - startedAt };
}

/** Pins of earlier versions, and packages that were damaged, are stored from their folder if it holds the same files. */
async function storeAgain(
  home: string,
  id: string,
  { contentHash }: Pin,
  candidates: readonly PluginRecord[],
): Promise<StoredPackage | undefined> {
  for (const { found } of candidates) {
    const hash = await hashContent(found.source).catch(() => undefined);
    if (hash === contentHash) return storePackage(home, id, found.source).catch(() => undefined);
  }
  return undefined;
}

async function describeDifference(
  stored: StoredPackage,
  id: string,
  { version, folder, host }: Pin,
  candidate: PluginRecord | undefined,
): Promise<string | undefined> {
  // It was enabled on another host, and this one has no folder of it.
  if (candidate === undefined && host !== undefined) return undefined;
  const runs = `The plugin ${id} runs from the copy that was enabled (version ${version})`;
  if (candidate === undefined) {
    const location = folder === undefined ? 'its folder' : `the folder ${folder}`;
    return `${runs}; ${location} no longer exists. To disable the plugin: gantry plugins disable ${id}`;
  }
  const { source, json } = candidate.found;
  if (await holds(stored, source)) return undefined;
  const other = typeof json.version === 'string' && json.version !== version ? ` (version ${json.version})` : '';
  return `${runs}; ${source} contains other files${other}. To use them: gantry plugins enable ${id}; to run the plugin from its folder: gantry plugins unpin ${id}`;
}
