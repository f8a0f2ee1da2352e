import { pluginPhases, type HostedPlugin, type PluginProblem, type Quarantine } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { PluginExecution } from '../execution/plugin-execution';
import type { PluginServices } from '../execution/plugin-services';
import { installHostModules } from '../modules/host-modules';
import { createImportPlan } from '../modules/import-plan';
import type { EnvironmentOf } from '../manifest/manifest';
import type { PluginSources } from '../plugin-sources';
import type { PluginRecord } from '../record/plugin-record';
import type { ReadPatterns } from '../registration/patterns/check-patterns';
import { discover } from './discover';
import { linkAll } from './link';
import { loadAll } from './load';
import { orderAll } from './order';
import { createPluginSet, logProblems, type PluginSet } from './plugin-set';
import { registerAll } from './register';
import { startAll, type DeliverTypeEvents, type IsWaiting } from './start';
import type { SeedOnce } from './seed';
import { stopAll } from './stop';
import { validateAll, type ValidatedPlugins } from './validate';

/** Settings and functions that the phases use. */
export interface PhaseDependencies {
  readonly config: PluginSources;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly services: PluginServices;
  readonly readPatterns: ReadPatterns;
  readonly environmentOf: EnvironmentOf;
  readonly execution: PluginExecution;
  readonly timeouts: PluginTimeouts;
  readonly deliverTypeEvents: DeliverTypeEvents;
  readonly seedOnce: SeedOnce;
  readonly isWaiting?: IsWaiting;
}

/** Milliseconds that a plugin's code may take in each phase. */
export interface PluginTimeouts {
  readonly load: number;
  readonly register: number;
  readonly start: number;
  readonly stop: number;
}

/** The phases of the plugins of one host. A command runs `load` or `link` last, a host all of them. */
export interface Phases {
  /** Every discovered package, by id. */
  records(): readonly PluginRecord[];
  /** Plugins that are on their way or serving, each after its dependencies. */
  active(): readonly PluginRecord[];
  fail(record: PluginRecord, problems: readonly PluginProblem[]): void;
  /** The phases `discover` to `register`. @throws PluginError PLUGIN_STATE_DAMAGED, PLUGIN_UNKNOWN */
  load(): Promise<void>;
  link<T>(work: () => Promise<T>): Promise<T>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createPhases(dependencies: PhaseDependencies): Phases {
  const { config, execution, logger, timeouts } = dependencies;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  let set = createPluginSet([], [], logger);
  let uninstall = (): void => undefined;

  return {
    async load() {
      const found = await discover(config);
      const validated = await validateAll(found, config);
      const order = orderAll(validated.records, validated.decisions);
      set = createPluginSet(validated.records, order, logger);
      report(validated, logger);
      quarantineAll(set, dependencies.quarantines);
      execution.announce(hostedPlugins(set));
      uninstall = installHostModules(createImportPlan(set.records)).uninstall;
      const definitions = await loadAll(set, execution.run, timeouts.load);
      await registerAll(set, definitions, { ...dependencies, timeoutMs: timeouts.register, home: config.home });
    },
    link: (work) => linkAll(set, work),
    start: () => startAll(set, execution.run, { ...dependencies, timeoutMs: timeouts.start, isStopping }),
    async stop() {
      if (stopping) return;
      stopping = true;
      await stopAll(set, execution.run, timeouts.stop);
      uninstall();
      execution.release();
    },
    records: () => set.records,
    active: () => set.active(),
    fail: (record, problems) => set.fail(record, problems),
  };
}

function report({ records, notes }: ValidatedPlugins, logger: Logger): void {
  for (const note of notes) logger.warn({ phase: 'discover' }, note);
  for (const { id, notes: own } of records) {
    for (const note of own) logger.warn({ plugin: id, phase: 'validate' }, note);
  }
  const refused = records.filter(({ state }) => state !== 'disabled');
  for (const record of refused) logProblems(logger, record, record.problems);
}

/** Plugins that ended or blocked an earlier attempt of this start. */
function quarantineAll(set: PluginSet, quarantines: readonly Quarantine[]): void {
  for (const given of quarantines) {
    const record = set.active().find(({ id }) => id === given.plugin);
    if (record) set.fail(record, [problemOf(given)]);
  }
}

function hostedPlugins(set: PluginSet): readonly HostedPlugin[] {
  return set
    .active()
    .map(({ id, found, manifest }) => ({ id, folder: found.folder, isRequired: manifest?.required === true }));
}

function problemOf({ plugin, phase, code, reason }: Quarantine): PluginProblem {
  const remedy = `Fix the plugin, then enable it: gantry plugins enable ${plugin}. The next gantry up loads it again, unless it is disabled: gantry plugins disable ${plugin}`;
  const problem = { code, reason: `The plugin ${reason}. It is not used`, remedy };
  return { phase: pluginPhases.find((known) => known === phase) ?? 'load', ...problem };
}
