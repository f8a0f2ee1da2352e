import type { Logger, Migration } from '@gantry/plugin-api';
import type { Client } from 'pg';
import { connectionSettings } from '../../connections/connection-settings';
import { reasonOf, sqlStateOf } from '../../database-errors';
import { migratingSetting } from '../../search/search-tables';
import { runTransaction } from '../../transactions/transaction';
import { withClient } from '../../connections/with-client';
import type { PluginSchema } from '../bring-up-to-date';
import { describeStepFailure } from '../failures/describe-step-failure';
import { planWithExtension, planWithRenames } from '../plan/plan-now';
import {
  applyMigration,
  createMigrationTable,
  migrationFailure,
  pendingMigrations,
  readExecuted,
  type ExecutedMigrations,
} from '../plugin-migrations';
import { eventsOf } from '../../events/own-events';
import { applyRenames } from '../renames/apply-renames';
import { platform, type SchemaFailure, type SchemaPlan, type SchemaStep } from '../plan/schema-plan';
import { rowCounter, type CountRows } from '../failures/row-probes';
import { readStructure } from './copy-structure';
import { withScratchDatabase } from './scratch-database';
import { createObserver, type ObservedStatement, type StatementObserver } from './statement-observer';

export interface TrialOptions {
  readonly databaseUrl: string;
  readonly plugins: readonly PluginSchema[];
  /** The plugins that are tried out. Tables that theirs refer to exist already, or are among theirs. */
  readonly ids: readonly string[];
  /** Tables that the other plugins do not have yet. */
  readonly missing: ReadonlySet<string>;
  /** Runs the code of a migration. */
  readonly runCode: (plugin: string, code: () => Promise<void>) => Promise<void>;
  readonly logger: Logger;
}

export type SchemaTrial =
  | {
      readonly kind: 'tried';
      /** The steps that remained after the migrations. */
      readonly plan: SchemaPlan;
      readonly statements: readonly ObservedStatement[];
      /** After these, versions of the plugin without them are refused. */
      readonly breaking: readonly BreakingMigration[];
      /** Of migrations and statements that PostgreSQL refused. */
      readonly failures: readonly SchemaFailure[];
    }
  | { readonly kind: 'not-tried'; readonly reason: string };

/** A migration that does more than add, and is not declared backward compatible. */
export interface BreakingMigration {
  readonly plugin: string;
  readonly name: string;
  readonly breaks: readonly string[];
}

/**
 * Brings a copy of the tables, without their rows, up to date for these plugins, and observes each statement. The copy is in a
 * database that exists for as long as this takes.
 * @throws when the connection to the server is lost
 */
export async function trySchema(options: TrialOptions): Promise<SchemaTrial> {
  const settings = connectionSettings(options.databaseUrl, 'check', { statementTimeoutMs: 0 });
  try {
    return await withClient(settings, async (server) => {
      const structure = await readStructure(server, wantedOf(options));
      const executed = await readExecuted(server);
      return withScratchDatabase(server, options.databaseUrl, async (client): Promise<SchemaTrial> => {
        const missing = await copy(client, structure.statements);
        if (missing !== undefined) return { kind: 'not-tried', reason: missing };
        const observer = await createObserver(client, structure.tables, rowCounter(server));
        return tryAll(client, observer, options, executed);
      });
    });
  } catch (error) {
    if (error instanceof ServerChange) return { kind: 'not-tried', reason: error.message };
    if (sqlStateOf(error) !== '42501') throw error;
    return { kind: 'not-tried', reason: `the database user may not create a database: ${reasonOf(error)}` };
  }
}

function wantedOf({ plugins, ids }: TrialOptions): Parameters<typeof readStructure>[1] {
  const tables = plugins.filter(({ id }) => ids.includes(id)).flatMap((plugin) => plugin.tables);
  return {
    names: tables.flatMap(({ name, renamedFrom = [], foreignKeys }) => [
      ...[name, ...renamedFrom],
      ...foreignKeys.map(({ referencedTable }) => referencedTable),
    ]),
    prefixes: ['gantry_', ...ids.map((id) => `${id.replaceAll('-', '_')}_`)],
  };
}

/** @returns what cannot be copied */
async function copy(client: Client, statements: readonly string[]): Promise<string | undefined> {
  // Bodies of functions may name tables that are not copied.
  await client.query('SET check_function_bodies = off');
  try {
    await client.query(statements.join(';\n'));
  } catch (error) {
    return `its structure cannot be copied: ${reasonOf(error)}`;
  }
  await client.query('RESET check_function_bodies');
  return undefined;
}

/** The copy has no writers that could wait. */
function inTransaction({ kind, statement }: SchemaStep): string {
  return kind === 'index' ? statement.replace('INDEX CONCURRENTLY', 'INDEX') : statement;
}

async function tryAll(
  client: Client,
  observer: StatementObserver,
  { plugins, ids, missing, runCode, logger }: TrialOptions,
  executed: ExecutedMigrations,
): Promise<SchemaTrial> {
  const own = plugins.filter(({ id }) => ids.includes(id));
  const failures: SchemaFailure[] = [];
  const breaking: BreakingMigration[] = [];
  await createMigrationTable(client);
  await client.query(`SET ${migratingSetting} = on`);
  for (const plugin of own) {
    const failure = await tryMigrations(client, observer, plugin, { executed, runCode, breaking });
    if (failure !== undefined) failures.push(failure);
  }
  await client.query(`RESET ${migratingSetting}`);
  const tables = plugins
    .filter(({ id }) => failures.every((failure) => failure.plugin !== id))
    .flatMap((plugin) => plugin.tables);
  const count: CountRows = (probes) => observer.count(probes);
  const plan = await planWithRenames(client, tables, count);
  const versions = new Map(own.map((plugin) => [plugin.id, plugin]));
  const renamed = await applyRenames(client, tables, {
    ...{ logger, tableTimeoutMs: 0, versions, count },
    events: eventsOf(plugins),
  });
  const rest = await planWithExtension(client, tables, count);
  const needed = [platform, ...ids];
  for (const step of rest.plan.steps.filter(({ plugin, table }) => needed.includes(plugin) || missing.has(table))) {
    // Changes of rows are not kept here.
    if (step.kind === 'row') continue;
    const failure = await runTransaction(client, () => observer.run(step.plugin, inTransaction(step))).then(
      () => undefined,
      (error: unknown) => describeStepFailure(step, error),
    );
    if (failure !== undefined) failures.push(failure);
  }
  return {
    kind: 'tried',
    plan,
    statements: observer.observed(),
    breaking,
    failures: [...failures, ...renamed.failures],
  };
}

interface MigrationTrial extends Pick<TrialOptions, 'runCode'> {
  readonly executed: ExecutedMigrations;
  /** Gets what is found. */
  readonly breaking: BreakingMigration[];
}

/** @returns why one of the pending migrations would fail */
async function tryMigrations(
  client: Client,
  observer: StatementObserver,
  { id, migrations }: PluginSchema,
  { executed, runCode, breaking }: MigrationTrial,
): Promise<SchemaFailure | undefined> {
  for (const { name } of pendingMigrations([{ plugin: id, migrations }], executed)) {
    const migration = migrations.find((candidate) => candidate.name === name);
    if (migration === undefined) continue;
    const { length } = observer.observed();
    try {
      const breaks = await applyMigration(id, migration, client, async () => {
        await runCode(id, () => runOne(observer, id, migration));
        await assertOnlyDatabase(client, `the migration ${name} of ${id}`);
      });
      const found = breaksOf(observer.observed().slice(length), breaks);
      if (!(migration.backwardCompatible ?? found.length === 0)) breaking.push({ plugin: id, name, breaks: found });
    } catch (error) {
      if (error instanceof ServerChange) throw error;
      return migrationFailure(id, name, error);
    }
  }
  return undefined;
}

/** Something that a separate database does not keep apart; it was rolled back. */
class ServerChange extends Error {
  override readonly name = 'ServerChange';
}

/** Catalogs of the whole server. A statement that changes one locks it until the transaction ends. */
const serverCatalogs = [
  ...['pg_authid', 'pg_auth_members', 'pg_database', 'pg_db_role_setting'],
  ...['pg_parameter_acl', 'pg_shdescription', 'pg_tablespace'],
];

async function assertOnlyDatabase(client: Client, what: string): Promise<void> {
  const rows = await lockedCatalogs(client).catch((error: unknown) => {
    // A transaction in which a statement failed is not committed.
    if (sqlStateOf(error) === '25P02') return [];
    throw error;
  });
  if (rows.length === 0) return;
  throw new ServerChange(`${what} changes the whole server (${rows.join(', ')}), which a check does not`);
}

async function lockedCatalogs(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ catalog: string }>(
    `SELECT DISTINCT relname AS catalog FROM pg_locks JOIN pg_class ON pg_class.oid = relation
     WHERE pid = pg_backend_pid() AND locktype = 'relation' AND mode = 'RowExclusiveLock' AND relname = ANY ($1::text[])
     ORDER BY 1`,
    [serverCatalogs],
  );
  return rows.map(({ catalog }) => catalog);
}

/** The copy has no rows that a statement could change: what is lost is known from the statements. */
function breaksOf(statements: readonly ObservedStatement[], breaks: readonly string[]): readonly string[] {
  const losses = statements.flatMap(({ effects }) => effects.filter(({ kind }) => kind === 'destructive'));
  return losses.length > 0 ? losses.map(({ text }) => text) : breaks;
}

/** Its statements one after the other, as on the connection of a real run. */
async function runOne(observer: StatementObserver, plugin: string, migration: Migration): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  await migration.up({
    query: async <R extends object>(sql: string, values?: readonly unknown[]) => {
      const next = last.then(() => observer.run(plugin, sql, values));
      last = next.catch(() => undefined);
      return (await next) as readonly R[];
    },
  });
  await last;
}
