import type { PluginDecision, PluginProblem } from '@gantry/contracts';
import { pinPackage } from '../state/pin-package';
import type { Manifest } from '../manifest/manifest';
import { PluginError } from '../plugin-error';
import { pluginApiVersion } from '../modules/plugin-api-version';
import { findRecord } from './plugin-commands';
import type { PluginSources } from '../plugin-sources';
import type { PluginRecord } from '../record/plugin-record';
import { prepare } from '../phases/prepare';
import { createProblem } from '../problem-kinds';
import { reportOf } from '../record/startup-report';
import type { PluginDecisions } from '../state/state-file';

/** A plugin as it would be if it were enabled, as far as it can be known without running its code. */
export interface TrialPlugin {
  readonly id: string;
  readonly displayName: string;
  readonly version: string;
  readonly folder: string;
  readonly manifest: Manifest | undefined;
  readonly contentHash?: string;
  /** What it is enabled as now. */
  readonly pinned?: Extract<PluginDecision, { readonly enabled: true }>;
  readonly problems: readonly PluginProblem[];
}

export interface PluginTrial {
  readonly plugins: readonly TrialPlugin[];
  /** What enabling them would write. */
  readonly decisions: PluginDecisions;
  readonly pluginApiVersion: string;
}

/**
 * Looks at plugins as if they were enabled, pinned to the files of now, which it copies into the store: what is checked is
 * what runs later. Runs none of their code and decides nothing.
 * @throws PluginError PLUGIN_UNKNOWN, PLUGIN_STATE_DAMAGED
 */
export async function prepareTrial(sources: PluginSources, ids: readonly string[]): Promise<PluginTrial> {
  const version = pluginApiVersion();
  const today = await prepare(sources, version);
  const chosen = [...new Set(ids)].map((id) => findRecord(today.records, id));
  const pins = await Promise.all(chosen.map((record) => pin(sources.home, record)));
  const decisions: PluginDecisions = new Map(
    pins.flatMap(({ id, decision }) => (decision === undefined ? [] : [[id, decision]])),
  );
  const then = await prepare({ ...sources, trial: new Map([...(sources.trial ?? []), ...decisions]) }, version);
  const displaced = findDisplaced(today.records, then.records, decisions);
  return {
    pluginApiVersion: version,
    decisions,
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
        ...(decision?.enabled ? { contentHash: decision.contentHash } : {}),
        ...(pinned?.enabled ? { pinned } : {}),
        problems: [...problems, ...(record.problems.length > 0 ? record.problems : displaced)],
      };
    }),
  };
}

/** What enabling a plugin would decide, or why it cannot. */
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
  const { manifest, found } = examined;
  if (manifest === undefined) return { id, examined, problems: [] };
  try {
    return { id, examined, decision: await pinPackage(home, manifest, found), problems: [] };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { id, examined, problems: [createProblem('PACKAGE_NOT_STORED', error.message, error.remedy)] };
  }
}

/** A plugin that somebody enabled keeps contested names (see prepare), which must not displace a running one unnoticed. */
function findDisplaced(
  today: readonly PluginRecord[],
  then: readonly PluginRecord[],
  decisions: PluginDecisions,
): readonly PluginProblem[] {
  const runs = new Set(today.filter(({ state }) => state === 'live').map(({ found }) => found.folder));
  return then
    .filter(({ id, state, found }) => state !== 'live' && runs.has(found.folder) && !decisions.has(id))
    .map(({ id, problems }) =>
      createProblem(
        'DISPLACES_PLUGIN',
        `It would disable the plugin ${id}: ${problems[0]?.reason ?? 'they cannot run together'}`,
        `Disable ${id} first, if you want to replace it: gantry plugins disable ${id}`,
      ),
    );
}
