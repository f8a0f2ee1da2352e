import { performance } from 'node:perf_hooks';
import { pluginPhases, type HostMessage, type PluginPhase, type PluginProblem, type PluginReport, type Quarantine } from '@gantry/contracts';
import type { Logger, PluginDefinition } from '@gantry/plugin-api';
import { installHostModules, type InstalledHostModules } from './host-modules';
import { createImportPlan } from './import-plan';
import { load } from './load';
import { blockedBy } from './order';
import { pluginApiVersion } from './plugin-api-version';
import { PluginError } from './plugin-error';
import type { PluginPlaces } from './plugin-places';
import { enter, isLive, quarantine, spend, timed, type PluginRecord } from './plugin-record';
import { createPluginRunner } from './plugin-run';
import type { PluginServices } from './plugin-services';
import { prepare } from './prepare';
import { register } from './register';
import type { RegisteredPlugin } from './registered-plugin';
import { start } from './start';
import { reportOf } from './startup-report';
import { stop } from './stop';

/** Milliseconds that a plugin's code may take in each phase. */
export interface PluginTimeouts {
  readonly load: number;
  readonly register: number;
  readonly start: number;
  readonly stop: number;
}

const defaultTimeouts: PluginTimeouts = { load: 20_000, register: 5_000, start: 20_000, stop: 10_000 };

export interface PluginRegistryOptions {
  readonly config: PluginPlaces;
  readonly logger: Logger;
  /** Plugins that ended or blocked an earlier attempt of this start: their code does not run. */
  readonly quarantines: readonly Quarantine[];
  /** Must not delay: what it tells has to be out before plugin code may block the process. */
  readonly tell: (message: HostMessage) => void;
  readonly services: PluginServices;
  /** From which plugins read their configuration. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeouts?: Partial<PluginTimeouts>;
}

/** `served`; `quarantined`: its routes answer 503; `disabled`: they answer 404, as those of a plugin that is not there. */
export type Served = 'served' | 'quarantined' | 'disabled';

/** The plugins of one host process, through all phases of their life. */
export interface PluginRegistry {
  /**
   * The phases `discover` to `register`. Never fails for the sake of a plugin.
   * @throws PluginError PLUGIN_STATE_DAMAGED
   */
  loadAll(): Promise<void>;
  /** Plugins in use, each after those it depends on. */
  registered(): readonly RegisteredPlugin[];
  /** Runs and measures the phase `link`, which the composition root does. */
  link<T>(work: () => Promise<T>): Promise<T>;
  /** Quarantines a plugin and blocks those that depend on it. */
  fail(pluginId: string, phase: PluginPhase, problem: Omit<PluginProblem, 'phase'>): void;
  /** Runs `start` of each plugin, after those of its dependencies. One at a time, so that who blocks the process is known for sure. */
  start(): Promise<void>;
  /** Aborts the plugins' signals, then runs `stop` of each, in reverse order. */
  stop(): Promise<void>;
  /** Every discovered package, by id. */
  reports(): readonly PluginReport[];
  served(pluginId: string): Served;
  /** @throws PluginError REQUIRED_PLUGIN_FAILED that names every required plugin which is not in use, and why. */
  assertRequired(): void;
}

export function createPluginRegistry(options: PluginRegistryOptions): PluginRegistry {
  const { config, logger, services, environment } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const run = createPluginRunner(options.tell);
  const stopping = new AbortController();
  const abortOf = new Map<PluginRecord, AbortController>();
  let records: readonly PluginRecord[] = [];
  let order: readonly PluginRecord[] = [];
  let hostModules: InstalledHostModules | undefined;
  const live = (): readonly PluginRecord[] => order.filter(isLive);

  const fail = (record: PluginRecord, problem: PluginProblem): void => {
    if (!isLive(record)) return;
    quarantine(record, [problem]);
    log(logger, record, [problem]);
    abortOf.get(record)?.abort();
    for (const dependent of live().filter(({ manifest }) => Object.hasOwn(manifest?.dependsOn ?? {}, record.id))) {
      fail(dependent, blockedBy(record.id, problem.reason, problem.phase));
    }
  };
  const failAll = (record: PluginRecord, problems: readonly PluginProblem[]): void => {
    const [first, ...rest] = problems;
    if (first === undefined) return;
    fail(record, first);
    quarantine(record, rest);
    log(logger, record, rest);
  };

  return {
    async loadAll() {
      const prepared = await prepare(config, pluginApiVersion());
      ({ records, order } = prepared);
      for (const note of prepared.notes) logger.warn({ phase: 'discover' }, note);
      for (const record of records.filter(({ state }) => state !== 'disabled')) log(logger, record, record.problems);
      for (const given of options.quarantines) {
        const record = order.find(({ id }) => id === given.plugin);
        if (record) fail(record, quarantineProblem(given));
      }
      hostModules = installHostModules(createImportPlan(records));
      const definitions = new Map<PluginRecord, PluginDefinition>();
      await eachLive(order, 'load', async (record, { manifest, folder }) => {
        const { definition, problems } = await load(folder, manifest, run, timeouts.load);
        if (problems) failAll(record, problems);
        else definitions.set(record, definition);
      });
      await eachLive(order, 'register', async (record, { manifest, folder }) => {
        const definition = definitions.get(record);
        if (definition === undefined) return;
        const abort = new AbortController();
        abortOf.set(record, abort);
        const surroundings = { run, timeoutMs: timeouts.register, logger, environment, services, signal: abort.signal };
        const { plugin, problems } = await register(folder, manifest, definition, surroundings);
        if (problems) failAll(record, problems);
        else record.registered = plugin;
      });
    },
    registered: () => live().flatMap(({ registered }) => registered ?? []),
    async link(work) {
      const startedAt = performance.now();
      for (const record of live()) enter(record, 'link');
      const linked = live();
      return work().finally(() => linked.forEach((record) => spend(record, 'link', performance.now() - startedAt)));
    },
    fail(pluginId, phase, { code, reason, remedy }) {
      const record = records.find(({ id }) => id === pluginId);
      if (record) fail(record, { phase, code, reason, remedy });
    },
    async start() {
      await eachLive(order, 'start', async (record) => {
        if (stopping.signal.aborted || record.registered === undefined) return;
        const problem = await start(record.registered, run, timeouts.start);
        if (problem) fail(record, problem);
        else record.state = 'started';
      });
    },
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      for (const abort of abortOf.values()) abort.abort();
      for (const record of order.filter(({ state }) => state === 'started').toReversed()) {
        if (record.registered) await stop(record.registered, run, timeouts.stop);
        record.state = 'stopped';
      }
      hostModules?.uninstall();
    },
    reports: () => records.map(reportOf),
    served(pluginId) {
      const states = records.filter(({ id }) => id === pluginId).map(({ state }) => state);
      if (states.some((state) => state === 'live' || state === 'started')) return 'served';
      return states.every((state) => state === 'disabled') ? 'disabled' : 'quarantined';
    },
    assertRequired() {
      const broken = records.filter((record) => record.manifest?.required && !isLive(record) && record.state !== 'stopped');
      if (broken.length > 0) throw requiredFailed(broken);
    },
  };
}

/** One after the other; a plugin that fails on the way blocks later ones, which are then left out. */
async function eachLive(
  order: readonly PluginRecord[],
  phase: PluginPhase,
  work: (record: PluginRecord, plugin: { readonly manifest: NonNullable<PluginRecord['manifest']>; readonly folder: string }) => Promise<void>,
): Promise<void> {
  for (const record of order) {
    const { manifest, found } = record;
    if (manifest && isLive(record)) await timed(record, phase, () => work(record, { manifest, folder: found.folder }));
  }
}

function quarantineProblem({ plugin, phase, code, reason }: Quarantine): PluginProblem {
  const known = pluginPhases.find((name) => name === phase) ?? 'load';
  return { phase: known, code, reason, remedy: `Mend the plugin, which the next start tries again, or disable it: gantry plugins disable ${plugin}` };
}

function log(logger: Logger, record: PluginRecord, problems: readonly PluginProblem[]): void {
  for (const { phase, code, reason, remedy } of problems) {
    logger.error({ plugin: record.id, state: record.state, phase, code, remedy }, `The plugin ${record.id} is not in use: ${reason}`);
  }
}

function requiredFailed(broken: readonly PluginRecord[]): PluginError {
  const reasons = broken.map(({ id, problems }) => `${id} (${problems.map(({ reason }) => reason).join('; ')})`);
  const remedies = new Set(broken.flatMap(({ problems }) => problems.map(({ remedy }) => remedy)));
  return new PluginError('REQUIRED_PLUGIN_FAILED', `Plugins that the platform requires cannot be used: ${reasons.join(', ')}`, [...remedies].join('; '));
}
