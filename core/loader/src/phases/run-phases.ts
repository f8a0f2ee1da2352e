import { pluginPhases, type HostedPlugin, type PluginProblem, type Quarantine } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import type { PluginExecution } from '../execution/plugin-execution';
import type { PluginServices } from '../execution/plugin-services';
import { installHostModules, type InstalledHostModules } from '../modules/host-modules';
import { createImportPlan } from '../modules/import-plan';
import { pluginApiVersion } from '../modules/plugin-api-version';
import type { EnvironmentOf } from '../manifest/manifest';
import type { PluginSources } from '../plugin-sources';
import type { ReadPatterns } from '../registration/patterns/check-patterns';
import { loadAll } from './load';
import { createPluginSet, logProblems, type PluginSet } from './plugin-set';
import { prepare } from './prepare';
import { registerAll } from './register';

/** Settings and functions that loading uses. */
export interface LoadDependencies {
  readonly config: PluginSources;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly services: PluginServices;
  readonly readPatterns: ReadPatterns;
  readonly environmentOf: EnvironmentOf;
  readonly execution: PluginExecution;
  readonly timeouts: { readonly load: number; readonly register: number };
}

/** Plugins after `register`, and the changed ways in which their code finds modules. */
export interface LoadedPlugins {
  readonly set: PluginSet;
  readonly hostModules: InstalledHostModules;
}

/**
 * The phases `discover` to `register`.
 * @throws PluginError PLUGIN_STATE_DAMAGED
 */
export async function loadPlugins(dependencies: LoadDependencies): Promise<LoadedPlugins> {
  const { config, execution, logger, quarantines, timeouts } = dependencies;
  const { records, order, notes } = await prepare(config, pluginApiVersion());
  for (const note of notes) logger.warn({ phase: 'discover' }, note);
  for (const { id, notes: own } of records) {
    for (const note of own) logger.warn({ plugin: id, phase: 'validate' }, note);
  }
  const refused = records.filter(({ state }) => state !== 'disabled');
  for (const record of refused) logProblems(logger, record, record.problems);
  const set = createPluginSet(records, order, logger);
  for (const given of quarantines) {
    const record = order.find(({ id }) => id === given.plugin);
    if (record) set.fail(record, [problemOf(given)]);
  }
  execution.announce(hostedPlugins(set));
  const hostModules = installHostModules(createImportPlan(records));
  const definitions = await loadAll(set, execution.run, timeouts.load);
  await registerAll(set, definitions, { ...dependencies, timeoutMs: timeouts.register, home: config.home });
  return { set, hostModules };
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
