import type { HostMessage, Quarantine } from '@gantry/contracts';
import type { Logger, Platform, Temporal } from '@gantry/plugin-api';
import type { HostConfig } from '../config';
import { createConnectionGroup } from '../database/connection-group';
import { readConnectionLimit } from '../database/connection-limit';
import { defaultConnections, shareConnections } from '../database/connection-shares';
import { createDatabase, type HostDatabase } from '../database/create-database';
import { createSequelize } from '../database/create-sequelize';
import { createBulkWriter, type BulkWriter } from '../content/write/bulk/bulk-writer';
import { createItemRepository, type ItemRepository } from '../content/read/item-repository';
import { itemMetadata, modelInfo } from '../content/read/metadata';
import { createItemWriter, type ItemWriter } from '../content/write/item-writer';
import { createOpenPolicy } from '../content/policy/open-policy';
import type { Policy } from '../content/policy/policy';
import { declaredPatterns } from '../content/compile/declared-patterns';
import { createItemStore, type ItemAccess } from '../content/plugin-items/create-item-store';
import type { Identity } from '../identity';
import { identityOf } from './open-identity';
import { linkPlugins, type LinkedPlugins, type WithDatabase } from './link-plugins';
import { createPluginRegistry, type PluginExecution, type PluginSources, type PluginRegistry } from '../plugins';

export interface ContentOptions {
  readonly config: HostConfig & Pick<PluginSources, 'trial'>;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly notifyLauncher: (message: HostMessage) => void;
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
  readonly differences: LinkedPlugins['differences'];
  /** What may be seen and changed, and so the item types. */
  readonly policy: Policy;
  readonly repository: ItemRepository;
  readonly writer: ItemWriter;
  /** Writes many items in one transaction, for imports. */
  readonly bulk: BulkWriter;
  /** Users, sessions and tokens, and whether requests need them. */
  readonly identity: Identity;
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
  let items: ItemAccess | undefined;
  try {
    const registry: PluginRegistry = createPluginRegistry({
      ...options,
      readPatterns: declaredPatterns,
      services: {
        items: (plugin) => createItemStore(plugin, () => items, options.execution?.interruptSlice),
        database: database.plugins,
        temporal: options.temporal,
        platform: { pluginUis: () => registry.uis(), ...describeTypes(() => items?.policy) },
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
        enter: options.execution?.enter,
        withDatabase,
      }),
    );
    registry.assertRequired();
    const policy = createOpenPolicy(linked.types);
    const repository = createItemRepository(database);
    const writer = createItemWriter({
      sequelize,
      repository,
      query: (statement) => database.query(statement),
    });
    items = { policy, repository, writer };
    const identity = await withDatabase(() => identityOf(config, database, logger));
    const { differences } = linked;
    const bulk = createBulkWriter(sequelize);
    const closeAll = async (): Promise<void> => {
      identity.close();
      await close();
    };
    return { registry, database, differences, policy, repository, writer, bulk, identity, close: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connectionsFor(url: string): Promise<number> {
  return defaultConnections(await readConnectionLimit(url));
}

/** @param policyOf undefined until the plugins are linked, which may ask before */
export function describeTypes(policyOf: () => Policy | undefined): Pick<Platform, 'itemTypes' | 'itemMetadata'> {
  return {
    itemTypes: () =>
      policyOf()
        ?.types.served()
        .map(({ descriptor }) => modelInfo(descriptor)) ?? [],
    itemMetadata(code) {
      const types = policyOf()?.types;
      const type = types?.find(code)?.descriptor;
      return type !== undefined && types?.isServed(type.plugin) ? itemMetadata(type) : undefined;
    },
  };
}
