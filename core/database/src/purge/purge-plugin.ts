import { GantryError } from '@gantry/plugin-api/errors';
import type { Client, ClientBase } from 'pg';
import { changeTable } from '../changes/change-tables';
import { connectionSettings } from '../connections/connection-settings';
import { translateUnavailable } from '../database-errors';
import { identifier, literal, quoteIdentifier, quoteIdentifiers } from '../identifiers';
import { dropLinksFunction } from '../links/link-triggers';
import { assertRunsNowhere } from '../running-hosts';
import { dropTriggerFunctions } from '../schema/drop-trigger-functions';
import { takeSchemaLock } from '../schema/schema-lock';
import { eventsOf } from '../events/own-events';
import type { WithEvents } from '../events/table-events';
import { tableExists } from '../table-exists';
import { withClient } from '../connections/with-client';
import { dropExtraColumns, valuesOf } from './extra-columns-of-plugin';
import { pluginTables, surveyPlugin, type PluginSurvey } from './survey-plugin';

export interface PurgeOptions {
  readonly databaseUrl: string;
  readonly plugin: string;
  /** Owners of tables that name item types. */
  readonly owners: readonly WithEvents[];
  /** Who does it, for the audit log. */
  readonly actor: string;
  /**
   * Takes all rows before they are deleted, as lines of JSON; must have stored them when it resolves.
   * Nothing is deleted when it rejects.
   */
  readonly save?: ((lines: AsyncIterable<string>) => Promise<void>) | undefined;
  /** Ends the work, of which then nothing is kept; without effect once all of it is done. */
  readonly signal?: AbortSignal;
}

/** Reads the tables and rows of a plugin in a database. @throws GantryError UNAVAILABLE */
export function readPluginSurvey({
  databaseUrl,
  plugin,
  owners,
}: Pick<PurgeOptions, 'databaseUrl' | 'plugin' | 'owners'>): Promise<PluginSurvey> {
  return onConnection(databaseUrl, (client) => surveyPlugin(client, plugin, eventsOf(owners)));
}

/**
 * Deletes all that the platform stores of a plugin, in one transaction.
 * @returns what there was
 * @throws GantryError CONFLICT while a host runs it, or items that stay refer to its items
 */
export async function purgePlugin(options: PurgeOptions): Promise<PluginSurvey> {
  const { signal, owners } = options;
  const events = eventsOf(owners);
  return onConnection(options.databaseUrl, async (client) => {
    const abort = (): void => void client.end().catch(() => undefined);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // A host that starts waits for this lock.
      await takeSchemaLock(client, 120_000);
      await assertRunsNowhere(client, options.plugin);
      await client.query("BEGIN; SET LOCAL lock_timeout = '15s'");
      const tables = await pluginTables(client, options.plugin, events);
      if (tables.length > 0) await client.query(`LOCK TABLE ${quoteIdentifiers(tables)}`);
      // No row can be added any more.
      const survey = await surveyPlugin(client, options.plugin, events);
      assertNotReferred(survey);
      await options.save?.(linesOf(client, survey));
      // The triggers of the other tables must not name what is dropped.
      for (const extra of survey.extras) await dropExtraColumns(client, extra);
      await dropTables(client, survey);
      const { plugin, types, extras } = survey;
      const rows = rowsOf(survey);
      const itemTables = types.map((type) => identifier(plugin, type));
      const extraFields = extras.map(({ owner, type, fields }) => ({ plugin: owner, type, fields }));
      const purge = { plugin, types, itemTables, extraFields, rows, actor: options.actor };
      for (const { purged } of events) await purged?.(client, purge);
      await forgetMigrations(client, survey);
      signal?.throwIfAborted();
      signal?.removeEventListener('abort', abort);
      await client.query('COMMIT');
      return survey;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  });
}

/** Rows that are deleted; of other plugins' tables, those that lose a value. */
function rowsOf({ tables, extras }: PluginSurvey): Readonly<Record<string, number>> {
  const counted = [...tables.map(({ name, rows }) => [name, rows]), ...extras.map(({ table, rows }) => [table, rows])];
  return Object.fromEntries(counted) as Readonly<Record<string, number>>;
}

/** @throws GantryError CONFLICT that names the tables and counts their rows */
export function assertNotReferred({ plugin, references }: PluginSurvey): void {
  const held = references.filter(({ rows }) => rows > 0);
  if (held.length === 0) return;
  const names = held.map(
    ({ table, column, referencedTable, rows }) => `${rows} of ${table} (${column}) to ${referencedTable}`,
  );
  throw new GantryError(
    'CONFLICT',
    `Items that stay refer to items of ${plugin}: ${names.join('; ')}. Clear these references, or purge their plugin first.`,
  );
}

async function onConnection<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await withClient(connectionSettings(databaseUrl, 'schema', { statementTimeoutMs: 0 }), work);
  } catch (error) {
    throw translateUnavailable(error);
  }
}

const rowsAtOnce = 500;

/** All that is deleted of items: their rows, their links, and the changes of their history. */
async function* linesOf(
  client: ClientBase,
  { plugin, types, tables, extras }: PluginSurvey,
): AsyncGenerator<string, void, undefined> {
  for (const { name, type, isLinks } of tables) {
    yield* linesOfQuery(client, { type, table: name, isLinks }, `public.${quoteIdentifier(name)} t`);
  }
  for (const extra of extras) {
    if (extra.columns.length === 0) continue;
    yield* linesOfQuery(client, { type: extra.type, table: extra.table, isLinks: false }, valuesOf(extra));
  }
  if (!(await tableExists(client, changeTable))) return;
  for (const type of types) {
    const from = `public.${changeTable} t WHERE item_table = ${literal(identifier(plugin, type))}`;
    const head = { type, table: changeTable, isLinks: false };
    yield* linesOfQuery(client, head, `${from} ORDER BY epoch, transaction_id, sequence`);
  }
}

async function* linesOfQuery(
  client: ClientBase,
  source: { readonly type: string; readonly table: string; readonly isLinks: boolean },
  from: string,
): AsyncGenerator<string, void, undefined> {
  const head = JSON.stringify(source).slice(0, -1);
  await client.query(`DECLARE purged NO SCROLL CURSOR FOR SELECT to_json(t)::text AS row FROM ${from}`);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${rowsAtOnce} FROM purged`);
    if (rows.length === 0) break;
    for (const { row } of rows) yield `${head},"row":${row}}\n`;
  }
  await client.query('CLOSE purged');
}

async function dropTables(client: ClientBase, { tables, references }: PluginSurvey): Promise<void> {
  for (const { table, constraint } of references) {
    await client.query(`ALTER TABLE public.${quoteIdentifier(table)} DROP CONSTRAINT ${quoteIdentifier(constraint)}`);
  }
  if (tables.length === 0) return;
  await client.query(`DROP TABLE ${quoteIdentifiers(tables.map(({ name }) => name))}`);
  for (const { name } of tables) await client.query(`${dropTriggerFunctions(name)}; ${dropLinksFunction(name)}`);
}

/** Tables of migrations stay, and so does the record that these have run. */
async function forgetMigrations(client: ClientBase, { plugin, otherTables }: PluginSurvey): Promise<void> {
  if (otherTables.length > 0 || !(await tableExists(client, 'gantry_migrations'))) return;
  await client.query('DELETE FROM public.gantry_migrations WHERE plugin = $1', [plugin]);
}
