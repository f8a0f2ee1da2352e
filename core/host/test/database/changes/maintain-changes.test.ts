import { Client } from 'pg';
import {
  bringUpToDate,
  changeRetention,
  createPartitions,
  maintainChanges,
  monthsBefore,
  type Ask,
  type ChangeRetention,
} from '@gantry/core-database';
import { takeSchemaLock } from '@gantry/core-database/schema-lock';
import { identitySchema } from '@gantry/core-identity/commands';
import { subscriptionSchema } from '@gantry/core-webhooks/commands';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';
import { column, tableSpec } from '../../../../../test/support/table-specs';

const empty = useEmptyDatabase();
const logger = createRecordedLogger();
const now = new Date();
const never = new AbortController().signal;

const item = tableSpec('shop', 'shop_item', {
  columns: [
    column('updated_at', 'timestamptz(3)', { nullable: false, default: 'now()' }),
    column('version', 'integer', { nullable: false, default: '1' }),
    column('name', 'text'),
  ],
  changes: { fields: [{ name: 'name', column: 'name' }] },
});

const plugins = [identitySchema, subscriptionSchema, { id: 'shop', migrations: [], tables: [item] }];

beforeEach(async () => {
  const { failures } = await bringUpToDate({ databaseUrl: empty.database.url, plugins, logger });
  expect(failures).toEqual([]);
});

const ask: Ask = async <T extends object>(sql: string, values: readonly unknown[] = []) =>
  (await empty.client.query<T>(sql, [...values])).rows;

function retain(retention: ChangeRetention): Promise<unknown> {
  return changeRetention(ask, () => retention);
}

function maintain(at = now) {
  return maintainChanges({ databaseUrl: empty.database.url, logger, owners: plugins, now: at, signal: never });
}

/** One change of the table in each of the last months, as the triggers would have written it. */
async function changeEachMonth(months: number, table = 'shop_item'): Promise<void> {
  await ask(
    `INSERT INTO gantry_change (transaction_id, written_by, at, item_table, item_id, version, action, actor, source, values)
     SELECT 1, 1, ($1::timestamptz AT TIME ZONE 'UTC' - make_interval(months => n)) AT TIME ZONE 'UTC', $2, n + 1, 1, 'created', 'system', 'system', '{}'
     FROM generate_series(0, $3::int - 1) n`,
    [now, table, months],
  );
}

/** Partitions for the months before this one. */
async function createEarlier(months: number): Promise<void> {
  for (let month = months; month > 0; month -= 1) {
    await createPartitions(
      empty.client,
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - month, 1)),
      logger,
    );
  }
}

async function partitions(): Promise<readonly string[]> {
  const rows = await ask<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'gantry_change'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function countRows(table: string): Promise<number> {
  const [row] = await ask<{ n: number }>('SELECT count(*)::int AS n FROM gantry_change WHERE item_table = $1', [table]);
  return row?.n ?? 0;
}

describe('maintenance of the change feed', () => {
  it('marks the subscriptions that have not passed what retention drops', async () => {
    await createEarlier(4);
    await changeEachMonth(5);
    await ask(
      `INSERT INTO gantry_subscription (kind, name, epoch, transaction_id, sequence)
       VALUES ('webhook', 'behind', 0, 0, 0), ('webhook', 'ahead', 1, 9, 0)`,
    );
    await retain({ months: 2, types: {} });

    await maintain();

    expect(await ask('SELECT name, gap_since IS NOT NULL AS "hasGap" FROM gantry_subscription ORDER BY name')).toEqual([
      { name: 'ahead', hasGap: false },
      { name: 'behind', hasGap: true },
    ]);
  });

  it('marks the subscriptions that have not passed what the retention of a type deletes, but no webhooks for other types', async () => {
    await changeEachMonth(5);
    for (const [name, types, sequence] of [
      ['all', '{}', 0],
      ['ahead', '{shopItem}', 9],
      ['other', '{recipe}', 0],
      ['same', '{shopItem,recipe}', 0],
    ]) {
      await ask(
        `WITH s AS (INSERT INTO gantry_subscription (kind, name, epoch, transaction_id, sequence)
           VALUES ('webhook', $1, $3::int, $3, $3) RETURNING id, name)
         INSERT INTO gantry_webhook (subscription_id, name, url, types, actions, filter, header_names, encrypted_headers, encrypted_secret)
         SELECT id, name, 'https://example.com', $2::text[], '{}', '[]', '{}', '', '' FROM s`,
        [name, types, sequence],
      );
    }
    await retain({ types: { shopItem: { table: 'shop_item', months: 2 } } });

    await maintain();

    const marked = await ask<{ name: string }>('SELECT name FROM gantry_subscription WHERE gap_since IS NOT NULL');
    expect(marked.map(({ name }) => name).toSorted()).toEqual(['all', 'same']);
  });

  it('makes partitions ahead of time, and moves rows there that the default partition got meanwhile', async () => {
    await ask(
      `INSERT INTO gantry_change (transaction_id, written_by, at, item_table, item_id, version, action, actor, source, values)
      VALUES (7, 7, $1::timestamptz + interval '3 months', 'shop_item', 1, 1, 'created', 'system', 'system', '{"name": "A"}')`,
      [now],
    );
    const before = await partitions();
    const [row] = await ask<{ sequence: string }>('SELECT sequence, epoch FROM gantry_change_default');

    await maintain(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));

    const added = (await partitions()).filter((name) => !before.includes(name));
    expect(added).toHaveLength(1);
    expect(await ask(`SELECT sequence, epoch FROM ${added[0] ?? ''}`)).toEqual([row]);
    expect(await ask('SELECT 1 FROM gantry_change_default')).toEqual([]);
  });

  it('keeps everything unless a retention is stored', async () => {
    await createEarlier(5);
    await changeEachMonth(6);

    expect(await maintain()).toEqual({ dropped: [], deleted: {} });
    expect(await countRows('shop_item')).toBe(6);
  });

  it('drops whole months that are older than the retention of all types, and deletes such rows of the default partition', async () => {
    await changeEachMonth(6);
    await createEarlier(3);
    const before = await partitions();
    await retain({ months: 2, types: {} });

    const report = await maintain();

    expect(report?.dropped).toEqual(before.filter((name) => name !== 'gantry_change_default').slice(0, 1));
    expect(report?.deleted).toEqual({ '*': 2 });
    // Of this month and the two before it.
    expect(await countRows('shop_item')).toBe(3);
    expect(await partitions()).toEqual(before.filter((name) => name !== report?.dropped[0]));
  });

  it('deletes the changes of one type that are older than its retention, in batches, from all partitions', async () => {
    await changeEachMonth(6);
    await createEarlier(2);
    await changeEachMonth(6, 'shop_other');
    await ask(
      `INSERT INTO gantry_change (transaction_id, written_by, at, item_table, item_id, version, action, actor, source, values)
      SELECT 1, 1, $1::timestamptz - interval '2 months', 'shop_item', n, 1, 'created', 'system', 'system', '{}'
      FROM generate_series(1, 12000) n`,
      [now],
    );
    await retain({ types: { item: { table: 'shop_item', months: 1 } } });

    // Rows of a month ago are not older than a month.
    expect(await maintain()).toEqual({ dropped: [], deleted: { shop_item: 12_004 } });
    expect([await countRows('shop_item'), await countRows('shop_other')]).toEqual([2, 6]);
  });

  it('is done by one host at a time, and leaves partitions for later while a host starts or a transaction uses them', async () => {
    await createEarlier(3);
    await retain({ months: 1, types: {} });
    const other = new Client({ connectionString: empty.database.url });
    await other.connect();
    try {
      const reports = await Promise.all([maintain(), maintain(), maintain()]);
      expect(reports.filter((report) => (report?.dropped.length ?? 0) > 0)).toHaveLength(1);
      await createEarlier(3);
      await takeSchemaLock(other, 1_000);
      expect((await maintain())?.dropped).toEqual([]);
      await other.query('SELECT pg_advisory_unlock_all(); BEGIN; LOCK TABLE gantry_change IN ACCESS SHARE MODE');
      expect((await maintain())?.dropped).toEqual([]);
      expect(logger.lines).toContainEqual(
        expect.objectContaining({ level: 'warn', message: expect.stringContaining('partition') }),
      );
      await other.query('COMMIT');
      expect((await maintain())?.dropped).toHaveLength(2);
    } finally {
      await other.end();
    }
  });
});

describe('months before a day', () => {
  it.each([
    ['2026-05-31T10:00:00Z', 3, '2026-02-28T10:00:00.000Z'],
    ['2026-01-15T00:00:00Z', 2, '2025-11-15T00:00:00.000Z'],
    ['2028-03-30T00:00:00Z', 1, '2028-02-29T00:00:00.000Z'],
  ])('%s less %d is %s', (day, months, expected) => {
    expect(monthsBefore(new Date(day), months).toISOString()).toBe(expected);
  });
});
