import type { Logger, Migration } from '@gantry/plugin-api';
import { Client, type ClientConfig } from 'pg';
import { connectionSettings } from '../connections/connection-settings';
import { reasonOf, sqlStateOf, translateUnavailable } from '../database-errors';
import { raiseEpochAfterMove } from '../changes/change-epoch';
import { createPartitions } from '../changes/change-partitions';
import { fillSearch } from '../search/fill-search';
import { migratingSetting } from '../search/search-tables';
import { tableExists } from '../table-exists';
import { withClient } from '../connections/with-client';
import { eventsOf } from '../events/own-events';
import type { TableEvents, WithEvents } from '../events/table-events';
import type { TableSpec } from '../table-spec';
import { applyPlan, type AppliedPlan, type ApplyOptions } from './apply-plan';
import { findLeftTables, type LeftTable } from './inspect/left-tables';
import { planWithExtension, planWithRenames } from './plan/plan-now';
import {
  createMigrationTable,
  pendingMigrations,
  readExecuted,
  runMigrations,
  type MigrationName,
  type PluginMigrations,
} from './plugin-migrations';
import { findNewerSchemas, readPluginRecords, recordChange, writePluginRecords } from './plugin-records';
import { applyRenames } from './renames/apply-renames';
import { SchemaError } from './schema-error';
import { takeSchemaLock } from './schema-lock';
import { platform, type FieldRename, type SchemaFailure, type SchemaPlan, type SchemaStep } from './plan/schema-plan';

/** Tables and migrations of a plugin. Plugins come in the order of their dependencies. */
export interface PluginSchema {
  readonly id: string;
  /** Undefined for the platform itself. */
  readonly version?: string;
  readonly migrations: readonly Migration[];
  readonly tables: readonly TableSpec[];
  /** Changes rows of these tables when types that they name are renamed or purged. */
  readonly events?: TableEvents;
}

export interface SchemaOptions {
  readonly databaseUrl: string;
  readonly plugins: readonly PluginSchema[];
  /** Owners of tables that name item types, besides these plugins. */
  readonly owners?: readonly WithEvents[];
  readonly logger: Logger;
  /** Milliseconds to wait for another host that is at it; 120 s unless given. */
  readonly lockTimeoutMs?: number;
  /** Milliseconds for each migration; 10 min unless given. */
  readonly migrationTimeoutMs?: number;
  /** Milliseconds that a change waits for a table that others use; 15 s unless given. */
  readonly tableTimeoutMs?: number;
}

/** Steps that ran, differences that stay, and failures. A plugin with a failure cannot be linked; the others can. */
export interface SchemaOutcome extends Pick<SchemaPlan, 'differences' | 'failures' | 'kept' | 'leftFields'> {
  readonly migrations: readonly MigrationName[];
  readonly applied: readonly SchemaStep[];
}

/** Migrations and steps that would run. */
export interface SchemaPreview extends SchemaPlan {
  /** They run before the steps, and may make other steps necessary. */
  readonly pendingMigrations: readonly MigrationName[];
  readonly fieldRenames: readonly FieldRename[];
  /** Of types and fields that the plugins do not declare any more. */
  readonly leftTables: readonly LeftTable[];
}

/**
 * Runs the pending migrations of all plugins, then adds what their models want and the database lacks. Under one lock,
 * so that several hosts may start at once. One plugin's failure never keeps the others from being done.
 * @throws SchemaError when another host holds the lock too long, or the user may not even look
 * @throws GantryError `UNAVAILABLE` when the database is unavailable
 */
export async function bringUpToDate(options: SchemaOptions): Promise<SchemaOutcome> {
  return onConnection(options, async (client) => {
    await takeSchemaLock(client, options.lockTimeoutMs ?? 120_000);
    const records = await readPluginRecords(client);
    const newer = findNewerSchemas(options.plugins, records, await readExecuted(client));
    const failed = new Set(newer.map((failure) => failure.plugin));
    const plugins = options.plugins.filter(({ id }) => !failed.has(id));
    const migrated = await migrateAll(client, { ...options, plugins });
    for (const { plugin } of migrated.failures) failed.add(plugin);
    const applying = { logger: options.logger, tableTimeoutMs: options.tableTimeoutMs ?? 15_000 };
    const versions = new Map(plugins.map((plugin) => [plugin.id, plugin]));
    const renamed = await applyRenames(client, tablesOf(plugins, failed), {
      ...{ ...applying, versions },
      events: eventsOf([...(options.owners ?? []), ...plugins]),
    });
    for (const { plugin } of renamed.failures) failed.add(plugin);
    const wanted = tablesOf(plugins, failed);
    const tables = await applyTables(client, wanted, applying);
    assertPlatform(tables.failures);
    for (const { plugin } of tables.failures) failed.add(plugin);
    const ready = wanted.filter((table) => !failed.has(table.plugin));
    const hasFeed = ready.some(({ plugin, changes }) => plugin === platform || changes !== undefined);
    if (hasFeed) await prepareFeed(client, options.logger);
    const notFilled = await fillSearch(client, ready, applying);
    const rows = tables.rows.filter((step) => !failed.has(step.plugin));
    const added = await applyPlan(client, rows, applying);
    for (const { plugin } of added.failures) failed.add(plugin);
    const usable = plugins.filter(({ id }) => !failed.has(id));
    await writePluginRecords(client, usable, records);
    return {
      migrations: migrated.applied,
      applied: [...renamed.applied, ...tables.applied, ...added.applied],
      differences: tables.differences,
      failures: [
        ...[...newer, ...migrated.failures, ...renamed.failures],
        ...[...tables.failures, ...notFilled, ...added.failures],
      ],
      kept: tables.kept,
      leftFields: tables.leftFields,
    };
  });
}

interface AppliedTables extends AppliedPlan, Pick<SchemaPlan, 'differences' | 'kept' | 'leftFields'> {
  /** Steps that are for later. */
  readonly rows: readonly SchemaStep[];
}

/** Triggers that wait for extra columns are planned again without those that could not be added. */
async function applyTables(
  client: Client,
  wanted: readonly TableSpec[],
  applying: ApplyOptions,
): Promise<AppliedTables> {
  const { plan, applied: prepared } = await planWithExtension(client, wanted);
  const done = await applyPlan(client, plan.steps.filter(isOfTables), applying);
  const applied = [...prepared, ...done.applied];
  const failures = [...plan.failures, ...done.failures];
  const lost = new Set(done.failures.map(({ plugin }) => plugin));
  if (!plan.steps.some((step) => step.kind === 'changes' && step.needs?.some((plugin) => lost.has(plugin)) === true)) {
    return { ...plan, applied, failures, rows: plan.steps.filter((step) => !isOfTables(step)) };
  }
  const rest = await applyTables(
    client,
    wanted.filter(({ plugin }) => !lost.has(plugin)),
    applying,
  );
  return { ...rest, applied: [...applied, ...rest.applied], failures: [...failures, ...rest.failures] };
}

function tablesOf(plugins: readonly PluginSchema[], failed: ReadonlySet<string>): readonly TableSpec[] {
  return plugins.filter((plugin) => !failed.has(plugin.id)).flatMap((plugin) => plugin.tables);
}

/** Rows are added when there is where their creation is noted. */
function isOfTables({ kind }: SchemaStep): boolean {
  return kind !== 'row';
}

async function prepareFeed(client: Client, logger: Logger): Promise<void> {
  const now = new Date();
  await createPartitions(client, now, logger);
  const epoch = await raiseEpochAfterMove(client, now);
  if (epoch === undefined) return;
  logger.info({ epoch }, 'the change feed came from another server and continues in a new epoch');
}

/** No plugin could be linked without what serves all of them. */
function assertPlatform(failures: readonly SchemaFailure[]): void {
  const failure = failures.find(({ plugin }) => plugin === platform);
  if (failure === undefined) return;
  throw new SchemaError('SCHEMA_NOT_PERMITTED', failure.reason, failure.remedy, undefined);
}

/** The steps of {@link bringUpToDate}; changes nothing and waits for no lock. */
export async function planOnly(options: Pick<SchemaOptions, 'databaseUrl' | 'plugins'>): Promise<SchemaPreview> {
  return onConnection(options, async (client) => {
    const executed = await readExecuted(client);
    const newer = findNewerSchemas(options.plugins, await readPluginRecords(client), executed);
    const failed = new Set(newer.map(({ plugin }) => plugin));
    const plugins = options.plugins.filter(({ id }) => !failed.has(id));
    const plan = await planWithRenames(client, tablesOf(plugins, failed));
    const failures = [...newer, ...plan.failures];
    return {
      ...plan,
      failures,
      pendingMigrations: pendingMigrations(migrationsOf(plugins), executed),
      leftTables: await findLeftTables(client, plugins, new Set(failures.map(({ plugin }) => plugin))),
    };
  });
}

/** For work on tables of the platform: what to do where the user may not make them. */
export function translateNotPermitted(error: unknown): unknown {
  if (sqlStateOf(error) !== '42501' || error instanceof SchemaError) return translateUnavailable(error);
  return new SchemaError(
    'SCHEMA_NOT_PERMITTED',
    `The database user may not work in the schema public: ${reasonOf(error)}.`,
    'Make the user owner of the database, or GRANT CREATE, USAGE ON SCHEMA public and TEMPORARY ON DATABASE to it.',
    error,
  );
}

/** Statements have no time limit here: an index on a large table takes what it takes. */
const unlimited = { statementTimeoutMs: 0 } as const;

async function onConnection<T>(
  options: Pick<SchemaOptions, 'databaseUrl'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    // Its end gives the lock back.
    return await withClient(schemaSettings(options.databaseUrl), work);
  } catch (error) {
    throw translateNotPermitted(error);
  }
}

function schemaSettings(url: string): ClientConfig {
  return connectionSettings(url, 'schema', unlimited);
}

/** Rows that a migration writes have no search entries until it is done. */
function migrationSettings(url: string): ClientConfig {
  const settings = schemaSettings(url);
  return { ...settings, options: `${settings.options ?? ''} -c ${migratingSetting}=on` };
}

interface Migrated {
  readonly applied: readonly MigrationName[];
  readonly failures: readonly SchemaFailure[];
}

async function migrateAll(client: Client, options: SchemaOptions): Promise<Migrated> {
  const plugins = migrationsOf(options.plugins);
  const executed = await readExecuted(client);
  const pending = new Set(pendingMigrations(plugins, executed).map((migration) => migration.plugin));
  if (pending.size > 0) await createMigrationTable(client);
  const applied: MigrationName[] = [];
  const failures: SchemaFailure[] = [];
  for (const plugin of plugins.filter((candidate) => pending.has(candidate.plugin))) {
    const { version } = options.plugins.find(({ id }) => id === plugin.plugin) ?? {};
    await recordChange(client, { id: plugin.plugin, ...(version === undefined ? {} : { version }) }, 'migrated_by');
    await forgetEntries(client, plugin.plugin, options);
    const outcome = await runMigrations(plugin, {
      createClient: () => new Client(migrationSettings(options.databaseUrl)),
      terminate: async (pid) => void (await client.query('SELECT pg_terminate_backend($1)', [pid])),
      executed,
      timeoutMs: options.migrationTimeoutMs ?? 600_000,
      logger: options.logger,
    });
    applied.push(...outcome.applied);
    if (outcome.failure !== undefined) failures.push(outcome.failure);
  }
  return { applied, failures };
}

/** A migration may change items without their triggers: their entries are written again after it, also if this start is interrupted. */
async function forgetEntries(client: Client, plugin: string, { plugins }: SchemaOptions): Promise<void> {
  const tables = plugins.find(({ id }) => id === plugin)?.tables ?? [];
  if (!(await tableExists(client, 'gantry_search_tables'))) return;
  await client.query('UPDATE public.gantry_search_tables SET is_complete = false WHERE item_table = ANY ($1::text[])', [
    tables.map(({ name }) => name),
  ]);
}

function migrationsOf(plugins: readonly PluginSchema[]): readonly PluginMigrations[] {
  return plugins.map((plugin) => ({ plugin: plugin.id, migrations: plugin.migrations }));
}
