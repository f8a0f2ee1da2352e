import { join } from 'node:path';
import {
  answerRestore as restored,
  purgePlugin as purge,
  readPluginSurvey as survey,
  type PluginSurvey,
  type PurgeOptions,
} from '@gantry/core-database';
import {
  checkPlugins as check,
  syncForCommand as sync,
  type CheckOptions,
  type CheckTarget,
  type PluginsCheck,
  type SyncForCommandOptions,
} from '@gantry/core-lifecycle';
import { createStderrLogger } from './common/logger';
import {
  compileForCommand,
  withoutTemporal,
  type CompiledPlugins,
  type CompileOptions,
} from './composition/compile-for-command';
import { openContent, type Content, type ContentOptions } from './composition/open-content';
import { modules, platformSchemas } from './modules';
import { compileRoutes } from '@gantry/core-http';
import type { CompiledRoute } from '@gantry/core-loader';

/** The file of the process in which code of plugins is tried out, seen from the sources as well as from the build. */
export const checkProgram = join(__dirname, '..', 'dist', 'check-process.js');

export type CommandOptions = Omit<CompileOptions, 'platform'> & Pick<ContentOptions, 'config'>;

/** The same as that of the lifecycle, with the process of this host. */
export function checkPlugins(
  options: Omit<CheckOptions, 'program'>,
  targets: readonly CheckTarget[],
): Promise<PluginsCheck> {
  return check({ ...options, program: checkProgram }, targets);
}

/** Loads the plugins and compiles their item types; connects to nothing and changes nothing. */
export function compilePluginsForCommand(options: CommandOptions): Promise<CompiledPlugins> {
  return compileForCommand({ ...options, platform: platformSchemas });
}

/** The routes of the platform with their schemas made ready, as documents describe them. */
export function compiledRoutes(): readonly CompiledRoute[] {
  return compileRoutes(modules);
}

/** The content for a command: plugins are loaded and linked, the schema is brought up to date, and no plugin is started. */
export function openContentForCommand(options: CommandOptions): Promise<Content> {
  return openContent({ ...options, quarantines: [], temporal: withoutTemporal });
}

/** Brings home and database together for a command while no platform runs on the home. */
export function syncForCommand(options: Omit<SyncForCommandOptions, 'logger'>): Promise<boolean> {
  return sync({ ...options, logger: createStderrLogger('silent') });
}

/** Reads the tables and rows of a plugin in a database. @throws GantryError UNAVAILABLE */
export function readPluginSurvey(options: Pick<PurgeOptions, 'databaseUrl' | 'plugin'>): Promise<PluginSurvey> {
  return survey({ ...options, owners: platformSchemas });
}

/**
 * Deletes all that the platform stores of a plugin, in one transaction.
 * @returns what there was
 * @throws GantryError CONFLICT while a host runs it, or items that stay refer to its items
 */
export function purgePlugin(options: Omit<PurgeOptions, 'owners'>): Promise<PluginSurvey> {
  return purge({ ...options, owners: platformSchemas });
}

/** Lets the owners of tables answer a restore, in its transaction. */
export function answerRestore(client: Parameters<typeof restored>[0]): Promise<void> {
  return restored(client, platformSchemas);
}
