import type { PluginSources } from '../plugin-sources';
import type { PluginRecord } from '../record/plugin-record';
import type { PluginDecisions } from '../state/local-copy';
import { readDecisions, readDecisionsFile } from '../state/state-file';
import { discover } from './discover';
import { orderRecords } from './order';
import { select } from './select';
import { validateAll } from './validate';

/** All that can be known of the plugins without running any of their code. */
export interface PreparedPlugins {
  /** Every discovered package, by id. */
  readonly records: readonly PluginRecord[];
  /** The usable ones, each after its dependencies. */
  readonly order: readonly PluginRecord[];
  readonly decisions: PluginDecisions;
  /** Sentences about what looked odd and is no plugin. */
  readonly notes: readonly string[];
}

/**
 * The phases `discover`, `validate` and `order`.
 * @throws PluginError PLUGIN_STATE_DAMAGED, PLUGIN_UNKNOWN
 */
export async function prepare(sources: PluginSources, apiVersion: string): Promise<PreparedPlugins> {
  const [decided, { packages, notes }] = await Promise.all([decidedFor(sources), discover(sources)]);
  const decisions: PluginDecisions = new Map([...decided, ...(sources.trial ?? [])]);
  const records = await validateAll(packages, { home: sources.home, apiVersion, decisions });
  select(records, decisions, sources.only);
  const order = orderRecords(records, decisions);
  return { records, order, decisions, notes: [...notes, ...forgotten(records, decisions)] };
}

async function decidedFor({ home, set, setFile }: PluginSources): Promise<PluginDecisions> {
  return set ?? (setFile === undefined ? readDecisions(home) : readDecisionsFile(setFile));
}

function forgotten(records: readonly PluginRecord[], decisions: PluginDecisions): readonly string[] {
  const ids = new Set(records.map(({ id }) => id));
  return [...decisions]
    .filter(([id, { enabled }]) => enabled && !ids.has(id))
    .map(([id]) => `The plugin ${id} was enabled by command, but no package with that id is found`);
}
