import { join } from 'node:path';
import type { InstalledPackage, PluginDecision } from '@gantry/contracts';
import { valid } from 'semver';
import { isPackageName } from '@gantry/core-common';
import {
  discover,
  hashContent,
  keptPackage,
  openStored,
  PluginError,
  storePackage,
  storeUnpacked,
  withDraft,
  copyPackage,
  type PluginDecisions,
  type PluginSources,
} from '@gantry/core-loader';
import { fetchPackage } from './fetch-package';
import { integrityOf, unpack } from './open-source';
import type { SourceOptions } from './source-options';

/** How a host gets packages: from its plugin folders, and with npm. */
export type PackageHost = SourceOptions & Pick<PluginSources, 'home' | 'pluginPath'>;

/** A package of a plugin set that the store lacks. */
interface Missing {
  readonly id: string;
  readonly version: string;
  readonly contentHash: string;
  readonly installed: InstalledPackage | undefined;
}

/** As in a manifest: it names a folder. */
const pluginId = /^[a-z][a-z0-9-]{1,39}$/;

/**
 * Puts the packages of a plugin set that the store lacks into it: from a plugin folder of this host that holds the same files,
 * or from its registry, with what the lock file names. Those that neither has are lacking.
 * @returns PACKAGE_LACKING that names each lacking one that is enabled, with what the set names and what was found
 */
export async function obtainPackages(host: PackageHost, decisions: PluginDecisions): Promise<PluginError | undefined> {
  const problems: PluginError[] = [];
  for (const missing of await missingOf(host.home, decisions)) {
    const problem = await obtain(host, missing).catch((error: unknown) => {
      if (error instanceof PluginError) return error;
      throw error;
    });
    const decision = decisions.get(missing.id);
    // A plugin that does not run is missing in the list; a folder of this host may hold other files by now.
    if (problem !== undefined && decision !== undefined && isNeeded(decision)) problems.push(named(missing, problem));
  }
  if (problems.length === 0) return undefined;
  const messages = problems.map(({ message }) => message).join('; ');
  const remedies = [...new Set(problems.map(({ remedy }) => remedy))].join('. ');
  return new PluginError('PACKAGE_LACKING', messages, remedies);
}

function isNeeded(decision: PluginDecision): boolean {
  return decision.enabled && (decision.installed !== undefined || decision.host !== undefined);
}

async function missingOf(home: string, decisions: PluginDecisions): Promise<readonly Missing[]> {
  const found: Missing[] = [];
  for (const [id, decision] of decisions) {
    const kept = keptPackage(decision);
    if (kept === undefined || (await openStored(home, kept.contentHash)) !== undefined) continue;
    const { version, contentHash } = kept;
    found.push({ id, version, contentHash, installed: decision.installed });
  }
  return found;
}

/** @returns why it is lacking */
async function obtain(host: PackageHost, missing: Missing): Promise<PluginError | undefined> {
  const { id, contentHash, installed } = missing;
  const others: string[] = [];
  for (const folder of await foldersOf(host, id)) {
    const hash = await hashContent(folder);
    if (hash !== contentHash) others.push(`${folder} has ${hash}`);
    else return void (await storePackage(host.home, id, folder));
  }
  if (installed?.source === 'registry' && pluginId.test(id)) return installLocked(host, id, installed);
  const origin = installed === undefined ? 'a folder' : `the ${installed.source} ${installed.from}`;
  const here = others.length === 0 ? 'no folder of this host has a package of it' : others.join(', ');
  return new PluginError(
    'PACKAGE_LACKING',
    `its package is ${origin} of another machine with the content ${contentHash}, and ${here}`,
    `Put the same files into a plugin folder of this host, or upgrade the plugin to a package of a registry that all hosts use: gantry plugins upgrade ${id} --to npm:<name>@<version>`,
  );
}

async function foldersOf(host: PackageHost, id: string): Promise<readonly string[]> {
  const { packages } = await discover(host);
  return packages.filter(({ json }) => idOf(json.gantry) === id).map(({ source }) => source);
}

function idOf(gantry: unknown): unknown {
  return typeof gantry === 'object' && gantry !== null && 'id' in gantry ? gantry.id : undefined;
}

/** Fetches the version of the registry and what its lock file names, if it is the one that was installed. */
async function installLocked(
  host: PackageHost,
  id: string,
  { packageName, version, integrity, contentHash, lock }: InstalledPackage,
): Promise<PluginError | undefined> {
  const spec = `${packageName}@${version}`;
  if (!isPackageName(packageName) || valid(version) !== version) {
    return new PluginError('PACKAGE_LACKING', `${spec} is not a package of a registry`, 'Install another package');
  }
  return withDraft(host.home, async (draft) => {
    const file = await fetchPackage(spec, join(draft, 'packed'), host);
    const found = await integrityOf(file);
    if (found !== integrity) {
      return new PluginError(
        'PACKAGE_LACKING',
        `${spec} of the registry of this host has the integrity ${found}, and the plugin set names ${integrity ?? 'none'}`,
        `Let npm use the registry from which the plugin was installed: npm config get registry`,
      );
    }
    const { folder } = await unpack(file, spec, join(draft, 'source'), host, lock);
    // Without a lock file, an earlier version has installed it: what npm chooses today may be something else.
    await storeUnpacked(host.home, id, contentHash, (copy) => copyPackage(folder, copy), lock !== undefined);
    return undefined;
  });
}

function named({ id, version }: Missing, { message, remedy }: PluginError): PluginError {
  return new PluginError('PACKAGE_LACKING', `The plugin ${id} ${version} is missing on this host: ${message}`, remedy);
}
