import { pluginPhases, type HostedPlugin, type PluginProblem, type Quarantine } from '@gantry/contracts';
import type { Logger, PluginDefinition } from '@gantry/plugin-api';
import { installHostModules, type InstalledHostModules } from '../modules/host-modules';
import { createImportPlan } from '../modules/import-plan';
import { load } from './load';
import { pluginApiVersion } from '../modules/plugin-api-version';
import type { PluginPlaces } from '../plugin-places';
import { isLive, type PluginRecord } from '../record/plugin-record';
import type { PluginExecution } from '../execution/plugin-execution';
import type { PluginServices } from '../execution/plugin-services';
import { createPluginSet, logProblems, type PluginSet } from './plugin-set';
import type { ReadPatterns } from '../registration/patterns/check-patterns';
import { createPatternJudge } from '../registration/patterns/pattern-judge';
import { prepare } from './prepare';
import { createProvidedServices } from '../registration/provided-services';
import { register } from './register';

/** What loading takes from its surroundings. */
export interface LoadSurroundings {
  readonly config: PluginPlaces;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly services: PluginServices;
  readonly readPatterns: ReadPatterns;
  readonly environment: Readonly<Record<string, string | undefined>>;
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
export async function loadPlugins(surroundings: LoadSurroundings): Promise<LoadedPlugins> {
  const { config, logger, quarantines } = surroundings;
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
  surroundings.execution.announce(hostedPlugins(set));
  const hostModules = installHostModules(createImportPlan(records));
  await registerAll(set, await loadAll(set, surroundings), surroundings);
  return { set, hostModules };
}

function hostedPlugins(set: PluginSet): readonly HostedPlugin[] {
  return set
    .live()
    .map(({ id, found, manifest }) => ({ id, folder: found.folder, isRequired: manifest?.required === true }));
}

async function loadAll(
  set: PluginSet,
  { execution: { run }, timeouts }: LoadSurroundings,
): Promise<ReadonlyMap<PluginRecord, PluginDefinition>> {
  const definitions = new Map<PluginRecord, PluginDefinition>();
  await set.eachLive('load', async (record, manifest) => {
    const { definition, problems } = await load(record.found, manifest, run, timeouts.load);
    if (problems) set.fail(record, problems);
    else definitions.set(record, definition);
  });
  return definitions;
}

async function registerAll(
  set: PluginSet,
  definitions: ReadonlyMap<PluginRecord, PluginDefinition>,
  { config, execution, timeouts, logger, environment, services, readPatterns }: LoadSurroundings,
): Promise<void> {
  const provided = createProvidedServices({ ...execution, stateOf: (id) => stateOf(set, id) });
  const patterns = createPatternJudge(config.home);
  await set.eachLive('register', async (record, manifest) => {
    const definition = definitions.get(record);
    if (definition === undefined) return;
    const {
      plugin,
      problems,
      warnings = [],
    } = await register(record.found.folder, manifest, definition, {
      run: execution.run,
      timeoutMs: timeouts.register,
      logger,
      admitsLine: execution.admitsLine,
      environment,
      services,
      provided,
      home: config.home,
      readPatterns,
      patterns,
      signal: record.abort.signal,
    });
    if (problems) return set.fail(record, problems);
    record.registered = plugin;
    record.notes = [...record.notes, ...warnings];
    for (const warning of warnings) logger.warn({ plugin: manifest.id, phase: 'register' }, warning);
  });
  await patterns.close();
}

/** Of several packages with one id, the one that is on its way or serving counts. */
function stateOf({ records }: PluginSet, id: string): PluginRecord['state'] | undefined {
  const own = records.filter((record) => record.id === id);
  return (own.find(isLive) ?? own[0])?.state;
}

function problemOf({ plugin, phase, code, reason }: Quarantine): PluginProblem {
  const remedy = `Fix the plugin, then enable it: gantry plugins enable ${plugin}. The next gantry up tries it again by itself, unless it is disabled: gantry plugins disable ${plugin}`;
  const problem = { code, reason: `The plugin ${reason}. It is left out`, remedy };
  return { phase: pluginPhases.find((known) => known === phase) ?? 'load', ...problem };
}
