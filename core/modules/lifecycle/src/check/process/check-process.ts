import { messageOf, limitStream } from '@gantry/core-common';
import {
  namedContributionsOf,
  type Contributions,
  type HostMessage,
  type PluginProblem,
  type PluginReport,
  type Quarantine,
} from '@gantry/contracts';
import { parseStart } from '@gantry/core-supervisor/child';
import {
  checkStartSchema,
  type CheckAnswer,
  type CheckBegun,
  type CheckFindings,
  type CheckStart,
  type WorkflowFindings,
} from './check-messages';
import { describeFailure } from '../../common/describe-failure';
import type { PluginSchema } from '@gantry/core-database';
import {
  createPluginExecution,
  type PluginRegistry,
  type PluginRegistryOptions,
  type PluginSources,
} from '@gantry/core-loader';
import type { Logger } from '@gantry/plugin-api';
import { endWithParent } from './end-with-parent';
import { findSchema } from './find-schema';

/** The default when no database is named: nothing connects to it. */
const noDatabase = 'postgres://nowhere';

/** Of one migration, on tables without rows. */
const migrationTimeoutMs = 15_000;

export type { WorkflowFindings };

type Environment = Readonly<Record<string, string | undefined>>;

export interface TrialOptions extends Pick<PluginRegistryOptions, 'environmentOf' | 'execution'> {
  readonly config: PluginSources & { readonly databaseUrl: string };
  readonly logger: Logger;
  readonly environment: Environment;
  /** Called before and after plugin code runs. */
  readonly notifyLauncher: (message: HostMessage) => void;
  /** Plugins whose code does not run. */
  readonly quarantines?: readonly Quarantine[];
}

/** Plugins that are loaded and linked, without the database. */
export interface TriedPlugins {
  readonly registry: PluginRegistry;
  /** The tables and migrations that the plugins want. */
  readonly schemas: readonly PluginSchema[];
}

/** The parts of the host that the process of a check gets. */
export interface CheckPorts extends Pick<TrialOptions, 'logger'> {
  readonly parseConfig: (environment: Environment) => TrialOptions['config'];
  /** Loads the plugins and compiles their item types. */
  readonly compile: (options: TrialOptions) => Promise<TriedPlugins>;
  /** Replays the histories of the workflows that are open on a queue against a bundle. */
  readonly replay: (options: ReplayOptions) => Promise<WorkflowFindings>;
}

export interface ReplayOptions {
  readonly taskQueue: string;
  /** The bundle to try. */
  readonly workflowsPath: string;
  readonly environment: Environment;
}

/** Tries the code of plugins out in this process. The one that started it ends it; without that one it ends by itself. */
export function answerCheck(ports: CheckPorts): void {
  endWithParent();
  process.once('message', (start) => void answer(ports, start));
  process.once('disconnect', () => process.exit(0));
}

async function answer(ports: CheckPorts, start: unknown): Promise<void> {
  notifyLauncher({ kind: 'check-begun' });
  try {
    notifyLauncher({ kind: 'checked', findings: await check(ports, parseStart(checkStartSchema, start)) });
  } catch (error) {
    const { code, message, remedy } = describeFailure(error, process.env);
    notifyLauncher({ kind: 'check-failed', code, message, remedy });
  }
}

async function check(ports: CheckPorts, start: CheckStart): Promise<readonly CheckFindings[]> {
  const { logger, parseConfig, compile, replay } = ports;
  const { environment } = start;
  const ids = start.candidates;
  const lines = countLines(() => execution.current());
  const execution = createPluginExecution({ notifyLauncher, admitsLine: lines.add });
  const deprecations = collectDeprecations(() => execution.current());
  const plugins = await compile({
    logger,
    // Code that is checked has no database: the plan is made afterwards.
    config: {
      ...parseConfig({ ...environment, DATABASE_URL: noDatabase }),
      trial: new Map(Object.entries(start.decisions)),
      trialFolders: start.folders,
    },
    ...{ quarantines: start.quarantines, environment, execution, notifyLauncher },
    environmentOf: ({ id }) => (ids.includes(id) ? { ...process.env } : environment),
  });
  const schemas = await findSchema({
    ...{ schemas: plugins.schemas, databaseUrl: environment['DATABASE_URL'], ids, logger },
    runCode: (plugin, code) => execution.run({ plugin, phase: 'migration', timeoutMs: migrationTimeoutMs }, code),
  });
  const findings: CheckFindings[] = [];
  for (const id of ids) {
    const problems = problemsOf(plugins, id);
    const schema = schemas.get(id);
    const workflows = problems.length > 0 ? undefined : await workflowsOf(plugins, id, { environment, replay });
    findings.push({
      id,
      problems,
      notes: registeredNotes(plugins, id),
      registered: registeredBy(plugins, id),
      deprecations: deprecations.of(id),
      lines: lines.of(id),
      ...(schema === undefined ? {} : { schema }),
      ...(workflows === undefined ? {} : { workflows }),
    });
  }
  return findings;
}

/** The warnings of the plugin API, by plugin: when they are given, because the event that follows has lost the plugin. */
function collectDeprecations(current: () => string | undefined) {
  const found = new Map<string, readonly string[]>();
  const of = (plugin: string): readonly string[] => found.get(plugin) ?? [];
  const emitWarning = process.emitWarning.bind(process) as (...given: readonly unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...more: readonly unknown[]): void => {
    const plugin = current();
    const [options] = more;
    const code = typeof options === 'object' && options !== null && 'code' in options ? String(options.code) : '';
    if (plugin !== undefined && code.startsWith('GANTRY_DEP')) {
      found.set(plugin, [...of(plugin), `${code}: ${messageOf(warning)}`]);
    }
    emitWarning(warning, ...more);
  };
  return { of };
}

/** Counts what plugins print and log, and drops it. */
function countLines(current: () => string | undefined) {
  const counts = new Map<string, number>();
  const add = (plugin: string): boolean => {
    counts.set(plugin, (counts.get(plugin) ?? 0) + 1);
    return false;
  };
  for (const stream of [process.stdout, process.stderr]) {
    limitStream(stream, () => {
      const plugin = current();
      return plugin === undefined || add(plugin);
    });
  }
  return { add, of: (plugin: string) => counts.get(plugin) ?? 0 };
}

function problemsOf(plugins: TriedPlugins, id: string): readonly PluginProblem[] {
  return checkedReport(plugins, id)?.problems ?? [];
}

/** Of two packages with the id, the one that is checked is loaded from the store; the other one has the problem that it shares the id. */
function checkedReport({ registry }: TriedPlugins, id: string): PluginReport | undefined {
  const same = registry.reports().filter((report) => report.id === id);
  return same.find(({ problems }) => problems.every(({ code }) => code !== 'PLUGIN_ID_TAKEN')) ?? same[0];
}

/** Notes on the code: those on the folder do not concern a check, which stored what is in it now. */
function registeredNotes(plugins: TriedPlugins, id: string): readonly string[] {
  return checkedReport(plugins, id)?.notes ?? [];
}

function registeredBy({ registry }: TriedPlugins, id: string): readonly string[] {
  const plugin = registry.registeredPlugins().find(({ manifest }) => manifest.id === id);
  const contributes: Partial<Contributions> = plugin?.manifest.contributes ?? {};
  const { itemTypes = [], taskQueues = [], routes = [], commands = [], homeCards = [], tablePages = [] } = contributes;
  return [
    ...itemTypes.map((type) => `item type ${type}`),
    ...taskQueues.map((queue) => `queue ${queue}`),
    ...namedContributionsOf(contributes).flatMap(({ one, names }) => names.map((name) => `${one} ${name}`)),
    ...routes.map((route) => `route ${route}`),
    ...commands.map(({ name }) => `command ${name}`),
    ...homeCards.map(({ name }) => `home card ${name}`),
    ...tablePages.map(({ name }) => `page ${name}`),
  ];
}

async function workflowsOf(
  { registry }: TriedPlugins,
  id: string,
  { environment, replay }: Pick<CheckPorts, 'replay'> & Pick<ReplayOptions, 'environment'>,
): Promise<CheckFindings['workflows']> {
  const plugin = registry.registeredPlugins().find(({ manifest }) => manifest.id === id);
  const { taskQueue, workflowsPath } = plugin?.definition.service ?? {};
  if (taskQueue === undefined || workflowsPath === undefined) return undefined;
  return replay({ taskQueue, workflowsPath, environment });
}

function notifyLauncher(message: HostMessage | CheckBegun | CheckAnswer): void {
  if (process.connected) process.send?.(message);
}
