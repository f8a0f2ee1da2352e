import { Client } from 'pg';
import {
  bringUpToDate,
  planOnly,
  type PluginSchema,
  type SchemaOptions,
  type SchemaOutcome,
} from '../src/schema/bring-up-to-date';
import type { ChangedField, TableSpec } from '../src/table-spec';
import { useEmptyDatabase } from '../../../test/support/empty-database';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { column, foreignKey, index, tableSpec, trigramIndex } from '../../../test/support/table-specs';

const empty = useEmptyDatabase();

const plugin = (id: string, tables: readonly TableSpec[]): PluginSchema => ({ id, migrations: [], tables });

function run(plugins: readonly PluginSchema[], options: Partial<SchemaOptions> = {}): Promise<SchemaOutcome> {
  return bringUpToDate({ databaseUrl: empty.database.url, plugins, logger: createRecordedLogger(), ...options });
}

const nothing = { migrations: [], applied: [], differences: [], failures: [], kept: [], leftFields: [] };

/** Two tables that refer to each other, with every kind of column and index. */
const shop = plugin('shop', [
  tableSpec('shop', 'shop_item', {
    columns: [
      column('code', 'VARCHAR(255)', { nullable: false }),
      column('price', 'DECIMAL(19, 4)'),
      column('amount', 'int4', { nullable: false, default: '1' }),
      column('state', 'varchar(16)', { nullable: false, default: `'STAGED'` }),
      column('made', 'TIMESTAMPTZ(3)', { nullable: false, default: 'now()' }),
      column('shown', 'BOOL'),
      column('weight', 'DOUBLE PRECISION'),
      column('box_id', 'int8'),
    ],
    indexes: [
      index('shop_item_code_key', ['code', 'state'], { unique: true }),
      index('shop_item_price', ['price', 'id']),
      trigramIndex('shop_item_code_trgm', ['code']),
    ],
    foreignKeys: [foreignKey('shop_item_box_fk', 'box_id', 'shop_box')],
  }),
  tableSpec('shop', 'shop_box', {
    columns: [column('best_id', 'BIGINT'), column('parent_id', 'BIGINT')],
    foreignKeys: [
      foreignKey('shop_box_best_fk', 'best_id', 'shop_item'),
      foreignKey('shop_box_parent_fk', 'parent_id', 'shop_box'),
    ],
  }),
  {
    plugin: 'shop',
    name: 'shop_item_related',
    columns: [
      column('item_id', 'BIGINT', { nullable: false }),
      column('target_id', 'BIGINT', { nullable: false }),
      column('position', 'INTEGER', { nullable: false }),
    ],
    primaryKey: ['item_id', 'position'],
    indexes: [index('shop_item_related_target', ['target_id'])],
    foreignKeys: [
      { name: 'shop_item_related_item_fk', column: 'item_id', referencedTable: 'shop_item', onDelete: 'CASCADE' },
      foreignKey('shop_item_related_target_fk', 'target_id', 'shop_item'),
    ],
  },
]);

describe('bringUpToDate', () => {
  it('makes all tables, also ones that refer to each other, and then has nothing left to do', async () => {
    const first = await run([shop]);
    expect(first).toMatchObject({ differences: [], failures: [], kept: [] });
    expect(first.applied.map((step) => [step.kind, step.table])).toEqual([
      ['extension', ''],
      ['table', 'shop_item'],
      ['index', 'shop_item'],
      ['index', 'shop_item'],
      ['index', 'shop_item'],
      ['table', 'shop_box'],
      ['table', 'shop_item_related'],
      ['index', 'shop_item_related'],
      ['foreign-key', 'shop_item'],
      ['foreign-key', 'shop_box'],
      ['foreign-key', 'shop_box'],
      ['foreign-key', 'shop_item_related'],
      ['foreign-key', 'shop_item_related'],
    ]);
    expect(await run([shop])).toEqual(nothing);
  });

  it('lets several hosts start at once on an empty database: the work is done once', async () => {
    const outcomes = await Promise.all([run([shop]), run([shop]), run([shop])]);
    expect(outcomes.map((outcome) => outcome.applied.length).toSorted((a, b) => a - b)).toEqual([0, 0, 13]);
    expect(outcomes.flatMap((outcome) => [...outcome.failures, ...outcome.differences])).toEqual([]);
  });

  it('says who holds the lock when it does not get it in time', async () => {
    const blocked = new Client({ connectionString: empty.database.url, application_name: 'another host' });
    await blocked.connect();
    await blocked.query('SELECT pg_advisory_lock($1)', [0x67616e747279]);
    await expect(run([shop], { lockTimeoutMs: 100 })).rejects.toMatchObject({
      code: 'SCHEMA_LOCKED',
      message: expect.stringMatching(/more than 0\.1 s \(session \d+, another host from .*\)\.$/),
      remedy: expect.stringContaining('start again'),
    });
    await blocked.end();
    expect((await run([shop])).failures).toEqual([]);
  });

  it('rejects with UNAVAILABLE when the database cannot be reached', async () => {
    const url = new URL(empty.database.url);
    url.port = '1';
    const work = bringUpToDate({ databaseUrl: url.href, plugins: [shop], logger: createRecordedLogger() });
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('adds columns, indexes and foreign keys that are new, and keeps the rows', async () => {
    await run([plugin('shop', [tableSpec('shop', 'shop_item', { columns: [column('code', 'VARCHAR(255)')] })])]);
    await empty.client.query(`INSERT INTO shop_item (code) VALUES ('a')`);
    const outcome = await run([
      plugin('shop', [
        tableSpec('shop', 'shop_item', {
          columns: [
            column('code', 'VARCHAR(255)'),
            column('amount', 'INTEGER', { nullable: false, default: '7' }),
            column('parent_id', 'BIGINT'),
          ],
          indexes: [index('shop_item_amount', ['amount'])],
          foreignKeys: [foreignKey('shop_item_parent_fk', 'parent_id', 'shop_item')],
        }),
      ]),
    ]);
    expect(outcome).toMatchObject({ differences: [], failures: [] });
    expect((await empty.client.query('SELECT code, amount, parent_id FROM shop_item')).rows).toEqual([
      { code: 'a', amount: 7, parent_id: null },
    ]);
  });

  it('adds a required column without default as nullable to a table with rows, and reports what is left to do, also later', async () => {
    const before = plugin('shop', [tableSpec('shop', 'shop_item'), tableSpec('shop', 'shop_box')]);
    const required = { columns: [column('code', 'TEXT', { nullable: false })] };
    const after = plugin('shop', [tableSpec('shop', 'shop_item', required), tableSpec('shop', 'shop_box', required)]);
    await run([before]);
    await empty.client.query('INSERT INTO shop_item DEFAULT VALUES');
    const outcome = await run([after]);
    expect(outcome.applied.map((step) => step.statement)).toEqual([
      'ALTER TABLE "shop_item" ADD COLUMN "code" TEXT',
      'ALTER TABLE "shop_box" ADD COLUMN "code" TEXT NOT NULL',
    ]);
    const left = {
      plugin: 'shop',
      table: 'shop_item',
      statement: 'ALTER TABLE "shop_item" ALTER COLUMN "code" SET NOT NULL;',
    };
    expect(outcome.differences).toEqual([{ ...left, description: expect.stringContaining('without NOT NULL') }]);
    expect((await run([after])).differences).toEqual([
      { ...left, description: expect.stringContaining('is required in the model') },
    ]);
    await empty.client.query(`UPDATE shop_item SET code = 'x'; ${left.statement}`);
    expect(await run([after])).toEqual(nothing);
  });

  it('never drops, renames, narrows or changes anything: it reports the statement, which then fixes the difference', async () => {
    await run([shop]);
    await empty.client.query(`
      ALTER TABLE shop_item ALTER COLUMN code TYPE text, ALTER COLUMN price TYPE numeric(9,4),
        ALTER COLUMN amount DROP NOT NULL, ALTER COLUMN weight SET NOT NULL, ALTER COLUMN state SET DEFAULT 'ONLINE',
        ADD COLUMN old_kept text, ALTER COLUMN id DROP IDENTITY;
      DROP INDEX shop_item_price; CREATE INDEX shop_item_price ON shop_item (price) WHERE price > 0;
      DROP INDEX shop_item_code_trgm; CREATE INDEX shop_item_code_trgm ON shop_item (code);
      DROP INDEX shop_item_code_key; CREATE INDEX shop_item_code_key ON shop_item (code, state);
      ALTER INDEX shop_item_related_target RENAME TO by_target;
      ALTER TABLE shop_box RENAME CONSTRAINT shop_box_best_fk TO best;
      ALTER TABLE shop_box DROP CONSTRAINT shop_box_parent_fk,
        ADD CONSTRAINT shop_box_parent_fk FOREIGN KEY (parent_id) REFERENCES shop_box ON DELETE SET NULL;
      ALTER TABLE shop_item DROP CONSTRAINT shop_item_box_fk,
        ADD CONSTRAINT shop_item_box_fk FOREIGN KEY (box_id) REFERENCES shop_box ON DELETE RESTRICT NOT VALID;
      ALTER TABLE shop_item_related DROP CONSTRAINT shop_item_related_pkey;`);
    const outcome = await run([shop]);
    expect(outcome.applied).toEqual([]);
    expect(outcome.failures).toEqual([]);
    expect(outcome.differences.map((difference) => difference.statement)).toEqual([
      'ALTER TABLE "shop_item" ALTER COLUMN "id" ADD GENERATED BY DEFAULT AS IDENTITY;',
      'ALTER TABLE "shop_item" ALTER COLUMN "code" TYPE character varying(255);',
      'ALTER TABLE "shop_item" ALTER COLUMN "price" TYPE numeric(19,4) USING "price"::numeric(19,4);',
      'ALTER TABLE "shop_item" ALTER COLUMN "amount" SET NOT NULL;',
      `ALTER TABLE "shop_item" ALTER COLUMN "state" SET DEFAULT 'STAGED'::character varying;`,
      'ALTER TABLE "shop_item" ALTER COLUMN "weight" DROP NOT NULL;',
      'DROP INDEX "shop_item_code_key"; CREATE UNIQUE INDEX "shop_item_code_key" ON "shop_item" USING btree ("code", "state");',
      'DROP INDEX "shop_item_price"; CREATE INDEX "shop_item_price" ON "shop_item" USING btree ("price", "id");',
      'DROP INDEX "shop_item_code_trgm"; CREATE INDEX "shop_item_code_trgm" ON "shop_item" USING gin ("code" gin_trgm_ops);',
      'ALTER TABLE "shop_item" VALIDATE CONSTRAINT "shop_item_box_fk";',
      'ALTER TABLE "shop_box" RENAME CONSTRAINT "best" TO "shop_box_best_fk";',
      'ALTER TABLE "shop_box" DROP CONSTRAINT "shop_box_parent_fk"; ALTER TABLE "shop_box" ADD CONSTRAINT "shop_box_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "shop_box" ("id") ON DELETE RESTRICT;',
      'ALTER TABLE "shop_item_related" ADD PRIMARY KEY ("item_id", "position");',
      'ALTER INDEX "by_target" RENAME TO "shop_item_related_target";',
    ]);
    expect(outcome.differences.map((difference) => difference.description)).toContainEqual(
      expect.stringMatching(/"price" .* numeric\(9,4\) .* numeric\(19,4\)/),
    );
    for (const { statement } of outcome.differences) await empty.client.query(statement);
    expect(await run([shop])).toEqual({
      ...nothing,
      kept: [{ plugin: 'shop', table: 'shop_item', column: 'old_kept' }],
      leftFields: [],
    });
  });

  it('reports a private column that the database computes by itself, and refuses one of a field', async () => {
    const columns = [column('twice', 'BIGINT'), column('version', 'INTEGER'), column('updated_at', 'TIMESTAMPTZ')];
    const wantedAs = (fields: readonly ChangedField[]) =>
      plugin('shop', [tableSpec('shop', 'shop_item', { columns, changes: { fields } })]);
    const wanted = wantedAs([]);
    await empty.client.query(
      'CREATE TABLE shop_item (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, twice bigint GENERATED ALWAYS AS (id * 2) STORED, version integer, updated_at timestamptz)',
    );
    expect((await run([wantedAs([{ name: 'twice', column: 'twice' }])])).failures).toMatchObject([
      { code: 'SCHEMA_COLUMN_RETYPED', remedy: expect.stringContaining('"twice" DROP EXPRESSION;') },
    ]);
    const { differences } = await run([wanted]);
    expect(differences.map((difference) => difference.statement)).toEqual([
      'ALTER TABLE "shop_item" ALTER COLUMN "twice" DROP EXPRESSION;',
    ]);
    await empty.client.query(differences[0]?.statement ?? '');
    expect(await run([wanted])).toEqual(nothing);
  });

  it('quotes names whatever they hold', async () => {
    const odd = plugin('shop', [
      tableSpec('shop', 'Odd "table"; --', {
        columns: [column('select', 'TEXT', { default: `'it''s'` })],
        indexes: [index('order "by"', ['select'])],
        foreignKeys: [foreignKey('a "key"', 'id', 'Odd "table"; --')],
      }),
    ]);
    expect((await run([odd])).failures).toEqual([]);
    expect(await run([odd])).toEqual(nothing);
  });

  it('uses trigram indexes of an extension that is in another schema', async () => {
    await empty.client.query('CREATE SCHEMA extensions; CREATE EXTENSION pg_trgm SCHEMA extensions');
    expect((await run([shop])).failures).toEqual([]);
    expect(await run([shop])).toEqual(nothing);
    await empty.client.query('DROP SCHEMA extensions CASCADE');
  });

  it('reports an index that a broken creation left invalid', async () => {
    await run([shop]);
    await empty.client.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'shop_item_price'::regclass`);
    expect((await run([shop])).differences.map((difference) => difference.statement)).toEqual([
      'REINDEX INDEX "shop_item_price";',
    ]);
  });

  it('leaves tables that are in use alone after a time, and says so', async () => {
    await run([plugin('shop', [tableSpec('shop', 'shop_item')])]);
    await empty.client.query('BEGIN; LOCK TABLE shop_item');
    const changed = plugin('shop', [tableSpec('shop', 'shop_item', { columns: [column('code', 'TEXT')] })]);
    const outcome = await run([changed], { tableTimeoutMs: 100 });
    expect(outcome.failures).toMatchObject([{ plugin: 'shop', code: 'SCHEMA_TABLE_BUSY' }]);
    await empty.client.query('ROLLBACK');
  });
});

describe('planOnly', () => {
  it('prints what would be done and changes nothing', async () => {
    const plan = await planOnly({ databaseUrl: empty.database.url, plugins: [shop] });
    expect(plan.steps).toHaveLength(13);
    expect(plan.steps[1]?.statement).toContain(
      'CREATE TABLE "shop_item" (\n  "id" BIGINT GENERATED BY DEFAULT AS IDENTITY NOT NULL,',
    );
    const { rows } = await empty.client.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([]);
    expect((await empty.client.query('SELECT extname FROM pg_extension')).rows).toEqual([{ extname: 'plpgsql' }]);
    expect((await run([shop])).applied).toEqual(plan.steps);
  });

  it('lists tables of types and links that the plugin has removed, with what removes them', async () => {
    await run([{ ...shop, version: '1.0.0' }]);
    const tables = shop.tables.filter(({ name }) => name === 'shop_item');
    const { leftTables } = await planOnly({
      databaseUrl: empty.database.url,
      plugins: [
        plugin(
          'shop',
          tables.map((table) => ({ ...table, foreignKeys: [] })),
        ),
      ],
    });
    expect(leftTables).toEqual([
      { plugin: 'shop', table: 'shop_item_related', statement: 'DROP TABLE "shop_item_related";' },
    ]);
  });

  it('offers no statement for tables of a plugin that cannot run', async () => {
    await run([{ ...shop, version: '1.0.0' }]);
    const tables = shop.tables
      .filter(({ name }) => name === 'shop_item')
      .map((table) => ({ ...table, foreignKeys: [], columns: [column('code', 'BIGINT')], indexes: [] }));
    const { failures, leftTables } = await planOnly({
      databaseUrl: empty.database.url,
      plugins: [plugin('shop', tables)],
    });
    expect(failures).toMatchObject([{ code: 'SCHEMA_COLUMN_RETYPED' }]);
    expect(leftTables).toEqual([{ plugin: 'shop', table: 'shop_item_related' }]);
  });
});
