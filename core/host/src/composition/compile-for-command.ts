import type { TrialOptions, TriedPlugins } from '@gantry/core-lifecycle/check-process';
import { GantryError, type Temporal } from '@gantry/plugin-api';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import { createDatabase, type PluginSchema } from '@gantry/core-database';
import { createItemTypes, type ItemTypes, declaredPatterns, createItemStore, linkModels } from '@gantry/core-content';
import { createPluginRegistry } from '@gantry/core-loader';

export interface CompileOptions extends TrialOptions {
  /** The tables of the platform itself. */
  readonly platform: readonly PluginSchema[];
}

/** The plugins with their item types and schemas, without the database. */
export interface CompiledPlugins extends TriedPlugins {
  readonly types: ItemTypes;
  close(): Promise<void>;
}

/**
 * Loads the plugins and compiles their item types; connects to nothing and changes nothing.
 * @throws PluginError PLUGIN_STATE_DAMAGED
 */
export async function compileForCommand(options: CompileOptions): Promise<CompiledPlugins> {
  const { config, logger } = options;
  const database = createDatabase({ url: config.databaseUrl, logger });
  const sequelize = createSequelize(config.databaseUrl);
  const registry = createPluginRegistry({
    ...options,
    quarantines: options.quarantines ?? [],
    readPatterns: declaredPatterns,
    services: {
      items: ({ id, systemScope }) => createItemStore({ plugin: id, systemScope, access: () => undefined }),
      database: database.plugins,
      temporal: withoutTemporal,
      platform: {
        pluginIds: () => [],
        pluginUis: () => Promise.resolve([]),
        views: () => ({ homeCards: [], tablePages: [] }),
        itemTypes: () => [],
        itemMetadata: () => undefined,
      },
      now: () => new Date(),
    },
  });
  await registry.loadPlugins();
  const { types, schemas } = await registry.link(() => Promise.resolve(linkModels({ registry, sequelize })));
  return {
    registry,
    types: createItemTypes(types),
    schemas: [...options.platform, ...schemas],
    close: async () => void (await Promise.all([database.close(), sequelize.close()])),
  };
}

/** The Temporal of plugins while a command runs. */
export const withoutTemporal: Temporal = {
  namespace: 'default',
  client: () => Promise.reject(new GantryError('UNAVAILABLE', 'Temporal is not connected while a command runs.')),
};
