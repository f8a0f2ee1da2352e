import type { Logger } from '@gantry/plugin-api';
import type { ClientBase } from 'pg';
import { changeTable } from '../../changes/change-tables';
import { targetTable } from '../../changes/change-targets';
import { changeGrants } from '../../stored-grants';
import type { RenamedField } from './find-renames';
import type { PluginRenames, RenamedType } from './plan-renames';
import { renamePreference, type NamedPreference } from './rename-preference';
import { renameInGrants } from './rename-in-grants';

/** Gives what the platform stores by names of tables, types and fields the names of today, in the transaction of the renames. */
export async function carryOver(client: ClientBase, renames: PluginRenames, logger: Logger): Promise<void> {
  const exists = await existingTables(client);
  for (const { from, to } of renames.tables) await carryTable(client, exists, from, to);
  for (const type of renames.types) {
    for (const field of type.fields) await carryHistory(client, exists, type.table, field);
    await carryKnownType(client, exists, type);
    await carryRoles(client, exists, type, logger);
    await carryWebhooks(client, exists, type);
    await carryPreferences(client, exists, type);
  }
}

const storesNames = [
  ...[
    'gantry_search',
    'gantry_search_tables',
    changeTable,
    targetTable,
    'gantry_known_type',
    'gantry_role',
    'gantry_setting',
  ],
  ...['gantry_subscription', 'gantry_webhook', 'gantry_waiting_change', 'gantry_undelivered_change', 'gantry_delivery'],
  'admin_ui_preference',
] as const;

type Exists = ReadonlySet<string>;

/** A platform of an earlier version, or one that starts for the first time, has not all of them. */
async function existingTables(client: ClientBase): Promise<Exists> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1::name[])`,
    [storesNames],
  );
  return new Set(rows.map(({ name }) => name));
}

async function carryTable(client: ClientBase, exists: Exists, from: string, to: string): Promise<void> {
  for (const table of ['gantry_search', 'gantry_search_tables']) {
    if (!exists.has(table)) continue;
    // The triggers that were just replaced have marked the name of today.
    await client.query(`DELETE FROM public.${table} WHERE item_table = $1`, [to]);
    await client.query(`UPDATE public.${table} SET item_table = $2 WHERE item_table = $1`, [from, to]);
  }
  if (exists.has('gantry_search_tables')) {
    await client.query('UPDATE public.gantry_search_tables SET is_complete = false WHERE item_table = $1', [to]);
  }
  if (exists.has(changeTable)) {
    await client.query(`UPDATE public.${changeTable} SET item_table = $2 WHERE item_table = $1`, [from, to]);
  }
  await carryTargets(client, exists, from, to);
  if (exists.has('gantry_subscription')) {
    await client.query(
      `UPDATE public.gantry_subscription SET read_tables = array_replace(read_tables, $1, $2),
         absent_tables = CASE WHEN absent_tables ? $1
           THEN absent_tables - $1 || jsonb_build_object($2::text, absent_tables -> $1) ELSE absent_tables END
       WHERE $1 = ANY (read_tables) OR absent_tables ? $1`,
      [from, to],
    );
  }
}

async function carryTargets(client: ClientBase, exists: Exists, from: string, to: string): Promise<void> {
  if (!exists.has(targetTable)) return;
  // The triggers that were just replaced have noted the name of today.
  await client.query(`DELETE FROM public.${targetTable} WHERE item_table = $1`, [to]);
  await client.query(`UPDATE public.${targetTable} SET item_table = $2 WHERE item_table = $1`, [from, to]);
  await client.query(`UPDATE public.${targetTable} SET target = $2 WHERE target = $1`, [from, to]);
}

/** Versions from before the rename are read, compared and restored by the name of today. */
async function carryHistory(client: ClientBase, exists: Exists, table: string, field: RenamedField): Promise<void> {
  if (!exists.has(changeTable)) return;
  const renamed = (column: string): string =>
    `CASE WHEN ${column} ? $2 AND coalesce(${column} -> $3, 'null') = 'null'
       THEN ${column} - $2 || jsonb_build_object($3::text, ${column} -> $2) ELSE ${column} END`;
  await client.query(
    `UPDATE public.${changeTable} SET values = ${renamed('values')}, previous = ${renamed('previous')}, labels = ${renamed('labels')}
     WHERE item_table = $1 AND (values ? $2 OR previous ? $2 OR labels ? $2)`,
    [table, field.from, field.to],
  );
  if (!exists.has(targetTable)) return;
  await client.query(`DELETE FROM public.${targetTable} WHERE item_table = $1 AND field = $2`, [table, field.to]);
  await client.query(`UPDATE public.${targetTable} SET field = $3 WHERE item_table = $1 AND field = $2`, [
    table,
    field.from,
    field.to,
  ]);
}

/** Its times of removal and return go with it, so that a grant that did not apply does not apply afterwards. */
async function carryKnownType(client: ClientBase, exists: Exists, type: RenamedType): Promise<void> {
  if (!exists.has('gantry_known_type')) return;
  const { plugin, code, earlierCode, fields } = type;
  if (earlierCode !== undefined) {
    await client.query(
      `DELETE FROM public.gantry_known_type k WHERE plugin = $1 AND type = $3
         AND EXISTS (SELECT FROM public.gantry_known_type o WHERE o.plugin = $1 AND o.type = $2)`,
      [plugin, earlierCode, code],
    );
    await client.query('UPDATE public.gantry_known_type SET type = $3 WHERE plugin = $1 AND type = $2', [
      plugin,
      earlierCode,
      code,
    ]);
  }
  for (const { from, to } of fields) {
    await client.query(
      `UPDATE public.gantry_known_type SET
         fields = array_replace(array_remove(fields, $4), $3, $4),
         removed_fields = array_replace(array_remove(removed_fields, $4), $3, $4),
         returned = CASE WHEN returned ? $3 THEN returned - $3 || jsonb_build_object($4::text, returned -> $3) ELSE returned - $4 END
       WHERE plugin = $1 AND type = $2`,
      [plugin, code, from, to],
    );
  }
}

async function carryRoles(client: ClientBase, exists: Exists, type: RenamedType, logger: Logger): Promise<void> {
  if (!exists.has('gantry_role') || !exists.has('gantry_setting')) return;
  await changeGrants(client, (grants, role) => {
    const renamed = renameInGrants(grants, type);
    if (renamed.removed) {
      const fields = { plugin: type.plugin, type: type.code, role };
      logger.warn(fields, 'grants that had the new names before the rename were removed from the role; check it');
    }
    return renamed.grants;
  });
}

async function carryWebhooks(client: ClientBase, exists: Exists, type: RenamedType): Promise<void> {
  const { code, earlierCode, fields } = type;
  if (earlierCode !== undefined) {
    if (exists.has('gantry_webhook')) {
      await client.query(
        'UPDATE public.gantry_webhook SET types = array_replace(types, $1, $2) WHERE $1 = ANY (types)',
        [earlierCode, code],
      );
    }
    for (const table of ['gantry_waiting_change', 'gantry_undelivered_change', 'gantry_delivery']) {
      if (!exists.has(table)) continue;
      await client.query(
        `UPDATE public.${table} SET item = $2 || substr(item, length($1) + 1) WHERE starts_with(item, $1)`,
        [`${earlierCode}/`, `${code}/`],
      );
    }
  }
  if (!exists.has('gantry_webhook')) return;
  for (const { from, to } of fields) {
    // A condition of a webhook for several types is about the field of each of them.
    await client.query(
      `UPDATE public.gantry_webhook SET filter = (
         SELECT jsonb_agg(CASE WHEN c ->> 'field' = $2 THEN c || jsonb_build_object('field', $3::text) ELSE c END ORDER BY n)
         FROM jsonb_array_elements(filter) WITH ORDINALITY AS e (c, n))
       WHERE types = ARRAY[$1::text] AND jsonb_array_length(filter) > 0`,
      [code, from, to],
    );
  }
}

/** Favourites, columns and views that people have saved in the admin pages. */
async function carryPreferences(client: ClientBase, exists: Exists, type: RenamedType): Promise<void> {
  if (!exists.has('admin_ui_preference')) return;
  const { rows } = await client.query<NamedPreference & { readonly owner: string }>(
    `SELECT owner, name, value FROM public.admin_ui_preference
     WHERE name IN ('favourites', 'list.' || $1::text, 'list.' || $2::text) FOR UPDATE`,
    [type.earlierCode ?? type.code, type.code],
  );
  const keys = new Set(rows.map(({ owner, name }) => `${owner}\n${name}`));
  for (const { owner, ...stored } of rows) {
    const renamed = renamePreference(stored, type);
    const isSame = JSON.stringify(renamed) === JSON.stringify({ name: stored.name, value: stored.value });
    // One of the name of today is newer.
    if (isSame || (renamed.name !== stored.name && keys.has(`${owner}\n${renamed.name}`))) continue;
    await client.query(
      `UPDATE public.admin_ui_preference SET name = $3, value = $4::jsonb, version = nextval('admin_ui_preference_version')
       WHERE owner = $1 AND name = $2`,
      [owner, stored.name, renamed.name, JSON.stringify(renamed.value)],
    );
  }
}
