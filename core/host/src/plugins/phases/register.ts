import { join } from 'node:path';
import type { PluginProblem } from '@gantry/contracts';
import type { Logger, PluginDefinition, RegisterContext, ServiceContext } from '@gantry/plugin-api';
import { checkDefinition } from '../registration/check-definition';
import { checkUiSlots } from '../registration/check-ui-slots';
import {
  checkItemTypes,
  checkMigrations,
  checkService,
  compareContributions,
  contributionsOf,
} from '../registration/contributions';
import type { Manifest } from '../manifest/manifest';
import { messageOf } from '../../common/message-of';
import { checkPatterns, type ReadPatterns } from '../registration/patterns/check-patterns';
import type { PatternJudge } from '../registration/patterns/pattern-judge';
import { createCollectingRouter } from '../registration/plugin-router';
import type { RunPluginCode } from '../execution/plugin-execution';
import { createServiceContext, type AdmitsLine, type PluginServices } from '../execution/plugin-services';
import { createProblem } from '../problem-kinds';
import type { ProvidedServices } from '../registration/provided-services';
import type { RegisteredPlugin } from '../record/registered-plugin';
import { problemOfRun } from '../execution/run-failure';

/** What registering a plugin takes from its surroundings. */
export interface RegisterSurroundings {
  readonly run: RunPluginCode;
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly admitsLine: AdmitsLine;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly services: PluginServices;
  readonly provided: ProvidedServices;
  /** Absolute folder of data, logs and state. */
  readonly home: string;
  readonly readPatterns: ReadPatterns;
  readonly patterns: PatternJudge;
  /** Becomes `context.signal`. */
  readonly signal: AbortSignal;
}

/** The plugin with its contributions, or what is wrong with them. */
export type Registered =
  | { readonly plugin: RegisteredPlugin; readonly problems?: undefined; readonly warnings: readonly string[] }
  | { readonly plugin?: undefined; readonly problems: readonly PluginProblem[]; readonly warnings?: undefined };

/** Reads the plugin's configuration, runs its `register`, and checks all that it contributes against its manifest. */
export async function register(
  folder: string,
  manifest: Manifest,
  definition: PluginDefinition,
  surroundings: RegisterSurroundings,
): Promise<Registered> {
  const run = <T>(code: () => T | Promise<T>) =>
    surroundings.run({ plugin: manifest.id, phase: 'register', timeoutMs: surroundings.timeoutMs }, code);
  const declarations = [
    ...checkDefinition(definition),
    ...checkItemTypes(definition),
    ...checkService(definition),
    ...checkMigrations(definition),
  ];
  if (declarations.length > 0) return { problems: declarations };
  const patterns = await checkPatterns(definition, surroundings.readPatterns, surroundings.patterns);
  if (patterns.problems.length > 0) return { problems: patterns.problems };

  const configured = await readConfig(folder, manifest, definition, surroundings, run);
  if ('problem' in configured) return { problems: [configured.problem] };
  const provided = surroundings.provided.open(manifest);
  const context = createServiceContext(
    { id: manifest.id, version: manifest.version },
    surroundings.logger,
    configured.config,
    {
      ...surroundings.services,
      services: provided.services,
      dataFolder: join(surroundings.home, 'data', manifest.id),
      admitsLine: surroundings.admitsLine,
    },
  );
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
  const problems = [
    ...invalid,
    ...invalidServices,
    ...compareContributions(manifest.contributes, contributionsOf(definition, collected)),
    ...checkUiSlots(manifest, definition),
  ];
  if (problems.length > 0) return { problems };
  const { routes, mounts } = collected;
  const pluginContext = Object.freeze({ ...context, signal: surroundings.signal });
  const plugin = Object.freeze({ manifest, folder, definition, routes, mounts, context: pluginContext });
  return { plugin, warnings: patterns.warnings };
}

type Run = <T>(code: () => T | Promise<T>) => Promise<T>;
type Configured = { readonly config: ServiceContext['config'] } | { readonly problem: PluginProblem };

async function readConfig(
  folder: string,
  manifest: Manifest,
  { config }: PluginDefinition,
  { environment }: RegisterSurroundings,
  run: Run,
): Promise<Configured> {
  if (config === undefined) return { config: {} };
  try {
    const { returned } = await run(() => ({ returned: config(environment) as unknown }));
    if (isSettings(returned)) return { config: returned };
    if (isThenable(returned)) Promise.resolve(returned).catch(() => undefined);
    const what = isThenable(returned) ? 'a promise' : String(returned);
    return {
      problem: createProblem(
        'CONFIG_INVALID',
        `config returned ${what}`,
        'Return an object, without waiting for anything',
      ),
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
      problem: createProblem('CONFIG_INVALID', messageOf(error), 'Correct the environment variable and start again'),
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
    // What became of it does not matter any more, but must not end the process as an unhandled rejection.
    Promise.resolve(returned).catch(() => undefined);
    return createProblem(
      'REGISTER_ASYNC',
      'The register function returned a promise',
      'Make register synchronous; what takes time belongs into start',
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
