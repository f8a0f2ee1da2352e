import { GantryError } from '@gantry/plugin-api/errors';
import type { Client, ClientBase } from 'pg';
import { identifier, literal } from '../../common/naming';
import { changeTable } from '../changes/change-tables';
import { targetTable } from '../changes/change-targets';
import { connectionSettings } from '../connection-settings';
import { translateUnavailable } from '../database-errors';
import { quoteIdentifier, quoteIdentifiers } from '../identifiers';
import { dropLinksFunction } from '../links/link-triggers';
import { assertRunsNowhere } from '../running-hosts';
import { dropTriggerFunctions } from '../schema/drop-trigger-functions';
import { takeSchemaLock } from '../schema/schema-lock';
import { changeGrants } from '../stored-grants';
import { tableExists } from '../table-exists';
import { withClient } from '../with-client';
import { pluginTables, surveyPlugin, type PluginSurvey } from './survey-plugin';

export interface PurgeOptions {
  readonly databaseUrl: string;
  readonly plugin: string;
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
export function readPluginSurvey({ databaseUrl, plugin }: Pick<PurgeOptions, 'databaseUrl' | 'plugin'>) {
  return onConnection(databaseUrl, (client) => surveyPlugin(client, plugin));
}

/**
 * Deletes all that the platform stores of a plugin, in one transaction.
 * @returns what there was
 * @throws GantryError CONFLICT while a host runs it, or items that stay refer to its items
 */
export async function purgePlugin(options: PurgeOptions): Promise<PluginSurvey> {
  const { signal } = options;
  return onConnection(options.databaseUrl, async (client) => {
    const abort = (): void => void client.end().catch(() => undefined);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // A host that starts waits for this lock.
      await takeSchemaLock(client, 120_000);
      await assertRunsNowhere(client, options.plugin);
      await client.query("BEGIN; SET LOCAL lock_timeout = '15s'");
      const tables = await pluginTables(client, options.plugin);
      if (tables.length > 0) await client.query(`LOCK TABLE ${quoteIdentifiers(tables)}`);
      // Nothing can be added any more.
      const survey = await surveyPlugin(client, options.plugin);
      assertNotReferred(survey);
      await options.save?.(linesOf(client, survey));
      await dropTables(client, survey);
      await deleteByTable(client, survey);
      await deleteByType(client, survey);
      await deleteByPlugin(client, survey);
      await recordPurge(client, survey, options.actor);
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
  { plugin, types, tables }: PluginSurvey,
): AsyncGenerator<string, void, undefined> {
  for (const { name, type, isLinks } of tables) {
    yield* linesOfQuery(client, { type, table: name, isLinks }, `public.${quoteIdentifier(name)} t`);
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

/** Also of tables that were dropped by hand. */
async function deleteByTable(client: ClientBase, { plugin, types }: PluginSurvey): Promise<void> {
  const names = types.map((type) => identifier(plugin, type));
  for (const table of ['gantry_search', 'gantry_search_tables', changeTable, targetTable]) {
    if (!(await tableExists(client, table))) continue;
    await client.query(`DELETE FROM public.${table} WHERE item_table = ANY ($1::text[])`, [names]);
  }
  if (!(await tableExists(client, 'gantry_subscription'))) return;
  await client.query(
    `UPDATE public.gantry_subscription SET absent_tables = absent_tables - $1::text[],
       read_tables = ARRAY(SELECT t FROM unnest(read_tables) AS t WHERE NOT t = ANY ($1::text[]))
     WHERE read_tables && $1::text[] OR absent_tables ?| $1::text[]`,
    [names],
  );
}

async function deleteByType(client: ClientBase, { types }: PluginSurvey): Promise<void> {
  for (const table of ['gantry_waiting_change', 'gantry_undelivered_change', 'gantry_delivery']) {
    if (!(await tableExists(client, table))) continue;
    await client.query(`DELETE FROM public.${table} WHERE split_part(item, '/', 1) = ANY ($1::text[])`, [types]);
  }
  if (await tableExists(client, 'admin_ui_preference')) {
    await client.query('DELETE FROM public.admin_ui_preference WHERE name = ANY ($1::text[])', [
      types.map((type) => `list.${type}`),
    ]);
  }
}

async function deleteByPlugin(client: ClientBase, { plugin, otherTables }: PluginSurvey): Promise<void> {
  if (await tableExists(client, 'gantry_subscription')) {
    await client.query("DELETE FROM public.gantry_subscription WHERE kind = 'plugin' AND starts_with(name, $1)", [
      `${plugin}/`,
    ]);
  }
  if (await tableExists(client, 'gantry_known_type')) {
    await client.query('DELETE FROM public.gantry_known_type WHERE plugin = $1', [plugin]);
  }
  if (await tableExists(client, 'gantry_plugin_schema')) {
    await client.query('DELETE FROM public.gantry_plugin_schema WHERE plugin = $1', [plugin]);
  }
  // Tables of migrations stay, and so does the record that these have run.
  if (otherTables.length === 0 && (await tableExists(client, 'gantry_migrations'))) {
    await client.query('DELETE FROM public.gantry_migrations WHERE plugin = $1', [plugin]);
  }
  if (await tableExists(client, 'gantry_role')) {
    // A plugin that comes back finds no rights on its new items that were given for the old ones.
    await changeGrants(client, (grants) => grants.filter(({ on }) => typeof on === 'string' || on.plugin !== plugin));
  }
}

async function recordPurge(client: ClientBase, { plugin, tables }: PluginSurvey, actor: string): Promise<void> {
  if (!(await tableExists(client, 'gantry_audit_event'))) return;
  const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
  await client.query(
    `INSERT INTO public.gantry_audit_event (actor, action, subject, address, detail)
     VALUES ($1, 'plugin-purged', $2, '', $3::jsonb)`,
    [actor, `plugin:${plugin}`, JSON.stringify({ rows })],
  );
}
