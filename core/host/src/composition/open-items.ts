import type { ItemStore, Logger, PluginDefinition } from '@gantry/plugin-api';
import { bringUpToDate, createDatabase, type HostDatabase } from '@gantry/core-database';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import {
  createItemRepository,
  createItemTypes,
  createItemWriter,
  createItemStore,
  createOpenPolicy,
  linkModels,
  type LinkedModels,
  type LinkRegistry,
} from '@gantry/core-content';

export interface OpenItemsOptions {
  readonly databaseUrl: string;
  readonly logger: Logger;
  /** The result of {@link linkDefinitions}. */
  readonly linked: LinkedModels;
}

/** The items of plugins on one database. */
export interface OpenItems {
  readonly database: HostDatabase;
  /** The `items` of the plugin of that id. */
  of(plugin: string): ItemStore;
  close(): Promise<void>;
}

/**
 * Compiles the item types of plugins that are given without their packages, for tests of what they do with items. Once for each
 * class: its columns are added to it.
 */
export function linkDefinitions(definitions: readonly PluginDefinition[]): LinkedModels {
  // Connects when it is first used, which linking does not.
  return linkModels({ registry: registryOf(definitions), sequelize: createSequelize('postgres://127.0.0.1:1/none') });
}

/** Brings a database up to date for such plugins and opens their items. Their classes work on one database at a time. */
export async function openItems({ databaseUrl, logger, linked }: OpenItemsOptions): Promise<OpenItems> {
  const { failures } = await bringUpToDate({ databaseUrl, plugins: linked.schemas, logger });
  if (failures.length > 0) throw new Error(`The tables could not be created: ${JSON.stringify(failures)}`);
  const database = createDatabase({ url: databaseUrl, logger });
  const sequelize = createSequelize(databaseUrl);
  sequelize.addModels(linked.types.map(({ model }) => model));
  const repository = createItemRepository(database);
  const types = createItemTypes(linked.types);
  const writer = createItemWriter({ sequelize, types, repository, query: (statement) => database.query(statement) });
  const policy = createOpenPolicy(types);
  return {
    database,
    of: (plugin) => createItemStore({ plugin, systemScope: 'A test', access: () => ({ policy, repository, writer }) }),
    close: async () => void (await Promise.all([database.close(), sequelize.close()])),
  };
}

function registryOf(definitions: readonly PluginDefinition[]): LinkRegistry {
  const plugins = definitions.map((definition) => ({
    manifest: {
      id: definition.id,
      displayName: definition.id,
      packageName: definition.id,
      version: '0.0.0',
      main: './index.js',
      pluginApiRange: '*',
      // Each may name the types of the others.
      dependsOn: Object.fromEntries(definitions.map(({ id }) => [id, '*'])),
      optionalDependsOn: {},
      contributes: { itemTypes: [], taskQueues: [], routes: [] },
      required: false,
    },
    definition,
    folder: '',
    routes: [],
    mounts: [],
    calls: { commands: [], homeCards: [], tablePages: [] },
    context: undefined as never,
  }));
  return {
    registeredPlugins: () => plugins,
    fail: (plugin, _phase, problem) => {
      throw new Error(`${plugin}: ${JSON.stringify(problem)}`);
    },
  };
}
