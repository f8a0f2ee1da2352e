import { unlessAborted } from '@gantry/core-common';
import {
  compilePluginsForCommand,
  createStderrLogger,
  openContentForCommand,
  type CommandOptions,
  type CompiledItemType,
  type CompiledPlugins,
  type Content,
  type HostConfig,
} from '@gantry/host';
import type { CommandContext } from './command-context';
import { nearest } from '../common/nearest';
import { startPluginWatchdog } from './plugin-watchdog';
import { withDatabase } from './with-database';
import { withRemedy } from '../common/with-remedy';

export interface OpenedContent {
  readonly content: Content;
  readonly config: HostConfig;
}

/**
 * Runs work with the content of the home: on the database of the running platform, of DATABASE_URL, or on the embedded one,
 * which is started for as long as it takes.
 */
export async function withContent<T>(
  context: CommandContext,
  purpose: string,
  signal: AbortSignal,
  work: (opened: OpenedContent) => Promise<T>,
): Promise<T> {
  return withDatabase(context, purpose, signal, async (config) => {
    const content = await unlessAborted(watched(context, config, openContentForCommand), signal);
    try {
      reportUnusable(context, content.registry);
      return await work({ content, config });
    } finally {
      await content.close();
    }
  });
}

/**
 * Runs work with the plugins loaded and their types compiled, without a database.
 * @param signal Ends also work that takes none itself
 */
export async function withPlugins<T>(
  context: CommandContext,
  config: HostConfig,
  work: (plugins: CompiledPlugins) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const plugins = await unlessAborted(watched(context, config, compilePluginsForCommand), signal);
  try {
    return await unlessAborted(work(plugins), signal);
  } finally {
    await plugins.close();
  }
}

/** @throws Error that names what was probably meant, or why the plugin that has the type cannot be used */
export function findType({ content, config }: OpenedContent, code: string): CompiledItemType {
  const found = content.policies.open.types.find(code);
  if (found !== undefined) return found;
  for (const { id, contributes, problems } of content.registry.reports()) {
    const [problem] = problems;
    if (!contributes.itemTypes.includes(code) || problem === undefined) continue;
    throw withRemedy(`The plugin ${id}, which has the type ${code}, cannot be used: ${problem.reason}`, problem.remedy);
  }
  throw unknownType(
    code,
    content.policies.open.types.all.map(({ descriptor }) => descriptor.code),
    config,
  );
}

export function unknownType(code: string, known: readonly string[], config: HostConfig): Error {
  if (known.length === 0) {
    return withRemedy(
      `There is no item type ${code}: no plugin was found in ${config.pluginPath.join(', ')}.`,
      'Run the command in the folder of the project, or name the folder in GANTRY_PROJECT.',
    );
  }
  const meant = nearest(code, known);
  return withRemedy(
    `There is no item type ${code}.`,
    meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean ${meant}?`,
  );
}

export function reportUnusable({ terminal }: CommandContext, registry: Content['registry']): void {
  for (const { id, problems } of registry.reports()) {
    const [problem] = problems;
    if (problem !== undefined && problem.code !== 'PLUGIN_DISABLED') {
      terminal.note(`The plugin ${id} is not in use: ${problem.reason}`);
    }
  }
}

/** Opens something that runs plugin code. */
async function watched<T>(
  { environment, verbose }: CommandContext,
  config: HostConfig,
  open: (options: CommandOptions) => Promise<T>,
): Promise<T> {
  keepResultsApart();
  const { notifyLauncher, stop } = startPluginWatchdog();
  try {
    return await open({
      config,
      environment,
      notifyLauncher,
      logger: createStderrLogger(verbose ? 'debug' : 'silent'),
    });
  } finally {
    stop();
  }
}

/** Plugins may print while they are loaded; standard output is for the result. */
function keepResultsApart(): void {
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
}
