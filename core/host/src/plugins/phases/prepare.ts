import { performance } from 'node:perf_hooks';
import type { PluginPhase } from '@gantry/contracts';
import { findCollisions } from '../manifest/collisions';
import { discover } from './discover';
import { order as orderPlugins } from './order';
import { openPinned, type PinnedPackage } from '../state/open-pinned';
import { createProblem } from '../problem-kinds';
import type { PluginPlaces } from '../plugin-places';
import { enter, isStored, quarantine, spend, type PluginRecord, type DiscoveredPackage } from '../record/plugin-record';
import { select } from './select';
import { claimedId } from '../record/startup-report';
import { readDecisions, type PluginDecisions } from '../state/state-file';
import { validate } from './validate';

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
export async function prepare(places: PluginPlaces, pluginApiVersion: string): Promise<PreparedPlugins> {
  const [decided, { packages, notes }] = await Promise.all([readDecisions(places.home), discover(places)]);
  const decisions: PluginDecisions = new Map([...decided, ...(places.trial ?? [])]);
  const installed = await Promise.all(packages.map((one) => examine(one, pluginApiVersion, decisions)));
  const pinned = await openPinned(places.home, installed, decisions);
  const stored = await Promise.all(
    pinned.map(({ found, candidate, note }) => examine(found, pluginApiVersion, decisions, { candidate, note })),
  );
  const replaced = new Set(pinned.map(({ candidate }) => candidate));
  const loose = installed.filter((record) => !replaced.has(record));
  for (const record of loose) checkPin(record, decisions);
  const records = [...stored, ...loose].toSorted(
    (first, second) => compare(first.id, second.id) || compare(first.found.source, second.found.source),
  );
  refuseSharedIds(records);
  disable(records, decisions);
  select(records, places.only);
  return {
    records,
    order: arrange(records, decisions),
    decisions,
    notes: [...notes, ...forgotten(records, decisions)],
  };
}

async function examine(
  found: DiscoveredPackage,
  pluginApiVersion: string,
  decisions: PluginDecisions,
  { candidate, note }: Pick<PinnedPackage, 'candidate' | 'note'> = {},
): Promise<PluginRecord> {
  const startedAt = performance.now();
  const { manifest, problems } = await validate(found, pluginApiVersion);
  const record: PluginRecord = {
    found,
    id: manifest?.id ?? claimedId(found.source, found.json),
    manifest,
    state: 'live',
    phase: 'discover',
    problems: [],
    notes: note === undefined ? [] : [note],
    timings: {},
    abort: new AbortController(),
    pinned: manifest !== undefined && decisions.get(manifest.id)?.enabled === true,
    ...(candidate === undefined ? {} : { candidate }),
  };
  spend(record, 'discover', found.duration);
  if (found.problems.length === 0) enter(record, 'validate');
  quarantine(record, problems);
  spend(record, 'validate', performance.now() - startedAt);
  return record;
}

/**
 * A package that was enabled by command runs only as it was then (plugin contract, rule 8): one that is not loaded from the
 * store is not the one that was enabled.
 */
function checkPin(record: PluginRecord, decisions: PluginDecisions): void {
  const decision = decisions.get(record.id);
  if (decision?.enabled !== true || record.manifest === undefined) return;
  const { version } = record.manifest;
  const remedy = `Look at the change, then enable it again: gantry plugins enable ${record.id}`;
  if (version !== decision.version) {
    const reason = `Version ${decision.version} was enabled; the folder holds ${version}, and the store has no copy of the other`;
    quarantine(record, [createProblem('PLUGIN_CHANGED', reason, remedy)]);
  } else {
    const reason = `The files of the package are not those that were enabled (version ${version}), and the store has no copy of those`;
    quarantine(record, [createProblem('PLUGIN_CHANGED', reason, remedy)]);
  }
}

function refuseSharedIds(records: readonly PluginRecord[]): void {
  const folders = new Map<string, readonly string[]>();
  for (const { id, found } of records) folders.set(id, [...(folders.get(id) ?? []), found.source]);
  for (const record of records) {
    const shared = folders.get(record.id) ?? [];
    // What was enabled by command is the one that was meant.
    if (shared.length < 2 || isStored(record)) continue;
    const reason = `${shared.length} packages have the plugin id "${record.id}": ${shared.join(' and ')}`;
    quarantine(record, [createProblem('PLUGIN_ID_TAKEN', reason, 'Remove all but one of the folders')]);
  }
}

function disable(records: readonly PluginRecord[], decisions: PluginDecisions): void {
  for (const record of records) {
    if (decisions.get(record.id)?.enabled !== false) continue;
    quarantine(record, [
      createProblem('PLUGIN_DISABLED', 'It was disabled by command', `gantry plugins enable ${record.id}`),
    ]);
  }
}

/** Orders the usable plugins and refuses those whose names others have. */
function arrange(records: readonly PluginRecord[], decisions: PluginDecisions): readonly PluginRecord[] {
  const startedAt = performance.now();
  const live = records.filter(({ state }) => state === 'live').toSorted(precedence(decisions));
  const byId = new Map(live.map((record) => [record.id, record]));
  const first = orderRecords(records, live, byId);
  const collisions = findCollisions(first.flatMap(({ manifest }) => manifest ?? []));
  for (const [id, problems] of collisions) quarantineById(byId, id, problems);
  const order =
    collisions.size === 0
      ? first
      : orderRecords(
          records,
          first.filter(({ state }) => state === 'live'),
          byId,
        );
  for (const record of live) finish(record, 'order', performance.now() - startedAt);
  return order;
}

function orderRecords(
  records: readonly PluginRecord[],
  live: readonly PluginRecord[],
  byId: ReadonlyMap<string, PluginRecord>,
): readonly PluginRecord[] {
  const absent = new Map(
    records
      .filter(({ state }) => state !== 'live')
      .map(({ id, state, problems }) => [
        id,
        { state: state === 'live' ? 'stopped' : state, reason: problems[0]?.reason ?? state },
      ]),
  );
  const { order, problems } = orderPlugins(
    live.flatMap(({ manifest }) => manifest ?? []),
    absent,
  );
  for (const [id, own] of problems) quarantineById(byId, id, own);
  return order.flatMap((id) => byId.get(id) ?? []);
}

function quarantineById(byId: ReadonlyMap<string, PluginRecord>, id: string, problems: PluginRecord['problems']): void {
  const record = byId.get(id);
  if (record) quarantine(record, problems);
}

/**
 * Who keeps a contested name, as far as dependencies allow: plugins that the platform requires, then those that somebody
 * enabled by command, then the rest by id.
 */
function precedence(decisions: PluginDecisions) {
  const rank = (record: PluginRecord): number => {
    if (record.manifest?.required) return 0;
    return decisions.get(record.id)?.enabled ? 1 : 2;
  };
  return (first: PluginRecord, second: PluginRecord): number =>
    rank(first) - rank(second) || compare(first.id, second.id);
}

function finish(record: PluginRecord, phase: PluginPhase, milliseconds: number): void {
  enter(record, phase);
  spend(record, phase, milliseconds);
}

function forgotten(records: readonly PluginRecord[], decisions: PluginDecisions): readonly string[] {
  const ids = new Set(records.map(({ id }) => id));
  return [...decisions]
    .filter(([id, { enabled }]) => enabled && !ids.has(id))
    .map(([id]) => `The plugin ${id} was enabled by command, but no package with that id is found`);
}

function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}
