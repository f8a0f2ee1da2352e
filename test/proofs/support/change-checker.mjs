import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const tables = { catalog: 'catalog_catalog', product: 'catalog_product', promotion: 'catalog_promotion' };

/**
 * Compares items and feed, as the database holds them, with each other and with what clients know.
 * @returns counts
 */
export async function checkChanges({ databaseUrl, clients }) {
  const { load } = clients;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await untilNobodyWrites(client);
    await clients.stop();
    const counts = { rows: 0, items: 0 };
    for (const [type, table] of Object.entries(tables)) {
      await checkRows(client, table);
      await checkItems(client, type, table);
      const { rows } = await client.query(`SELECT count(*)::int AS rows FROM gantry_change WHERE item_table = $1`, [
        table,
      ]);
      const items = await client.query(`SELECT count(*)::int AS items FROM ${table}`);
      counts.rows += rows[0].rows;
      counts.items += items.rows[0].items;
    }
    await checkAcknowledged(client, load);
    await checkFollower(client, load);
    return counts;
  } finally {
    await client.end();
  }
}

/** Transactions of a killed host end when PostgreSQL notices. */
async function untilNobodyWrites(client) {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await delay(100)) {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()`,
    );
    if (rows.length === 0) return;
  }
  throw new Error('A transaction is still open a minute after the last request.');
}

/** Each version of each item has one row, in the order of positions, and each row continues the one before. */
async function checkRows(client, table) {
  await assertNone(
    client,
    `${table}: rows that do not follow the row before`,
    `SELECT item_id, version, action, before_version, before_action FROM (
       SELECT c.*, lag(version) OVER w AS before_version, lag(action) OVER w AS before_action, lag(values) OVER w AS before_values
       FROM gantry_change c WHERE item_table = $1
       WINDOW w AS (PARTITION BY item_id ORDER BY epoch, transaction_id, sequence)) AS c
     WHERE CASE action
       WHEN 'created' THEN before_version IS NOT NULL OR version <> 1
       WHEN 'updated' THEN before_version IS DISTINCT FROM version - 1 OR before_action = 'deleted'
         OR values || previous IS DISTINCT FROM before_values OR previous = '{}'
       WHEN 'deleted' THEN before_version IS DISTINCT FROM version OR before_action = 'deleted' OR values IS DISTINCT FROM before_values
       ELSE true END`,
    [table],
  );
  await assertNone(
    client,
    `${table}: fields that are named as changed and have not changed`,
    `SELECT item_id, version, p.key FROM gantry_change c, jsonb_each(c.previous) p
     WHERE item_table = $1 AND p.value = c.values -> p.key`,
    [table],
  );
}

/** The last row of each item that exists equals the item; of every other, it says that it was deleted. */
async function checkItems(client, type, table) {
  const values =
    type === 'promotion'
      ? `|| jsonb_build_object('products', coalesce((SELECT jsonb_agg(l.target_id ORDER BY l.position)
           FROM catalog_promotion_products l WHERE l.item_id = t.id), '[]'))`
      : '';
  await assertNone(
    client,
    `${type}: items that differ from their last row`,
    `WITH last AS (SELECT DISTINCT ON (item_id) * FROM gantry_change WHERE item_table = $1
       ORDER BY item_id, epoch DESC, transaction_id DESC, sequence DESC),
     item AS (SELECT t.id, t.version, to_jsonb(t) ${values} AS columns FROM ${table} t)
     SELECT coalesce(i.id, l.item_id) AS id, i.version, l.version AS row_version, l.action, l.values, i.columns
     FROM item i FULL JOIN last l ON l.item_id = i.id
     WHERE l.item_id IS NULL OR (i.id IS NULL AND l.action <> 'deleted')
       OR (i.id IS NOT NULL AND (l.action = 'deleted' OR l.version <> i.version OR EXISTS (
         SELECT FROM jsonb_each(l.values) v
         WHERE v.value IS DISTINCT FROM coalesce(
           i.columns -> v.key,
           i.columns -> lower(regexp_replace(v.key, '([A-Z])', '_\\1', 'g')),
           i.columns -> (lower(regexp_replace(v.key, '([A-Z])', '_\\1', 'g')) || '_id')))))`,
    [table],
  );
}

/** @param load what clients were told */
async function checkAcknowledged(client, { acknowledged }) {
  const wanted = acknowledged.map(({ type, ...others }) => ({
    ...others,
    table: tables[type],
    values: others.values ?? {},
  }));
  for (let first = 0; first < wanted.length; first += 1_000) {
    await assertNone(
      client,
      'acknowledged writes without a row that says what was written',
      `SELECT w.* FROM jsonb_to_recordset($1::jsonb) AS w ("table" text, id bigint, version integer, action text, values jsonb)
       WHERE NOT EXISTS (SELECT FROM gantry_change c WHERE c.item_table = w.table AND c.item_id = w.id
         AND (c.version = w.version OR w.action = 'deleted')
         -- A change to the values that were there already is no new version.
         AND (c.action = w.action OR w.action = 'updated') AND c.values @> w.values)`,
      [JSON.stringify(wanted.slice(first, first + 1_000))],
    );
  }
}

/** A program that has followed the feed has got every row, once, in the order of positions. */
async function checkFollower(client, { seen }) {
  const names = Object.keys(tables);
  const { rows } = await client.query(
    `SELECT epoch || '.' || transaction_id || '.' || sequence AS position, item_table, item_id::int AS id, version, action
     FROM gantry_change WHERE item_table = ANY ($1) ORDER BY epoch, transaction_id, sequence`,
    [Object.values(tables)],
  );
  const expected = rows.map(({ position, item_table: table, id, version, action }) =>
    [position, names.find((name) => tables[name] === table), id, version, action].join(' '),
  );
  const found = seen.map((row) => row.join(' '));
  const index = expected.findIndex((row, at) => row !== found[at]);
  if (index === -1 && found.length === expected.length) return;
  const at = index === -1 ? expected.length : index;
  throw new Error(
    `A reader got ${found.length} of ${expected.length} changes; at ${at}: "${found[at]}" instead of "${expected[at]}"`,
  );
}

async function assertNone(client, claim, sql, values) {
  const { rows } = await client.query(sql, values);
  if (rows.length === 0) return;
  throw new Error(`${rows.length} ${claim}: ${JSON.stringify(rows.slice(0, 3))}`);
}
