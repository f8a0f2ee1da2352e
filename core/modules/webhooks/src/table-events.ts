import type { ClientBase } from 'pg';
import { literal, tableExists, type RenamedType, type TableEvents, type TrimmedChanges } from '@gantry/core-database';

/** They name an item in the column `item`, such as `product/12`. */
const tablesWithItems = ['gantry_waiting_change', 'gantry_undelivered_change', 'gantry_delivery'];

/** Webhooks and subscriptions follow renames and purges, and say which changes they have missed. */
export const subscriptionEvents: TableEvents = {
  async renamed(client, { tables, types }) {
    for (const { from, to } of tables) await carryTable(client, from, to);
    for (const type of types) await carryWebhooks(client, type);
  },
  async purged(client, { plugin, types, itemTables }) {
    for (const table of tablesWithItems) {
      if (!(await tableExists(client, table))) continue;
      await client.query(`DELETE FROM public.${table} WHERE split_part(item, '/', 1) = ANY ($1::text[])`, [types]);
    }
    if (!(await tableExists(client, 'gantry_subscription'))) return;
    await client.query(
      `UPDATE public.gantry_subscription SET absent_tables = absent_tables - $1::text[],
         read_tables = ARRAY(SELECT t FROM unnest(read_tables) AS t WHERE NOT t = ANY ($1::text[]))
       WHERE read_tables && $1::text[] OR absent_tables ?| $1::text[]`,
      [itemTables],
    );
    await client.query("DELETE FROM public.gantry_subscription WHERE kind = 'plugin' AND starts_with(name, $1)", [
      `${plugin}/`,
    ]);
  },
  async trimmed(client, changes) {
    if (await tableExists(client, 'gantry_subscription')) await client.query(markGaps(changes));
  },
};

async function carryTable(client: ClientBase, from: string, to: string): Promise<void> {
  if (!(await tableExists(client, 'gantry_subscription'))) return;
  await client.query(
    `UPDATE public.gantry_subscription SET read_tables = array_replace(read_tables, $1, $2),
       absent_tables = CASE WHEN absent_tables ? $1
         THEN absent_tables - $1 || jsonb_build_object($2::text, absent_tables -> $1) ELSE absent_tables END
     WHERE $1 = ANY (read_tables) OR absent_tables ? $1`,
    [from, to],
  );
}

async function carryWebhooks(client: ClientBase, type: RenamedType): Promise<void> {
  const { code, earlierCode, fields } = type;
  if (earlierCode !== undefined) {
    if (await tableExists(client, 'gantry_webhook')) {
      await client.query(
        'UPDATE public.gantry_webhook SET types = array_replace(types, $1, $2) WHERE $1 = ANY (types)',
        [earlierCode, code],
      );
    }
    for (const table of tablesWithItems) {
      if (!(await tableExists(client, table))) continue;
      await client.query(
        `UPDATE public.${table} SET item = $2 || substr(item, length($1) + 1) WHERE starts_with(item, $1)`,
        [`${earlierCode}/`, `${code}/`],
      );
    }
  }
  if (!(await tableExists(client, 'gantry_webhook'))) return;
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

/**
 * Marks the subscriptions that have not passed the changes. A webhook for other types does not miss those of one type. What a plugin
 * subscribes to is not stored: its subscription is marked where it may have missed something.
 */
function markGaps({ table, condition = 'true', type }: TrimmedChanges): string {
  const all = `UPDATE public.gantry_subscription s SET gap_since = least(s.gap_since, lost.at) FROM (
    SELECT o.id, (SELECT min(c.at) FROM public.${table} c
      WHERE (c.epoch, c.transaction_id, c.sequence) > (o.epoch, o.transaction_id, o.sequence) AND (${condition})) AS at
    FROM public.gantry_subscription o
  ) lost WHERE s.id = lost.id AND lost.at IS NOT NULL`;
  if (type === undefined) return all;
  return `${all} AND NOT EXISTS (SELECT FROM public.gantry_webhook w
    WHERE w.subscription_id = s.id AND cardinality(w.types) > 0 AND NOT ${literal(type)} = ANY (w.types))`;
}
