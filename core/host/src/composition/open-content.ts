import { EventEmitter } from 'node:events';
import { createSecretBox } from '@gantry/core-common';
import { createPluginSettings, createSeedOnce, type PluginSettings } from '@gantry/core-lifecycle';
import {
  createConnectionGroup,
  createDatabase,
  createTypeEvents,
  defaultConnections,
  readConnectionLimit,
  shareConnections,
  type HostDatabase,
  type RunQuery,
} from '@gantry/core-database';
import type { HostMessage, Permission, Quarantine } from '@gantry/contracts';
import type { Caller, Database, Logger, Platform, Temporal } from '@gantry/plugin-api';
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
  itemMetadata,
  modelInfo,
  createItemWriter,
  type ItemWriter,
  type ItemWriterDependencies,
  type Policy,
  type Scope,
  declaredPatterns,
  createCallingRequests,
  type CallingRequests,
  createItemStore,
  type ItemAccess,
  createConditionTrial,
  linkPlugins,
  type LinkedPlugins,
  type WithDatabase,
} from '@gantry/core-content';
import {
  createPluginMetrics,
  createPolicies,
  principalOfCaller,
  scopeOfPrincipal,
  type PluginMetrics,
  type Policies,
} from '@gantry/core-http';
import type { Identity } from '@gantry/core-identity';
import { identityOf } from './open-identity';
import { createOutages } from './outages';
import { platformPermissions, platformSchemas } from '../modules';
import { createWriteHooks, type WriteHookOptions } from './write-hooks';
import {
  createPluginRegistry,
  type PluginExecution,
  type PluginSources,
  type PluginRegistry,
} from '@gantry/core-loader';

export interface ContentOptions {
  readonly config: HostConfig & Pick<PluginSources, 'trial' | 'set'>;
  readonly logger: Logger;
  readonly quarantines: readonly Quarantine[];
  readonly notifyLauncher: (message: HostMessage) => void;
  readonly execution?: PluginExecution;
  readonly temporal: Temporal;
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
  /** On whose behalf code of plugins runs. */
  readonly requests: CallingRequests;
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
  const { write, ...sizes } = shareConnections(await withDatabase(() => connectionsOf(config)));
  const group = createConnectionGroup();
  const database = createDatabase({ url: config.databaseUrl, logger, sizes, group });
  const sequelize = createSequelize(config.databaseUrl, { size: write, group });
  const requests = createCallingRequests();
  const [metrics, settings] = [createPluginMetrics(), settingsOn(database, options)];
  const close = async (): Promise<void> => {
    requests.close();
    await Promise.all([database.close(), sequelize.close()]);
  };
  let items: ItemAccess | undefined;
  let policies: Policies | undefined;
  try {
    const registry: PluginRegistry = createPluginRegistry({
      ...options,
      readPatterns: declaredPatterns,
      services: {
        items: ({ id, systemScope }) => createItemStore({ plugin: id, systemScope, access: () => items, requests }),
        database: database.plugins,
        temporal: options.temporal,
        platform: {
          pluginIds: () => registry.reports().map(({ id }) => id),
          pluginUis: () => registry.uis(),
          ...describeTypes((caller) => policies && policyFor(policies, caller)),
        },
        metrics: metrics.open,
        settings: settings.open,
        now: options.now ?? (() => new Date()),
      },
      ...storedEvents(database),
      isWaiting: createOutages(database, options),
    });
    await registry.loadPlugins();
    await options.onLoaded?.(registry, database.plugins);
    const enter = enterHook(options, requests);
    const given = { platform: platformSchemas, databaseUrl: config.databaseUrl, logger, withDatabase };
    const linked = await registry.link(() => linkPlugins({ ...given, registry, sequelize, enter }));
    registry.assertRequired();
    policies = createPolicies(linked.types, createConditionTrial(queryOn(database)));
    const functions = createFunctionFailures(logger);
    const repository = createItemRepository(database, { enter, failures: functions });
    const { types, differences } = linked;
    const writing = { sequelize, types, repository, logger, enter, plugins: registry.registeredPlugins() };
    const { writer, bulk, onCommit } = openWriters(writing, database);
    const identity = await withDatabase(() => identityOf(config, database, logger, () => permissionsOf(registry)));
    items = { repository, writer, ...accessOf(policies, identity) };
    await withDatabase(() => settings.load(registry.registeredPlugins()));
    const images = createImageRights(database, types);
    const closeAll = async (): Promise<void> => {
      identity.close();
      await close();
    };
    const made = { registry, differences, policies, writer, bulk, identity, requests, metrics, settings, onCommit };
    return { ...{ database, repository, functions, images }, ...made, close: closeAll };
  } catch (error) {
    await close();
    throw error;
  }
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

function accessOf(policies: Policies, { audit }: Identity): Omit<ItemAccess, 'repository' | 'writer'> {
  return {
    policy: policies.open,
    scopeOf: scopeOfCaller(policies),
    recordSystemScope({ plugin, route, reason }) {
      const entry = { actor: `plugin:${plugin}`, action: 'system-scope-used', subject: route, address: '' };
      void audit.recordSystemScope({ ...entry, detail: { reason } });
    },
  };
}

async function connectionsOf({ databaseConnections, databaseUrl }: HostConfig): Promise<number> {
  return databaseConnections ?? defaultConnections(await readConnectionLimit(databaseUrl));
}

function permissionsOf(registry: PluginRegistry): readonly Permission[] {
  const ofPlugins = registry.registeredPlugins().flatMap(({ manifest }) => manifest.contributes.permissions ?? []);
  return [...platformPermissions, ...ofPlugins];
}

/** Without a caller, the open one. A caller that the host has not made has no rights. */
function policyFor(policies: Policies, caller: Caller | undefined): Policy | undefined {
  return caller === undefined ? policies.open : scopeOfCaller(policies)(caller)?.policy;
}

function scopeOfCaller(policies: Policies): (caller: Caller) => Scope | undefined {
  return (caller) => {
    const principal = principalOfCaller(caller);
    return principal && scopeOfPrincipal(policies, principal, 'none');
  };
}

/** The policy of the caller; the open one without a caller; undefined until the plugins are linked, which may ask before. */
type PolicyOf = (caller?: Caller) => Policy | undefined;

export function describeTypes(policyOf: PolicyOf): Pick<Platform, 'itemTypes' | 'itemMetadata'> {
  return {
    itemTypes: (caller) =>
      policyOf(caller)
        ?.types.served()
        .map(({ descriptor }) => modelInfo(descriptor)) ?? [],
    itemMetadata(code, caller) {
      const type = policyOf(caller)?.types.findServed(code);
      return type && itemMetadata(type.descriptor);
    },
  };
}
