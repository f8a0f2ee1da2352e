import { EventEmitter } from 'node:events';
import { createSecretBox } from '@gantry/core-common';
import { createPluginSettings, createSeedOnce, type PluginSettings } from '@gantry/core-lifecycle';
import {
  bringUpToDate,
  createConnectionGroup,
  createDatabase,
  createTypeEvents,
  defaultConnections,
  readConnectionLimit,
  shareConnections,
  type HostDatabase,
  type RunQuery,
  type Sequelize,
} from '@gantry/core-database';
import type { HostMessage, Permission, Quarantine } from '@gantry/contracts';
import type { Database, Logger, Temporal } from '@gantry/plugin-api';
import type { HostConfig } from '../config';
import { createSequelize } from '@gantry/core-database/create-sequelize';
import {
  createBulkWriter,
  type BulkWriter,
  createImageRights,
  type ImageRights,
  createFunctionFailures,
  type FunctionFailures,
  createItemRepository,
  type ItemRepository,
  createItemWriter,
  type ItemWriter,
  type ItemWriterDependencies,
  declaredPatterns,
  createCallingRequests,
  type CallingRequests,
  createConditionTrial,
  linkPlugins,
  type LinkedPlugins,
  type WithDatabase,
} from '@gantry/core-content';
import {
  callsOfModule,
  createPluginMetrics,
  createPolicies,
  type PluginMetrics,
  type Policies,
} from '@gantry/core-http';
import type { Identity } from '@gantry/core-identity';
import { identityOf } from './open-identity';
import { createOutages } from './outages';
import { modules as ofPlatform, permissionsOfModules, schemasOf, type HostModule } from '../modules';
import { accessOf, servicesOf, type OpenedPlugins } from './services-of-plugins';
import { createWriteHooks, type WriteHookOptions } from './write-hooks';
import {
  createPluginRegistry,
  type PluginExecution,
  type PluginSources,
  type PluginRegistry,
  type RouteCalls,
} from '@gantry/core-loader';

export interface ContentOptions {
  readonly config: HostConfig & Pick<PluginSources, 'trial' | 'set'>;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly notifyLauncher: (message: HostMessage) => void;
  readonly execution?: PluginExecution;
  readonly temporal: Temporal;
  /** Those of the platform unless given. */
  readonly modules?: readonly HostModule[];
  /** Whether there is a Temporal that does not answer; not unless given. */
  readonly isTemporalUnavailable?: () => Promise<boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The time that plugins get; that of the machine unless given. */
  readonly now?: () => Date;
  /** Once, unless given. */
  readonly withDatabase?: WithDatabase;
  /** Called when the plugins are loaded, before anything of them is in the database. */
  readonly onLoaded?: (registry: PluginRegistry, database: Database) => Promise<void>;
}

/** The content half of a platform: its plugins, linked, and ways to read and write their items. */
export interface Content {
  readonly registry: PluginRegistry;
  readonly database: HostDatabase;
  readonly differences: LinkedPlugins['differences'];
  /** Rights on items, and so the item types. */
  readonly policies: Policies;
  /** Who may read images. */
  readonly images: ImageRights;
  readonly repository: ItemRepository;
  /** Failures of functions that item types declare. */
  readonly functions: Pick<FunctionFailures, 'list'>;
  readonly writer: ItemWriter;
  /** Calls the listener when something was written and committed. @returns what ends that */
  onCommit(listener: () => void): () => void;
  /** Writes many items in one transaction, for imports. */
  readonly bulk: BulkWriter;
  /** Users, sessions and tokens, and whether requests need them. */
  readonly identity: Identity;
  /** Settings of plugins. */
  readonly settings: PluginSettings;
  /** Metrics of plugins. */
  readonly metrics: PluginMetrics;
  /** Contributions of modules and plugins that are made of their routes. */
  readonly calls: () => readonly RouteCalls[];
  /** On whose behalf code of plugins runs. */
  readonly requests: CallingRequests;
  /** Closes the connections; plugins are stopped before by the registry. */
  close(): Promise<void>;
}

/**
 * Opens the database and what serves items: first the modules, then the plugins, which are loaded and linked. What the host serves
 * over HTTP and what commands do with items both start here.
 * @throws PluginError, SchemaError, GantryError UNAVAILABLE
 */
export async function openContent(options: ContentOptions): Promise<Content> {
  const { withDatabase = (work) => work() } = options;
  const connections = await connect(options, withDatabase);
  const plugins: OpenedPlugins = {};
  let modules: OpenedModules | undefined;
  try {
    modules = await openModules(options, connections, plugins, withDatabase);
    return await openPlugins(options, connections, modules, plugins, withDatabase);
  } catch (error) {
    modules?.identity.close();
    await connections.close();
    throw error;
  }
}

interface Connections {
  readonly database: HostDatabase;
  readonly sequelize: Sequelize;
  readonly requests: CallingRequests;
  close(): Promise<void>;
}

async function connect({ config, logger }: ContentOptions, withDatabase: WithDatabase): Promise<Connections> {
  const { write, ...sizes } = shareConnections(await withDatabase(() => connectionsOf(config)));
  const group = createConnectionGroup();
  const database = createDatabase({ url: config.databaseUrl, logger, sizes, group });
  const sequelize = createSequelize(config.databaseUrl, { size: write, group });
  const requests = createCallingRequests();
  return {
    ...{ database, sequelize, requests },
    async close() {
      requests.close();
      await Promise.all([database.close(), sequelize.close()]);
    },
  };
}

interface OpenedModules {
  readonly identity: Identity;
  /** Of their tables. */
  readonly differences: LinkedPlugins['differences'];
}

/** The modules: their tables, and who uses the platform. A list that is fixed, of which nothing has to be discovered or loaded. */
async function openModules(
  { config, logger, modules = ofPlatform }: ContentOptions,
  { database }: Connections,
  plugins: OpenedPlugins,
  withDatabase: WithDatabase,
): Promise<OpenedModules> {
  const { databaseUrl } = config;
  const permissions = (): readonly Permission[] => [...permissionsOfModules(modules), ...permissionsOf(plugins)];
  const own = { databaseUrl, plugins: schemasOf(modules), logger };
  const { differences } = await withDatabase(() => bringUpToDate(own));
  const identity = await withDatabase(() => identityOf(config, database, logger, permissions));
  return { identity, differences };
}

async function openPlugins(
  options: ContentOptions,
  connections: Connections,
  { identity, differences: ofModules }: OpenedModules,
  opened: OpenedPlugins,
  withDatabase: WithDatabase,
): Promise<Content> {
  const { config, logger, modules = ofPlatform } = options;
  const { database, sequelize, requests } = connections;
  const [metrics, settings] = [createPluginMetrics(), settingsOn(database, options)];
  const registry = registryOf(options, connections, opened, { metrics, settings });
  const declared = modules.map(callsOfModule);
  const calls = () => [...declared, ...registry.registeredPlugins().map((plugin) => plugin.calls)];
  opened.registry = registry;
  opened.calls = calls;
  await registry.loadPlugins();
  await options.onLoaded?.(registry, database.plugins);
  const enter = enterHook(options, requests);
  const linking = {
    owners: schemasOf(modules),
    databaseUrl: config.databaseUrl,
    logger,
    withDatabase,
    registry,
    sequelize,
  };
  const { types, differences } = await registry.link(() => linkPlugins({ ...linking, enter }));
  registry.assertRequired();
  const policies = createPolicies(types, createConditionTrial(queryOn(database)));
  const functions = createFunctionFailures(logger);
  const repository = createItemRepository(database, { enter, failures: functions });
  const writing = { sequelize, types, repository, logger, enter, plugins: registry.registeredPlugins() };
  const { writer, bulk, onCommit } = openWriters(writing, database);
  opened.policies = policies;
  opened.access = { repository, writer, ...accessOf(policies, identity) };
  await withDatabase(() => settings.load(registry.registeredPlugins()));
  return {
    ...{
      database,
      repository,
      functions,
      registry,
      policies,
      writer,
      bulk,
      identity,
      requests,
      metrics,
      settings,
      onCommit,
      calls,
    },
    images: createImageRights(database, types),
    differences: [...ofModules, ...differences],
    async close() {
      identity.close();
      await connections.close();
    },
  };
}

function registryOf(
  options: ContentOptions,
  { database, requests }: Connections,
  opened: OpenedPlugins,
  services: Pick<Content, 'metrics' | 'settings'>,
): PluginRegistry {
  return createPluginRegistry({
    ...options,
    ...storedEvents(database),
    readPatterns: declaredPatterns,
    services: servicesOf(options, database, opened, { requests, ...services }),
    isWaiting: createOutages(database, options),
  });
}

/** Events and seed data that a plugin has had are known to all hosts. */
function storedEvents({ plugins }: HostDatabase) {
  return { deliverTypeEvents: createTypeEvents(plugins).deliver, seedOnce: createSeedOnce(plugins) };
}

function settingsOn(database: HostDatabase, { config, logger }: ContentOptions): PluginSettings {
  return createPluginSettings(database.plugins, createSecretBox(config.home, config.secretKey), logger);
}

function queryOn(database: HostDatabase): RunQuery {
  return (statement) => database.query(statement);
}

function openWriters(
  { enter, plugins, ...parts }: Omit<ItemWriterDependencies, 'query'> & Omit<WriteHookOptions, 'isServed'>,
  database: HostDatabase,
): Pick<Content, 'writer' | 'bulk' | 'onCommit'> {
  const { sequelize, types, logger } = parts;
  const hooks = createWriteHooks({ plugins, isServed: types.isServed, enter, logger });
  const commits = new EventEmitter();
  // One for each of what follows the feed.
  commits.setMaxListeners(0);
  const notify = (): void => void commits.emit('commit');
  const query = queryOn(database);
  return {
    writer: createItemWriter({ ...parts, hooks, query, notify }),
    bulk: createBulkWriter(sequelize, hooks, notify),
    onCommit(listener) {
      commits.on('commit', listener);
      return () => void commits.off('commit', listener);
    },
  };
}

/** A hook does the same for every write, also for one of a request: it acts as its plugin, not as the caller. */
function enterHook({ execution }: ContentOptions, requests: CallingRequests): PluginExecution['enter'] {
  return (plugin, code) => requests.leave(() => (execution === undefined ? code() : execution.enter(plugin, code)));
}

async function connectionsOf({ databaseConnections, databaseUrl }: HostConfig): Promise<number> {
  return databaseConnections ?? defaultConnections(await readConnectionLimit(databaseUrl));
}

function permissionsOf({ registry }: OpenedPlugins): readonly Permission[] {
  const plugins = registry?.registeredPlugins() ?? [];
  return plugins.flatMap(({ manifest }) => manifest.contributes.permissions ?? []);
}
