import { performance } from 'node:perf_hooks';
import { satisfies } from 'semver';
import type { PluginPhase, PluginProblem, PluginState } from '@gantry/contracts';
import { findCollisions } from '../manifest/collisions';
import { createProblem } from '../problem-kinds';
import { enter, quarantine, addTiming, type PluginRecord } from '../record/plugin-record';
import type { PluginDecisions } from '../state/local-copy';

/** The part of a plugin that ordering uses. */
export interface OrderedPlugin {
  readonly id: string;
  readonly version: string;
  readonly dependsOn: Readonly<Record<string, string>>;
  readonly optionalDependsOn: Readonly<Record<string, string>>;
}

/** A plugin that was found and will not run. */
export interface AbsentPlugin {
  readonly state: PluginState;
  readonly reason: string;
}

/** Usable plugins, each after those it depends on, and what is wrong with the others. */
export interface Order {
  readonly order: readonly string[];
  readonly problems: ReadonlyMap<string, readonly PluginProblem[]>;
}

/** Orders the usable plugins and refuses those whose names others have. */
export function orderAll(records: readonly PluginRecord[], decisions: PluginDecisions): readonly PluginRecord[] {
  const startedAt = performance.now();
  const active = records.filter(({ state }) => state === 'active').toSorted(precedence(decisions));
  const byId = new Map(active.map((record) => [record.id, record]));
  const first = orderActive(records, active, byId);
  const collisions = findCollisions(first.flatMap(({ manifest }) => manifest ?? []));
  for (const [id, problems] of collisions) quarantineById(byId, id, problems);
  const ordered =
    collisions.size === 0
      ? first
      : orderActive(
          records,
          first.filter(({ state }) => state === 'active'),
          byId,
        );
  for (const record of active) finish(record, 'order', performance.now() - startedAt);
  return ordered;
}

function orderActive(
  records: readonly PluginRecord[],
  active: readonly PluginRecord[],
  byId: ReadonlyMap<string, PluginRecord>,
): readonly PluginRecord[] {
  const absent = new Map(
    records
      .filter(({ state }) => state !== 'active')
      .map(({ id, state, problems }) => [
        id,
        { state: state === 'active' ? 'stopped' : state, reason: problems[0]?.reason ?? state },
      ]),
  );
  const { order: ids, problems } = order(
    active.flatMap(({ manifest }) => manifest ?? []),
    absent,
  );
  for (const [id, own] of problems) quarantineById(byId, id, own);
  return ids.flatMap((id) => byId.get(id) ?? []);
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
    rank(first) - rank(second) || Number(first.id > second.id) - Number(first.id < second.id);
}

function finish(record: PluginRecord, phase: PluginPhase, milliseconds: number): void {
  enter(record, phase);
  addTiming(record, phase, milliseconds);
}

/**
 * Orders plugins by their dependencies. Those that come first in `plugins` stay as far in front as their dependencies
 * allow, so that the caller's precedence decides who keeps a contested name.
 */
export function order(plugins: readonly OrderedPlugin[], absent: ReadonlyMap<string, AbsentPlugin>): Order {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const problems = new Map<string, readonly PluginProblem[]>();
  for (const plugin of plugins) {
    const own = [...cycleProblems(plugin, byId), ...dependencyProblems(plugin, byId, absent)];
    if (own.length > 0) problems.set(plugin.id, own);
  }
  const visited = new Set<string>();
  const result: string[] = [];
  const visit = (plugin: OrderedPlugin): void => {
    if (visited.has(plugin.id)) return;
    visited.add(plugin.id);
    for (const id of neighbours(plugin, byId)) visit(byId.get(id) ?? plugin);
    const unusable = Object.keys(plugin.dependsOn).filter(
      (id) => problems.has(id) && !sameCycle(plugin.id, id, problems),
    );
    if (unusable.length > 0) {
      const inherited = unusable.map((id) => blockedBy(id, firstReason(problems.get(id))));
      problems.set(plugin.id, [...(problems.get(plugin.id) ?? []), ...inherited]);
    }
    if (!problems.has(plugin.id)) result.push(plugin.id);
  };
  for (const plugin of plugins) visit(plugin);
  return { order: result, problems };
}

/** The problem of a plugin whose dependency failed. */
export function blockedBy(dependency: string, reason: string, phase?: PluginPhase): PluginProblem {
  return createProblem(
    'DEPENDENCY_FAILED',
    `It depends on the plugin ${dependency}, which cannot be used: ${reason}`,
    `Fix ${dependency} first: gantry plugins info ${dependency}`,
    phase,
  );
}

/** Dependencies of both kinds that are there. */
function neighbours(plugin: OrderedPlugin, byId: ReadonlyMap<string, OrderedPlugin>): readonly string[] {
  return [...Object.keys(plugin.dependsOn), ...Object.keys(plugin.optionalDependsOn)]
    .filter((id) => byId.has(id))
    .toSorted();
}

function cycleProblems(plugin: OrderedPlugin, byId: ReadonlyMap<string, OrderedPlugin>): readonly PluginProblem[] {
  const path = shortestCycle(plugin.id, byId);
  if (path === undefined) return [];
  return [
    createProblem(
      'DEPENDENCY_CYCLE',
      `The dependencies form a cycle: ${path.join(' → ')}`,
      'Remove one of these dependencies from its package.json',
    ),
  ];
}

/** The path from a plugin back to itself, starting with its alphabetically first member. */
function shortestCycle(start: string, byId: ReadonlyMap<string, OrderedPlugin>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    const plugin = byId.get(id);
    for (const next of plugin ? neighbours(plugin, byId) : []) {
      if (next === start) return rotate(trace(start, id, cameFrom));
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      queue.push(next);
    }
  }
  return undefined;
}

function trace(start: string, end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [end];
  for (let id = end; id !== start;) {
    id = cameFrom.get(id) ?? start;
    path.unshift(id);
  }
  return path;
}

function rotate(members: readonly string[]): readonly string[] {
  const first = members.indexOf(members.toSorted()[0] ?? '');
  const rotated = [...members.slice(first), ...members.slice(0, first)];
  return [...rotated, ...rotated.slice(0, 1)];
}

function sameCycle(first: string, second: string, problems: ReadonlyMap<string, readonly PluginProblem[]>): boolean {
  const cycleOf = (id: string): string | undefined =>
    problems.get(id)?.find(({ code }) => code === 'DEPENDENCY_CYCLE')?.reason;
  return cycleOf(first) !== undefined && cycleOf(first) === cycleOf(second);
}

function dependencyProblems(
  plugin: OrderedPlugin,
  byId: ReadonlyMap<string, OrderedPlugin>,
  absent: ReadonlyMap<string, AbsentPlugin>,
): readonly PluginProblem[] {
  const required = Object.entries(plugin.dependsOn).flatMap(([id, range]) => {
    const present = byId.get(id);
    return present ? versionProblems(present, range) : [absenceProblem(id, range, absent.get(id))];
  });
  const optional = Object.entries(plugin.optionalDependsOn).flatMap(([id, range]) => {
    const present = byId.get(id);
    return present ? versionProblems(present, range) : [];
  });
  return [...required, ...optional];
}

function versionProblems({ id, version }: OrderedPlugin, range: string): readonly PluginProblem[] {
  if (satisfies(version, range, { includePrerelease: true })) return [];
  return [
    createProblem(
      'DEPENDENCY_VERSION',
      `It depends on the plugin ${id} ${range}, but ${id} is ${version}`,
      `Install a version of ${id} within ${range}, or another version of this plugin`,
    ),
  ];
}

function absenceProblem(id: string, range: string, absent: AbsentPlugin | undefined): PluginProblem {
  if (absent === undefined) {
    return createProblem(
      'DEPENDENCY_MISSING',
      `It depends on the plugin ${id} ${range}, which is not installed`,
      `Put ${id} into a folder of GANTRY_PLUGIN_PATH, or install its package`,
    );
  }
  if (absent.state === 'disabled') {
    return createProblem(
      'DEPENDENCY_DISABLED',
      `It depends on the plugin ${id}, which is disabled`,
      `gantry plugins enable ${id}`,
    );
  }
  return blockedBy(id, absent.reason);
}

function firstReason(problems: readonly PluginProblem[] | undefined): string {
  return problems?.[0]?.reason ?? 'it cannot be used';
}
