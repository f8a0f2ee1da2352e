import type { HostMessage, Quarantine } from '@gantry/contracts';
import { GantryError, type Logger, type Temporal } from '@gantry/plugin-api';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import { createDatabase, type PluginSchema } from '@gantry/core-database';
import { createItemTypes, type ItemTypes, declaredPatterns, createItemStore, linkModels } from '@gantry/core-content';
import {
  createPluginRegistry,
  type PluginRegistry,
  type PluginRegistryOptions,
  type PluginSources,
} from '@gantry/core-loader';

export interface CompileOptions extends Pick<PluginRegistryOptions, 'environmentOf' | 'execution'> {
  readonly config: PluginSources & { readonly databaseUrl: string };
  /** The tables of the platform itself. */
  readonly platform: readonly PluginSchema[];
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called before and after plugin code runs. */
  readonly notifyLauncher: (message: HostMessage) => void;
  /** Plugins whose code does not run. */
  readonly quarantines?: readonly Quarantine[];
}

/** The plugins with their item types and schemas, without the database. */
export interface CompiledPlugins {
  readonly registry: PluginRegistry;
  readonly types: ItemTypes;
  /** The tables and migrations that the plugins want. */
  readonly schemas: readonly PluginSchema[];
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
