import type { InstalledPackage, PluginDecision, PluginProblem } from '@gantry/contracts';
import { pinPackage } from '../state/pin-package';
import type { Manifest } from '../manifest/manifest';
import { PluginError } from '../plugin-error';
import { pluginApiVersion } from '../modules/plugin-api-version';
import { findRecord } from './plugin-commands';
import type { PluginSources } from '../plugin-sources';
import type { PluginRecord } from '../record/plugin-record';
import { discoverFolder } from '../phases/discover';
import { findPlugins } from './find-plugins';
import type { ValidatedPlugins } from '../phases/validate';
import { recordOf } from '../phases/validate';
import { createProblem } from '../problem-kinds';
import { reportOf } from '../record/startup-report';
import type { PluginDecisions } from '../state/local-copy';

/** The id of a plugin that the platform finds, or a package, which may be anywhere. */
export type PluginTarget = string | CheckedPackage;

export interface CheckedPackage {
  /** Absolute, real path. */
  readonly folder: string;
  /** Of a package in the store: enabling it installs it. */
  readonly installed?: InstalledPackage;
}

/** A plugin as it would be if it were enabled, as far as it can be known without running its code. */
export interface CheckedPlugin {
  readonly id: string;
  readonly displayName: string;
  readonly version: string;
  readonly folder: string;
  readonly manifest: Manifest | undefined;
  readonly contentHash?: string;
  /** Whether the platform does not find the package where it is. */
  readonly isElsewhere: boolean;
  /** Whether it is, or is to be, installed by command. */
  readonly isInstalled: boolean;
  /** The pin with which it is enabled now. */
  readonly pinned?: Extract<PluginDecision, { readonly enabled: true }>;
  readonly problems: readonly PluginProblem[];
}

export interface PreparedCheck {
  readonly plugins: readonly CheckedPlugin[];
  /** Decisions that enabling them would write. */
  readonly decisions: PluginDecisions;
  /** The packages among them that were named by their folder. */
  readonly folders: readonly string[];
  readonly pluginApiVersion: string;
}

/**
 * Looks at plugins as if they were enabled, pinned to the files of now, which it copies into the store: what is checked is
 * what runs later. Runs none of their code and decides nothing.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_UNUSABLE, PLUGIN_STATE_DAMAGED
 */
export async function prepareCheck(sources: PluginSources, targets: readonly PluginTarget[]): Promise<PreparedCheck> {
  const version = pluginApiVersion();
  const today = await findPlugins(sources);
  const chosen = withoutRepeats(await Promise.all(targets.map((target) => choose(target, today, version))));
  const pins = await Promise.all(chosen.map((record) => pin(sources.home, record)));
  const decisions: PluginDecisions = new Map(
    pins.flatMap(({ id, decision }) => (decision === undefined ? [] : [[id, decision]])),
  );
  const named = new Set(targets.flatMap((target) => (isInFolder(target) ? target.folder : [])));
  // A plugin that cannot be enabled must not take the names of others.
  const folders = pins.flatMap(({ decision, examined: { found } }) =>
    decision !== undefined && named.has(found.source) ? found.source : [],
  );
  const trial = new Map([...(sources.trial ?? []), ...decisions]);
  const then = await findPlugins({ ...sources, trial, trialFolders: folders });
  const found = new Set(today.records.map((record) => (record.candidate ?? record).found.source));
  const displaced = findDisplaced(today.records, then.records, decisions);
  return {
    pluginApiVersion: version,
    decisions,
    folders,
    plugins: pins.map(({ id, examined, problems }) => {
      const record = decisions.has(id) ? findRecord(then.records, id) : examined;
      const { displayName, version: shownVersion, folder } = reportOf(record);
      const pinned = today.decisions.get(id);
      const decision = decisions.get(id);
      return {
        id,
        displayName,
        version: shownVersion,
        folder,
        manifest: record.manifest,
        isElsewhere: examined.installed === undefined && !found.has(examined.found.source),
        isInstalled: examined.installed !== undefined,
        ...(decision?.enabled ? { contentHash: decision.contentHash } : {}),
        ...(pinned?.enabled ? { pinned } : {}),
        problems: [...problems, ...(record.problems.length > 0 ? record.problems : displaced)],
      };
    }),
  };
}

/** One in the store is found there. */
function isInFolder(target: PluginTarget): target is CheckedPackage {
  return typeof target !== 'string' && target.installed === undefined;
}

async function choose(
  target: PluginTarget,
  { records, decisions }: ValidatedPlugins,
  apiVersion: string,
): Promise<PluginRecord> {
  if (typeof target === 'string') return findRecord(records, target);
  const { folder, installed } = target;
  return recordOf(await discoverFolder(folder), apiVersion, decisions, { installed });
}

/** @throws PluginError PLUGIN_UNUSABLE where two packages are the same plugin */
function withoutRepeats(records: readonly PluginRecord[]): readonly PluginRecord[] {
  const byId = new Map<string, PluginRecord>();
  for (const record of records) {
    const first = byId.get(record.id) ?? record;
    if (first.found.source !== record.found.source) {
      throw new PluginError(
        'PLUGIN_UNUSABLE',
        `${first.found.source} and ${record.found.source} have the same plugin id "${record.id}"`,
        'Check the packages one after the other',
      );
    }
    byId.set(record.id, first);
  }
  return [...byId.values()];
}

/** The decision of enabling a plugin, or the reason against it. */
interface Pinned {
  readonly id: string;
  /** The package in the plugin's folder. */
  readonly examined: PluginRecord;
  readonly decision?: PluginDecision;
  readonly problems: readonly PluginProblem[];
}

async function pin(home: string, record: PluginRecord): Promise<Pinned> {
  const { id } = record;
  const examined = record.candidate ?? record;
  const { manifest } = examined;
  if (manifest === undefined) return { id, examined, problems: [] };
  try {
    return { id, examined, decision: await pinPackage(home, manifest, examined), problems: [] };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { id, examined, problems: [createProblem('PACKAGE_NOT_STORED', error.message, error.remedy)] };
  }
}

/**
 * A plugin that somebody enabled keeps contested names (see order), which must not displace a running one unnoticed: one problem for
 * each that loses a name, with the plugins that depend on it.
 */
function findDisplaced(
  today: readonly PluginRecord[],
  then: readonly PluginRecord[],
  decisions: PluginDecisions,
): readonly PluginProblem[] {
  const runs = new Set(today.filter(({ state }) => state === 'active').map(({ found }) => found.folder));
  const displaced = then.filter(
    ({ id, state, found }) => state !== 'active' && runs.has(found.folder) && !decisions.has(id),
  );
  const isDependent = (record: PluginRecord): boolean =>
    record.problems.every(({ code }) => code === 'DEPENDENCY_FAILED') &&
    displaced.some((other) => dependsOn(record, other.id));
  return displaced
    .filter((record) => !isDependent(record))
    .map(({ id, problems }) => {
      const dependents = dependentsOf(id, displaced);
      const others = dependents.length === 0 ? '' : `, and ${dependents.join(', ')}, which depend on it`;
      return createProblem(
        'DISPLACES_PLUGIN',
        `It would disable the plugin ${id}${others}: ${problems[0]?.reason ?? 'they cannot run together'}`,
        `Choose another name in the checked plugin, or disable ${id} first to replace it: gantry plugins disable ${id}`,
      );
    });
}

/** Directly and by way of others. */
function dependentsOf(
  id: string,
  records: readonly PluginRecord[],
  known: ReadonlySet<string> = new Set([id]),
): readonly string[] {
  const direct = records.filter((record) => !known.has(record.id) && dependsOn(record, id)).map((record) => record.id);
  const found = new Set([...known, ...direct]);
  return [...new Set(direct.flatMap((one) => [one, ...dependentsOf(one, records, found)]))];
}

function dependsOn({ manifest }: PluginRecord, id: string): boolean {
  return Object.hasOwn(manifest?.dependsOn ?? {}, id);
}
