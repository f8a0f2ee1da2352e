import type { Database, Logger, Migration } from '@gantry/plugin-api';
import type { Client, ClientBase } from 'pg';
import { findRepeated, withTimeout } from '@gantry/core-common';
import { reasonOf, sqlStateOf } from '../database-errors';
import { tableExists } from '../table-exists';
import { runTransaction } from '../transactions/transaction';
import { findBreaks, readStructure, type Structure } from './plan/compatibility';
import type { SchemaFailure } from './plan/schema-plan';

/** The migrations of one plugin. */
export interface PluginMigrations {
  readonly plugin: string;
  readonly migrations: readonly Migration[];
}

export interface MigrationName {
  readonly plugin: string;
  readonly name: string;
}

/** A migration that has run. */
export interface ExecutedMigration {
  readonly name: string;
  /** Changes on which versions without the migration may fail; null where an earlier version of the platform did not record them. */
  readonly breaks: readonly string[] | null;
  /** Whether the plugin declares that versions without it keep working; null without a declaration. */
  readonly declared: boolean | null;
}

/** By plugin. */
export type ExecutedMigrations = ReadonlyMap<string, readonly ExecutedMigration[]>;

/** The migrations that have run, by plugin. An absent table means that none has. */
export async function readExecuted(client: ClientBase): Promise<ExecutedMigrations> {
  if (!(await tableExists(client, 'gantry_migrations'))) return new Map();
  // Tables of earlier versions of the platform lack columns.
  const { rows } = await client.query<{ plugin: string; migrations: readonly ExecutedMigration[] }>(
    `SELECT plugin, json_agg(json_build_object('name', name, 'breaks', row -> 'breaks', 'declared', row -> 'declared') ORDER BY name) AS migrations
     FROM (SELECT plugin, name, to_jsonb(m) AS row FROM gantry_migrations m) AS executed GROUP BY plugin`,
  );
  return new Map(rows.map((row) => [row.plugin, row.migrations]));
}

/** Migrations that have not run yet, in the order in which they will: by plugin as given, then by name. */
export function pendingMigrations(
  plugins: readonly PluginMigrations[],
  executed: ExecutedMigrations,
): readonly MigrationName[] {
  return plugins.flatMap(({ plugin, migrations }) =>
    pendingOf({ plugin, migrations }, executed).map(({ name }) => ({ plugin, name })),
  );
}

function pendingOf({ plugin, migrations }: PluginMigrations, executed: ExecutedMigrations): readonly Migration[] {
  const names = new Set(executed.get(plugin)?.map(({ name }) => name));
  return sorted(migrations).filter(({ name }) => !names.has(name));
}

/** Creates the table in which migrations are recorded. */
export async function createMigrationTable(client: ClientBase): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS gantry_migrations (
       plugin text NOT NULL, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (plugin, name));
     ALTER TABLE gantry_migrations ADD COLUMN IF NOT EXISTS breaks text[], ADD COLUMN IF NOT EXISTS declared boolean`,
  );
}

export interface MigrationRun {
  /** Opens a separate connection, so that a migration that hangs can be ended without giving up the lock. */
  readonly createClient: () => Client;
  /** Ends a session on the server, whatever it is doing. */
  readonly terminate: (pid: number) => Promise<void>;
  readonly executed: ExecutedMigrations;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

export interface MigrationOutcome {
  readonly applied: readonly MigrationName[];
  readonly failure?: SchemaFailure;
}

/**
 * Runs the pending migrations of one plugin, each in a transaction together with its record: either both are kept or
 * neither. The first that fails ends the run of this plugin and is named in the failure.
 * @throws when the connection to the database is lost
 */
export async function runMigrations(plugin: PluginMigrations, run: MigrationRun): Promise<MigrationOutcome> {
  const repeated = repeatedName(plugin.migrations);
  if (repeated !== undefined) {
    return { applied: [], failure: migrationFailure(plugin.plugin, repeated, 'two migrations have this name') };
  }
  const applied: MigrationName[] = [];
  const pending = pendingOf(plugin, run.executed);
  if (pending.length === 0) return { applied };
  const client = run.createClient();
  // An error of the connection also rejects the statement that is under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const pid = await backendPid(client);
    for (const migration of pending) {
      try {
        await runLimited(
          async () => void (await applyMigration(plugin.plugin, migration, client)),
          run.timeoutMs,
          () => run.terminate(pid),
        );
      } catch (error) {
        return { applied, failure: migrationFailure(plugin.plugin, migration.name, error) };
      }
      applied.push({ plugin: plugin.plugin, name: migration.name });
      run.logger.info({ plugin: plugin.plugin, migration: migration.name }, 'migration done');
    }
    return { applied };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * @param up runs the migration; as it is unless given
 * @returns what code without the migration may fail on afterwards
 */
export async function applyMigration(
  plugin: string,
  migration: Migration,
  client: ClientBase,
  up: (database: Database) => Promise<void> = (database) =>
    migration.up({ query: (sql, values) => database.query(sql, values) }),
): Promise<readonly string[]> {
  return runTransaction(client, async (database) => {
    const before = await readStructure(client);
    await up(database);
    if (client.getTransactionStatus() === 'I') {
      throw new Error('it ended its own transaction; leave BEGIN, COMMIT and ROLLBACK to the host');
    }
    return record(client, plugin, migration, before);
  });
}

async function record(
  client: ClientBase,
  plugin: string,
  { name, backwardCompatible }: Migration,
  before: Structure,
): Promise<readonly string[]> {
  try {
    const breaks = findBreaks(before, await readStructure(client)).slice(0, maxBreaks);
    await client.query('INSERT INTO gantry_migrations (plugin, name, breaks, declared) VALUES ($1, $2, $3, $4)', [
      ...[plugin, name, breaks, backwardCompatible ?? null],
    ]);
    return breaks;
  } catch (error) {
    if (sqlStateOf(error) !== '25P02') throw error;
    throw new Error('one of its statements had failed, and it caught the error', { cause: error });
  }
}

/** So many say enough. */
const maxBreaks = 20;

class MigrationTimeout extends Error {
  override readonly name = 'MigrationTimeout';
}

/** @param onTimeout makes the server stop, so that it rolls back and keeps no lock */
async function runLimited(work: () => Promise<void>, timeoutMs: number, onTimeout: () => Promise<void>): Promise<void> {
  try {
    await withTimeout(timeoutMs, work, () => new MigrationTimeout(`it took longer than ${timeoutMs / 1000} s`));
  } catch (error) {
    if (error instanceof MigrationTimeout) await onTimeout();
    throw error;
  }
}

async function backendPid(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

export function migrationFailure(plugin: string, migration: string, cause: unknown): SchemaFailure {
  return {
    plugin,
    code: cause instanceof MigrationTimeout ? 'MIGRATION_TIMED_OUT' : 'MIGRATION_FAILED',
    reason: `Migration ${migration} of plugin ${plugin} failed: ${reasonOf(cause)}.`,
    remedy:
      'It was rolled back, unless it committed itself. Fix the migration or the rows that make it fail, then start again.',
  };
}

/** By code units, so that the order is the same on every machine. */
function sorted(migrations: readonly Migration[]): readonly Migration[] {
  return migrations.toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}

function repeatedName(migrations: readonly Migration[]): string | undefined {
  return findRepeated(migrations.map(({ name }) => name))[0];
}
