import { join } from 'node:path';
import type { PluginProblem } from '@gantry/contracts';
import type { Logger, PluginDefinition, RegisterContext, ServiceContext } from '@gantry/plugin-api';
import { describeError } from '@gantry/core-common';
import { authorNameWarnings, labelWarnings } from '../registration/declaration-warnings';
import { checkExtraFields } from '../registration/extra-fields';
import { checkDeclarations } from '../registration/check-declarations';
import { checkDefinition } from '../registration/check-definition';
import { checkUiSlots } from '../registration/check-ui-slots';
import {
  checkFieldKinds,
  checkItemTypes,
  checkPermissions,
  checkMigrations,
  checkSubscriptions,
  checkWriteHooks,
  checkService,
  compareContributions,
  contributionsOf,
} from '../registration/contributions';
import type { EnvironmentOf, Manifest } from '../manifest/manifest';
import { checkPatterns, type ReadPatterns } from '../registration/patterns/check-patterns';
import { createPatternJudge, type PatternJudge } from '../registration/patterns/pattern-judge';
import { routeCallsOf } from '../registration/route-calls/route-calls';
import { compileSettings } from '../registration/settings-schema';
import { createCollectingRouter } from '../registration/plugin-router';
import type { PluginExecution, RunPluginCode } from '../execution/plugin-execution';
import { isActive, type PluginRecord } from '../record/plugin-record';
import type { PluginSet } from './plugin-set';
import { createServiceContext, type AdmitsLine, type PluginServices } from '../execution/plugin-services';
import { createProblem } from '../problem-kinds';
import { createProvidedServices, type ProvidedServices } from '../registration/provided-services';
import type { RegisteredPlugin } from '../record/registered-plugin';
import { problemOfRun } from '../execution/run-failure';

/** Settings and functions that registering uses. */
export interface RegisterOptions {
  readonly execution: PluginExecution;
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly environmentOf: EnvironmentOf;
  readonly services: PluginServices;
  readonly readPatterns: ReadPatterns;
  /** Absolute folder of data, logs and state. */
  readonly home: string;
}

/** Registers the plugins one after the other; those that succeed have their contributions in their records. */
export async function registerAll(
  set: PluginSet,
  definitions: ReadonlyMap<PluginRecord, PluginDefinition>,
  options: RegisterOptions,
): Promise<void> {
  const { execution, home, logger } = options;
  const provided = createProvidedServices({ ...execution, stateOf: (id) => stateOf(set, id) });
  const patterns = createPatternJudge(home);
  await set.eachActive('register', async (record, manifest) => {
    const definition = definitions.get(record);
    if (definition === undefined) return;
    const {
      plugin,
      problems,
      warnings = [],
    } = await register(record.found.folder, manifest, definition, {
      ...options,
      run: execution.run,
      admitsLine: execution.admitsLine,
      provided,
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
  return (own.find(isActive) ?? own[0])?.state;
}

interface RegisterDependencies extends RegisterOptions {
  readonly run: RunPluginCode;
  readonly admitsLine: AdmitsLine;
  readonly provided: ProvidedServices;
  readonly patterns: PatternJudge;
  /** Becomes `context.signal`. */
  readonly signal: AbortSignal;
}

/** The plugin with its contributions, or what is wrong with them. */
type Registered =
  | { readonly plugin: RegisteredPlugin; readonly problems?: undefined; readonly warnings: readonly string[] }
  | { readonly plugin?: undefined; readonly problems: readonly PluginProblem[]; readonly warnings?: undefined };

/** Reads the plugin's configuration, runs its `register`, and checks all that it contributes against its manifest. */
async function register(
  folder: string,
  manifest: Manifest,
  definition: PluginDefinition,
  dependencies: RegisterDependencies,
): Promise<Registered> {
  const run = <T>(code: () => T | Promise<T>) =>
    dependencies.run({ plugin: manifest.id, phase: 'register', timeoutMs: dependencies.timeoutMs }, code);
  const { settings, problems: invalidSettings } = compileSettings(definition);
  const declarations = [...declarationProblems(definition), ...invalidSettings];
  if (declarations.length > 0) return { problems: declarations };
  const patterns = await checkPatterns(definition, dependencies.readPatterns, dependencies.patterns);
  if (patterns.problems.length > 0) return { problems: patterns.problems };

  const configured = await readConfig(folder, manifest, definition, dependencies, run);
  if ('problem' in configured) return { problems: [configured.problem] };
  const provided = dependencies.provided.open(manifest);
  const context = createServiceContext(manifest, definition, dependencies.logger, configured.config, {
    ...dependencies.services,
    services: provided.services,
    dataFolder: join(dependencies.home, 'data', manifest.id),
    admitsLine: dependencies.admitsLine,
  });
  const collected = createCollectingRouter(manifest.id);
  const registerContext = { ...context, router: collected.router, services: provided.registerServices };
  const problem = await runRegister(folder, manifest, definition, registerContext, run);
  collected.close();
  provided.close();
  if (problem) return { problems: [problem] };

  const invalid = collected.problems.map((reason) =>
    createProblem('ROUTE_INVALID', reason, 'Correct the call of ctx.router in register'),
  );
  const invalidServices = provided.problems.map((reason) =>
    createProblem('PROVIDED_SERVICE_INVALID', reason, 'Correct the call of ctx.services.provide in register'),
  );
  const { problems: invalidCalls, ...calls } = routeCallsOf(manifest, manifest.contributes, collected.routes);
  const problems = [
    ...invalid,
    ...invalidServices,
    ...compareContributions(manifest.contributes, contributionsOf(definition, collected, settings)),
    ...checkPermissions(manifest.contributes, collected),
    ...invalidCalls,
    ...checkUiSlots(manifest, definition),
  ];
  if (problems.length > 0) return { problems };
  const { routes, mounts } = collected;
  const pluginContext = Object.freeze({ ...context, signal: dependencies.signal });
  const own = { manifest, folder, definition, routes, mounts, calls, context: pluginContext };
  const plugin = Object.freeze({ ...own, ...(settings === undefined ? {} : { settings }) });
  return { plugin, warnings: [...patterns.warnings, ...authorNameWarnings(definition), ...labelWarnings(definition)] };
}

function declarationProblems(definition: PluginDefinition): readonly PluginProblem[] {
  return [
    ...checkDefinition(definition),
    ...checkItemTypes(definition),
    ...checkExtraFields(definition),
    ...checkFieldKinds(definition),
    ...checkService(definition),
    ...checkMigrations(definition),
    ...checkSubscriptions(definition),
    ...checkWriteHooks(definition),
    ...checkDeclarations(definition),
  ];
}

type Run = <T>(code: () => T | Promise<T>) => Promise<T>;
type Configured = { readonly config: ServiceContext['config'] } | { readonly problem: PluginProblem };

async function readConfig(
  folder: string,
  manifest: Manifest,
  { config }: PluginDefinition,
  { environmentOf }: RegisterDependencies,
  run: Run,
): Promise<Configured> {
  if (config === undefined) return { config: {} };
  try {
    const { returned } = await run(() => ({ returned: config(environmentOf(manifest)) as unknown }));
    if (isSettings(returned)) return { config: returned };
    if (isThenable(returned)) Promise.resolve(returned).catch(() => undefined);
    const what = isThenable(returned) ? 'a promise' : String(returned);
    return {
      problem: createProblem('CONFIG_INVALID', `config returned ${what}`, 'Return an object synchronously'),
    };
  } catch (error) {
    const thrown = problemOfRun(error, {
      manifest,
      folder,
      phase: 'register',
      code: 'CONFIG_INVALID',
      what: 'Reading the configuration',
    });
    if (thrown.code !== 'CONFIG_INVALID') return { problem: thrown };
    return {
      problem: createProblem(
        'CONFIG_INVALID',
        describeError(error),
        'Correct the environment variable and start again',
      ),
    };
  }
}

async function runRegister(
  folder: string,
  manifest: Manifest,
  definition: PluginDefinition,
  context: RegisterContext,
  run: Run,
): Promise<PluginProblem | undefined> {
  if (definition.register === undefined) return undefined;
  try {
    const { returned } = await run(() => ({ returned: definition.register?.(Object.freeze(context)) as unknown }));
    if (!isThenable(returned)) return undefined;
    // Its outcome does not matter any more, but must not end the process as an unhandled rejection.
    Promise.resolve(returned).catch(() => undefined);
    return createProblem(
      'REGISTER_ASYNC',
      'The register function returned a promise',
      'Make register synchronous; move asynchronous work to start',
    );
  } catch (error) {
    return problemOfRun(error, {
      manifest,
      folder,
      phase: 'register',
      code: 'REGISTER_FAILED',
      what: 'The register function',
    });
  }
}

function isSettings(value: unknown): value is ServiceContext['config'] {
  return typeof value === 'object' && value !== null && !isThenable(value);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
