import { Client } from 'pg';
import { readChangeLag } from '../../src/changes/change-lag';
import { createDatabase } from '../../src/create-database';
import { bringUpToDate } from '../../src/schema/bring-up-to-date';
import type { TableSpec } from '../../src/table-spec';
import { eventually } from '../../../../test/support/eventually';
import { useEmptyDatabase } from '../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';
import { column, tableSpec } from '../../../../test/support/table-specs';

const empty = useEmptyDatabase();

const base = [
  column('updated_at', 'timestamptz(3)', { nullable: false, default: 'now()' }),
  column('version', 'integer', { nullable: false, default: '1' }),
];

const shelf: TableSpec = tableSpec('shop', 'shop_shelf', {
  columns: [...base, column('name', 'text')],
  search: { label: ['name'] },
  changes: { fields: [{ name: 'name', column: 'name' }] },
});

const target = { table: 'shop_shelf', isCodeFirst: false };

const item: TableSpec = tableSpec('shop', 'shop_item', {
  columns: [
    ...base,
    column('name', 'text'),
    column('price', 'numeric(19,4)'),
    column('shelf_id', 'bigint'),
    column('secret', 'text'),
  ],
  search: { label: ['name'] },
  changes: {
    fields: [
      { name: 'name', column: 'name' },
      { name: 'price', column: 'price' },
      { name: 'shelf', column: 'shelf_id', target },
      { name: 'near', column: '', linkTable: 'shop_item_near', target },
    ],
  },
});

const near: TableSpec = {
  plugin: 'shop',
  name: 'shop_item_near',
  columns: [
    { name: 'item_id', type: 'BIGINT', nullable: false },
    { name: 'target_id', type: 'BIGINT', nullable: false },
    { name: 'position', type: 'INTEGER', nullable: false },
  ],
  primaryKey: ['item_id', 'target_id'],
  indexes: [],
  foreignKeys: [{ name: 'near_item', column: 'item_id', referencedTable: 'shop_item', onDelete: 'CASCADE' }],
  links: { itemTable: 'shop_item', name: 'near', target },
};

async function bringUp(tables: readonly TableSpec[] = [shelf, item, near]) {
  const plugins = [{ id: 'shop', migrations: [], tables }];
  const outcome = await bringUpToDate({ databaseUrl: empty.database.url, plugins, logger: createRecordedLogger() });
  expect(outcome.failures).toEqual([]);
  return outcome;
}

beforeEach(async () => {
  await bringUp();
  await query(`INSERT INTO shop_shelf (name) VALUES ('Upper'), ('Lower')`);
});

async function query(sql: string, client = empty.client): Promise<void> {
  await client.query(sql);
}

interface Change {
  readonly id: number;
  readonly version: number;
  readonly action: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly previous: Readonly<Record<string, unknown>> | null;
  readonly labels: Readonly<Record<string, unknown>> | null;
}

async function changes(): Promise<readonly Change[]> {
  const { rows } = await empty.client.query<Change>(
    `SELECT item_id::int AS id, version, action, values, previous, labels FROM gantry_change
     WHERE item_table = 'shop_item' ORDER BY epoch, transaction_id, sequence`,
  );
  return rows;
}

describe('changes of rows', () => {
  it('of many rows find labels by an index, also in a session that has written rows while the tables were small', async () => {
    await query('ANALYZE gantry_search');
    for (let count = 0; count < 8; count += 1) await query('INSERT INTO shop_item (shelf_id) VALUES (1)');
    await query('BEGIN');
    for (const first of [1, 1001]) {
      await query(
        `INSERT INTO shop_item (name, shelf_id) SELECT 'N' || i, 1 FROM generate_series(${first}, ${first + 999}) i`,
      );
    }
    const { rows } = await empty.client.query<{ seen: number }>(
      `SELECT seq_tup_read::int AS seen FROM pg_stat_xact_user_tables WHERE relname = 'gantry_search'`,
    );
    await query('ROLLBACK');

    expect(rows[0]?.seen).toBeLessThan(1000);
  });

  it('are written for each statement, with the values, what they were before, and labels of references', async () => {
    await query(
      `INSERT INTO shop_item (name, price, shelf_id, secret) VALUES ('A', 1.50, 1, 'x'), ('B', NULL, NULL, 'y')`,
    );
    await query(`UPDATE shop_item SET price = 2, shelf_id = 2, secret = 'z' WHERE id = 1`);
    await query('DELETE FROM shop_item WHERE id = 2');
    const a = { name: 'A', price: 1.5, shelf: 1, near: [] };
    expect(await changes()).toEqual([
      { id: 1, version: 1, action: 'created', values: a, previous: null, labels: { shelf: { 1: 'Upper' } } },
      {
        id: 2,
        version: 1,
        action: 'created',
        values: { name: 'B', price: null, shelf: null, near: [] },
        previous: null,
        labels: null,
      },
      {
        id: 1,
        version: 2,
        action: 'updated',
        values: { ...a, price: 2, shelf: 2 },
        previous: { price: 1.5, shelf: 1 },
        labels: { shelf: { 2: 'Lower' } },
      },
      {
        id: 2,
        version: 1,
        action: 'deleted',
        values: { name: 'B', price: null, shelf: null, near: [] },
        previous: null,
        labels: null,
      },
    ]);
  });

  it('keep every digit of decimals, and have each version of several updates in one transaction', async () => {
    await query(`INSERT INTO shop_item (price) VALUES (123456789012345.6789)`);
    await query(`BEGIN; UPDATE shop_item SET name = 'one'; UPDATE shop_item SET name = 'two'; COMMIT`);
    const { rows } = await empty.client.query<{ texts: string[] }>(
      `SELECT array_agg(values ->> 'price' || ' ' || version ORDER BY sequence) AS texts FROM gantry_change WHERE item_table = 'shop_item'`,
    );
    expect(rows[0]?.texts).toEqual(['123456789012345.6789 1', '123456789012345.6789 2', '123456789012345.6789 3']);
  });

  it('are not written for updates that change nothing; the version stays', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A')`);
    await query(`UPDATE shop_item SET name = 'A'`);
    expect(await changes()).toHaveLength(1);
    const { rows } = await empty.client.query('SELECT version FROM shop_item');
    expect(rows).toEqual([{ version: 1 }]);
  });

  it('keep a version that the statement itself raises, and have none of private columns but their version', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A')`);
    await query(`UPDATE shop_item SET name = 'B', version = version + 1`);
    await query(`UPDATE shop_item SET secret = 'hidden'`);
    expect((await changes()).map(({ version, previous }) => [version, previous])).toEqual([
      [1, null],
      [2, { name: 'A' }],
      [3, {}],
    ]);
    const { rows } = await empty.client.query(
      `SELECT count(*)::int AS n FROM gantry_change WHERE gantry_change::text ~ 'hidden'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('follow a change of the id, COPY-like inserts of many rows, and TRUNCATE', async () => {
    await query(`INSERT INTO shop_item (name) SELECT 'N' || n FROM generate_series(1, 3000) n`);
    await query('UPDATE shop_item SET id = 9000 WHERE id = 1');
    await query('TRUNCATE shop_item CASCADE');
    const { rows } = await empty.client.query(
      `SELECT action, count(*)::int AS n FROM gantry_change WHERE item_table = 'shop_item' GROUP BY action ORDER BY action`,
    );
    expect(rows).toEqual([
      { action: 'created', n: 3001 },
      { action: 'deleted', n: 3001 },
    ]);
  });
});

describe('changes of ids', () => {
  const rows = async () => (await changes()).map(({ id, version, action }) => `${id} ${version} ${action}`);

  it('end one item and begin another, alone and among other changes', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A'), ('B'), ('C')`);
    await query('UPDATE shop_item SET id = CASE id WHEN 1 THEN 7 ELSE id END, price = 5 WHERE id < 3');
    await query('UPDATE shop_item SET price = 6 WHERE id = 7');
    expect((await rows()).slice(3)).toEqual(['2 2 updated', '1 1 deleted', '7 2 created', '7 3 updated']);
  });

  it('that are swapped are changes of both items', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A'), ('B');
      ALTER TABLE shop_item_near DROP CONSTRAINT near_item; ALTER TABLE shop_item DROP CONSTRAINT shop_item_pkey`);
    await query('UPDATE shop_item SET id = 3 - id');
    expect((await rows()).slice(2).toSorted()).toEqual(['1 2 updated', '2 2 updated']);
  });

  it('are recorded of migrations, too', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A')`);
    await query(`SET gantry.is_migrating = 'on'; UPDATE shop_item SET id = 5; RESET gantry.is_migrating`);
    expect((await rows()).slice(1)).toEqual(['1 1 deleted', '5 2 created']);
  });
});

describe('changes of links', () => {
  const link = (...targets: readonly number[]) =>
    `INSERT INTO shop_item_near SELECT 1, t, n FROM unnest(ARRAY[${targets.join(', ')}]::bigint[]) WITH ORDINALITY AS u (t, n)`;

  it('are part of the row that their transaction writes for the item', async () => {
    await query(`BEGIN; INSERT INTO shop_item (name) VALUES ('A'); ${link(2, 1)}; COMMIT`);
    await query(`BEGIN; UPDATE shop_item SET name = 'B'; DELETE FROM shop_item_near; ${link(1)}; COMMIT`);
    expect(await changes()).toEqual([
      {
        id: 1,
        version: 1,
        action: 'created',
        values: { name: 'A', price: null, shelf: null, near: [2, 1] },
        previous: null,
        labels: { near: { 1: 'Upper', 2: 'Lower' } },
      },
      {
        id: 1,
        version: 2,
        action: 'updated',
        values: { name: 'B', price: null, shelf: null, near: [1] },
        previous: { name: 'A', near: [2, 1] },
        labels: { near: { 1: 'Upper' } },
      },
    ]);
  });

  it('alone are a new version of the item, with the links before', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A')`);
    await query(link(1, 2));
    await query('UPDATE shop_item_near SET position = 3 - position');
    await query('DELETE FROM shop_item_near WHERE target_id = 1');
    await query('TRUNCATE shop_item_near');
    expect((await changes()).map(({ version, values, previous }) => [version, values.near, previous])).toEqual([
      [1, [], null],
      [2, [1, 2], { near: [] }],
      [3, [2, 1], { near: [1, 2] }],
      [4, [2], { near: [2, 1] }],
      [5, [], { near: [2] }],
    ]);
  });

  it('that go with their item are in its last row, and write no other', async () => {
    await query(`BEGIN; INSERT INTO shop_item (name) VALUES ('A'); ${link(2)}; COMMIT`);
    await query('DELETE FROM shop_item');
    expect((await changes()).map(({ action, values }) => [action, values.near])).toEqual([
      ['created', [2]],
      ['deleted', [2]],
    ]);
  });
});

describe('who changes', () => {
  const last = `SELECT actor, source, request_id, token, restored_version, action FROM gantry_change ORDER BY sequence DESC LIMIT 1`;

  it('is what the transaction says, else the user of the database', async () => {
    const origin = ['user:7', 'rest', 'req-1', 'tok', '3'].join('\u001f');
    await query(`BEGIN; SET LOCAL gantry.origin = '${origin}'; INSERT INTO shop_item (name) VALUES ('A'); COMMIT`);
    expect((await empty.client.query(last)).rows).toEqual([
      { actor: 'user:7', source: 'rest', request_id: 'req-1', token: 'tok', restored_version: 3, action: 'restored' },
    ]);
    await query(`UPDATE shop_item SET name = 'B'`);
    expect((await empty.client.query(last)).rows).toEqual([
      {
        actor: expect.stringMatching(/^database:./),
        source: 'sql',
        request_id: null,
        token: null,
        restored_version: null,
        action: 'updated',
      },
    ]);
  });

  it('is a migration on its connections, also where columns are gone', async () => {
    await query(`INSERT INTO shop_item (name, price) VALUES ('A', 3)`);
    await query(
      `SET gantry.is_migrating = 'on'; ALTER TABLE shop_item DROP COLUMN price; UPDATE shop_item SET name = 'B';
       INSERT INTO shop_item (name) VALUES ('C'); DELETE FROM shop_item WHERE id = 1; RESET gantry.is_migrating`,
    );
    expect((await changes()).slice(1)).toEqual([
      {
        id: 1,
        version: 2,
        action: 'updated',
        values: { name: 'B', shelf: null },
        previous: { name: 'A' },
        labels: null,
      },
      { id: 2, version: 1, action: 'created', values: { name: 'C', shelf: null }, previous: null, labels: null },
      { id: 1, version: 2, action: 'deleted', values: { name: 'B', shelf: null }, previous: null, labels: null },
    ]);
    expect((await empty.client.query(last)).rows).toMatchObject([{ source: 'migration' }]);
  });
});

describe('positions', () => {
  it('of one item are in the order of its versions, also where the older transaction changes it last', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A'), ('B')`);
    const older = new Client({ connectionString: empty.database.url });
    await older.connect();
    try {
      await query(`BEGIN; UPDATE shop_item SET name = 'other' WHERE id = 2`, older);
      await query(`UPDATE shop_item SET name = 'first' WHERE id = 1`);
      await query(`UPDATE shop_item SET name = 'second' WHERE id = 1; COMMIT`, older);
    } finally {
      await older.end();
    }
    const versions = (await changes()).filter(({ id }) => id === 1).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3]);
  });

  it('are also in order where the older transaction waits for the row', async () => {
    await query(`INSERT INTO shop_item (name) VALUES ('A'), ('B')`);
    const older = new Client({ connectionString: empty.database.url });
    await older.connect();
    try {
      await query(`BEGIN; UPDATE shop_item SET name = 'other' WHERE id = 2`, older);
      await query(`BEGIN; UPDATE shop_item SET name = 'first' WHERE id = 1`);
      const waiting = query(`UPDATE shop_item SET name = 'second' WHERE id = 1; COMMIT`, older);
      await eventually(async () => {
        const { rows } = await empty.client.query(`SELECT FROM pg_locks WHERE NOT granted`);
        return rows.length === 1;
      });
      await query('COMMIT');
      await waiting;
    } finally {
      await older.end();
    }
    const versions = (await changes()).filter(({ id }) => id === 1).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3]);
  });
});

describe('the lag of readers', () => {
  it('is the age of the oldest transaction that may still write', async () => {
    const database = createDatabase({ url: empty.database.url, logger: createRecordedLogger() });
    const reader = new Client({ connectionString: empty.database.url, application_name: 'only reads' });
    const writer = new Client({ connectionString: empty.database.url, application_name: 'slow import' });
    await Promise.all([reader.connect(), writer.connect()]);
    try {
      await query('BEGIN; SELECT 1', reader);
      await query(`BEGIN; INSERT INTO shop_item (name) VALUES ('A')`, writer);
      await query(`BEGIN; INSERT INTO shop_item (name) VALUES ('B')`);
      // Other tests may write on the same server, but none for long.
      await eventually(async () => (await readChangeLag(database))?.name === 'slow import');
      const lag = await readChangeLag(database);
      expect(lag?.seconds).toBeLessThan(60);
      expect(lag?.pid).toBeGreaterThan(0);
      await query('COMMIT', writer);
      await eventually(async () => (await readChangeLag(database))?.name !== 'slow import');
      await query('COMMIT');
    } finally {
      await Promise.all([reader.end(), writer.end(), database.close()]);
    }
  });
});

describe('the schema of the feed', () => {
  it('is made once, and again where a trigger is missing', async () => {
    expect((await bringUp()).applied).toEqual([]);
    await query(
      'DROP TRIGGER gantry_change_insert ON shop_item; ALTER TABLE shop_item_near DISABLE TRIGGER gantry_change_delete',
    );
    const { applied } = await bringUp();
    expect(applied.map(({ kind, table }) => [kind, table])).toEqual([
      ['changes', 'gantry_change'],
      ['changes', 'shop_item'],
      ['changes', 'shop_item_near'],
    ]);
  });

  it('has partitions of this month and the next two, into which rows go', async () => {
    const { rows } = await empty.client.query<{ name: string }>(
      `SELECT DISTINCT tableoid::regclass::text AS name FROM gantry_change`,
    );
    const month = new Date().toISOString().slice(0, 7).replace('-', '_');
    expect(rows).toEqual([{ name: `gantry_change_${month}` }]);
    const parts = await empty.client.query(`SELECT 1 FROM pg_inherits WHERE inhparent = 'gantry_change'::regclass`);
    expect(parts.rows).toHaveLength(4);
  });
});
