import type { HostMessage, Quarantine } from '@gantry/contracts';
import type { Logger, Platform, Temporal } from '@gantry/plugin-api';
import type { HostConfig } from './config';
import { createConnectionGroup } from './database/connection-group';
import { readConnectionLimit } from './database/connection-limit';
import { defaultConnections, shareConnections } from './database/connection-shares';
import { createDatabase, type HostDatabase } from './database/create-database';
import { createSequelize } from './database/create-sequelize';
import { createOpenAccess, type Access } from './items/access';
import { createBulkWriter, type BulkWriter } from './items/bulk-writer';
import { createItemRepository, type ItemRepository } from './items/item-repository';
import type { ItemTypes } from './items/item-types';
import { itemMetadata, modelInfo } from './items/metadata';
import { createItemWriter, type ItemWriter } from './items/item-writer';
import { linkPlugins, type LinkedPlugins, type WithDatabase } from './link-plugins';
import { createPluginRegistry, type PluginExecution, type PluginPlaces, type PluginRegistry } from './plugins';

export interface ContentOptions {
  readonly config: HostConfig & Pick<PluginPlaces, 'trial'>;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly tell: (message: HostMessage) => void;
  readonly execution?: PluginExecution;
  readonly temporal: Temporal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Once, unless given. */
  readonly withDatabase?: WithDatabase;
}

/** The content half of a platform: its plugins, linked, and ways to read and write their items. */
export interface Content {
  readonly registry: PluginRegistry;
  readonly database: HostDatabase;
  readonly types: ItemTypes;
  readonly differences: LinkedPlugins['differences'];
  readonly access: Access;
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  /** Writes many items in one transaction, for imports. */
  readonly bulk: BulkWriter;
  /** Closes the connections; plugins are stopped before by the registry. */
  close(): Promise<void>;
}

/**
 * Loads and links the plugins and opens the database. What the host serves over HTTP and what commands do with items
 * both start here.
 * @throws PluginError, SchemaError, GantryError UNAVAILABLE
 */
export async function openContent(options: ContentOptions): Promise<Content> {
  const { config, logger, withDatabase = (work) => work() } = options;
  const connections = config.databaseConnections ?? (await withDatabase(() => connectionsFor(config.databaseUrl)));
  const { write, ...sizes } = shareConnections(connections);
  const group = createConnectionGroup();
  const database = createDatabase({ url: config.databaseUrl, logger, sizes, group });
  const sequelize = createSequelize(config.databaseUrl, { size: write, group });
  const close = async (): Promise<void> => {
    await Promise.all([database.close(), sequelize.close()]);
  };
  let access: Access | undefined;
  try {
    const registry: PluginRegistry = createPluginRegistry({
      ...options,
      services: {
        database: database.plugins,
        temporal: options.temporal,
        platform: { pluginUis: () => registry.uis(), ...describeTypes(() => access) },
        now: () => new Date(),
      },
    });
    await registry.loadAll();
    const linked = await registry.link(() =>
      linkPlugins({
        registry,
        sequelize,
        databaseUrl: config.databaseUrl,
        logger,
        withDatabase,
      }),
    );
    registry.assertRequired();
    access = createOpenAccess(linked.types, (plugin) => registry.served(plugin) === 'served');
    const repository = createItemRepository(database, linked.types, access.visibleFields);
    const writer = createItemWriter({
      sequelize,
      repository,
      types: linked.types,
      query: (statement) => database.query(statement),
    });
    return { registry, database, ...linked, access, repository, writer, bulk: createBulkWriter(sequelize), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connectionsFor(url: string): Promise<number> {
  return defaultConnections(await readConnectionLimit(url));
}

/** @param access undefined until the plugins are linked, which may ask before */
function describeTypes(access: () => Access | undefined): Pick<Platform, 'itemTypes' | 'itemMetadata'> {
  return {
    itemTypes: () => access()?.visibleTypes().map(modelInfo) ?? [],
    itemMetadata(code) {
      const known = access();
      const type = known?.visibleTypes().find((one) => one.code === code);
      return known === undefined || type === undefined ? undefined : itemMetadata(type, known);
    },
  };
}
