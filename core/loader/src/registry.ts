import type {
  HostMessage,
  PluginPhase,
  PluginProblem,
  PluginReport,
  PluginUiReport,
  Quarantine,
} from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { createPhases, type PhaseDependencies, type PluginTimeouts } from './phases/run-phases';
import type { ReadPatterns } from './registration/patterns/check-patterns';
import { PluginError } from './plugin-error';
import type { EnvironmentOf } from './manifest/manifest';
import type { PluginSources } from './plugin-sources';
import type { PluginRecord } from './record/plugin-record';
import { createPluginExecution, type PluginExecution } from './execution/plugin-execution';
import type { PluginServices } from './execution/plugin-services';
import type { ProblemCode } from './problem-kinds';
import type { RegisteredPlugin } from './record/registered-plugin';
import { createHandOver, type DeliverTypeEvents, type IsWaiting } from './phases/start';
import { reportOf } from './record/startup-report';
import type { SeedOnce } from './phases/seed';
import { findUiFile, readUis, type ServedUiFile } from './record/plugin-uis';

const defaultTimeouts: PluginTimeouts = { load: 20_000, register: 5_000, start: 20_000, stop: 10_000 };

export interface PluginRegistryOptions {
  readonly config: PluginSources;
  readonly logger: Logger;
  /** Plugins that ended or blocked an earlier attempt of this start: their code does not run. */
  readonly quarantines: readonly Quarantine[];
  /** Must not delay: its message must be sent before plugin code may block the process. */
  readonly notifyLauncher: (message: HostMessage) => void;
  /** How plugin code is entered; one without hooks unless given. */
  readonly execution?: PluginExecution;
  readonly services: PluginServices;
  readonly readPatterns: ReadPatterns;
  /** From which plugins read their configuration. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where it is not the same for all plugins. */
  readonly environmentOf?: EnvironmentOf;
  readonly timeouts?: Partial<PluginTimeouts>;
  /** No value is handed over unless given. */
  readonly deliverTypeEvents?: DeliverTypeEvents;
  /** Remembers seed data; none are brought unless given. */
  readonly seedOnce?: SeedOnce;
  /** The time of `start` in which this is true does not count. */
  readonly isWaiting?: IsWaiting;
}

/** `served`; `quarantined`: its routes answer 503; `disabled`: they answer 404, as those of a plugin that is not there. */
export type Served = 'served' | 'quarantined' | 'disabled';

/** A problem whose code is in the table that the documentation is made from. */
type FailureProblem = Omit<PluginProblem, 'phase' | 'code'> & { readonly code: ProblemCode };

/** The plugins of one host process, through all their phases. */
export interface PluginRegistry {
  /**
   * The phases `discover` to `register`. Never fails for the sake of a plugin.
   * @throws PluginError PLUGIN_STATE_DAMAGED
   */
  loadPlugins(): Promise<void>;
  /** Plugins in use, each after those it depends on. */
  registeredPlugins(): readonly RegisteredPlugin[];
  /** The plugin, if it is in use. */
  findRunning(pluginId: string): RegisteredPlugin | undefined;
  /** The phase `link`. @param work links the plugins in use, and fails those that it cannot link */
  link<T>(work: () => Promise<T>): Promise<T>;
  /** Quarantines a plugin and blocks those that depend on it. */
  fail(pluginId: string, phase: PluginPhase, problem: FailureProblem): void;
  /**
   * Runs `start` of each plugin, after those of its dependencies. One at a time, so that who blocks the process is known for sure.
   * @throws PluginError REQUIRED_PLUGIN_FAILED, as `assertRequired`
   */
  start(): Promise<void>;
  /** Hands events of item types to the plugins that run. */
  deliverTypeEvents(): Promise<void>;
  /** Aborts the plugins' signals, then runs `stop` of each, in reverse order. */
  stop(): Promise<void>;
  /** Runs code of a plugin when it is needed: what comes of it is known to be the plugin's. */
  enter<T>(pluginId: string, code: () => T): T;
  /** Every discovered package, by id. */
  reports(): readonly PluginReport[];
  served(pluginId: string): Served;
  /** Checks whether files of plugins' pages have changed, and returns all plugins that have pages. */
  uis(): Promise<readonly PluginUiReport[]>;
  /** A file of a plugin's pages, by the version and path of its address. */
  uiFile(pluginId: string, version: string, path: string): ServedUiFile | undefined;
  /** @throws PluginError REQUIRED_PLUGIN_FAILED that names every required plugin which is not in use, and why. */
  assertRequired(): void;
}

export function createPluginRegistry(options: PluginRegistryOptions): PluginRegistry {
  const dependencies = dependenciesOf(options);
  const { execution } = dependencies;
  const phases = createPhases(dependencies);
  const { active, link, records, stop } = phases;
  const find = (pluginId: string): PluginRecord | undefined => active().find(({ id }) => id === pluginId);
  const handOverAll = createHandOver({ ...dependencies, ...execution });

  return {
    async loadPlugins() {
      await phases.load();
      await readUis(active());
    },
    registeredPlugins: () => active().flatMap(({ registered }) => registered ?? []),
    findRunning: (pluginId) => find(pluginId)?.registered,
    fail(pluginId, phase, problem) {
      const record = find(pluginId);
      if (record) phases.fail(record, [{ phase, ...problem }]);
    },
    ...{ link, stop },
    async start() {
      await phases.start();
      assertRequired(records());
    },
    deliverTypeEvents: () => handOverAll(active().filter(({ state }) => state === 'started')),
    enter: execution.enter,
    reports: () => records().map(reportOf),
    served: (pluginId) => servedOf(records().filter(({ id }) => id === pluginId)),
    async uis() {
      await readUis(active());
      return records().map(reportOf).flatMap(uiReportOf);
    },
    uiFile(pluginId, version, path) {
      const record = find(pluginId);
      return record && findUiFile(record, version, path);
    },
    assertRequired: () => assertRequired(records()),
  };
}

function dependenciesOf(options: PluginRegistryOptions): PhaseDependencies {
  return {
    ...options,
    execution: options.execution ?? createPluginExecution(options),
    environmentOf: options.environmentOf ?? (() => options.environment),
    deliverTypeEvents: options.deliverTypeEvents ?? (() => Promise.resolve()),
    seedOnce: options.seedOnce ?? (() => Promise.resolve()),
    timeouts: { ...defaultTimeouts, ...options.timeouts },
  };
}

function uiReportOf({ id, displayName, state, problems, ui, contributes }: PluginReport): readonly PluginUiReport[] {
  return ui === undefined ? [] : [{ id, displayName, state, problems, ui, itemTypes: contributes.itemTypes }];
}

function servedOf(records: readonly PluginRecord[]): Served {
  const states = records.map(({ state }) => state);
  if (states.some((state) => state === 'active' || state === 'started')) return 'served';
  return states.every((state) => state === 'disabled') ? 'disabled' : 'quarantined';
}

function assertRequired(records: readonly PluginRecord[]): void {
  const broken = records.filter((record) => record.manifest?.required && servedOf([record]) !== 'served');
  if (broken.length === 0) return;
  const reasons = broken.map(({ id, problems }) => `${id} (${problems.map(({ reason }) => reason).join('; ')})`);
  const remedies = new Set(broken.flatMap(({ problems }) => problems.map(({ remedy }) => remedy)));
  throw new PluginError(
    'REQUIRED_PLUGIN_FAILED',
    `Plugins that the platform requires cannot be used: ${reasons.join(', ')}`,
    [...remedies].join('; '),
  );
}
