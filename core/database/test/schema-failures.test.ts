import { bringUpToDate, planOnly, type PluginSchema, type SchemaOutcome } from '../src/schema/bring-up-to-date';
import { describeStepFailure } from '../src/schema/failures/describe-step-failure';
import type { TableSpec } from '../src/table-spec';
import { useEmptyDatabase } from '../../../test/support/empty-database';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { column, foreignKey, index, tableSpec, trigramIndex } from '../../../test/support/table-specs';

const empty = useEmptyDatabase();

const plugin = (id: string, tables: readonly TableSpec[]): PluginSchema => ({ id, migrations: [], tables });
const sound = plugin('sound', [tableSpec('sound', 'sound_item')]);

function run(plugins: readonly PluginSchema[], url = empty.database.url): Promise<SchemaOutcome> {
  return bringUpToDate({ databaseUrl: url, plugins, logger: createRecordedLogger() });
}

async function expectSoundWasMade(): Promise<void> {
  expect((await empty.client.query('SELECT count(*)::int AS count FROM sound_item')).rows).toEqual([{ count: 0 }]);
}

describe('bringUpToDate with a plugin that fails', () => {
  it('names table and columns when rows are in the way of a unique index, undoes that table, and does the others', async () => {
    await run([plugin('shop', [tableSpec('shop', 'shop_item', { columns: [column('code', 'TEXT')] })])]);
    await empty.client.query(`INSERT INTO shop_item (code) VALUES ('secret'), ('secret')`);
    const outcome = await run([
      plugin('shop', [
        tableSpec('shop', 'shop_item', {
          columns: [column('code', 'TEXT'), column('name', 'TEXT')],
          indexes: [index('shop_item_code_key', ['code'], { unique: true })],
        }),
      ]),
      sound,
    ]);
    expect(outcome.failures).toEqual([
      {
        plugin: 'shop',
        code: 'SCHEMA_DUPLICATE_ROWS',
        reason: expect.stringMatching(/^Table "shop_item": .* "code" .*unique/),
        remedy: expect.stringContaining('SELECT "code", count(*) FROM "shop_item" GROUP BY "code" HAVING count(*) > 1'),
      },
    ]);
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(outcome.applied.map((step) => step.table)).toEqual(['sound_item']);
    await expect(empty.client.query('SELECT name FROM shop_item')).rejects.toMatchObject({ code: '42703' });
    await expectSoundWasMade();
  });

  it.each([
    [
      'BIGINT',
      'VARCHAR(255)',
      'bigint',
      'character varying(255)',
      /: ALTER TABLE "shop_item" ALTER COLUMN "code" TYPE character varying\(255\);$/,
    ],
    [
      'TEXT',
      'NUMERIC(9,2)',
      'text',
      'numeric(9,2)',
      / TYPE numeric\(9,2\) USING CASE WHEN "code"::numeric = .* THEN "code"::numeric\(9,2\) /,
    ],
    ['JSONB', 'TEXT', 'jsonb', 'text', /^[^:]* convert the column /],
    [
      'INTEGER',
      'BOOLEAN',
      'integer',
      'boolean',
      / TYPE boolean USING CASE WHEN "code" = "code"::boolean::integer THEN "code"::boolean /,
    ],
    ['TEXT[]', 'TEXT', 'text[]', 'text', /^[^:]* convert the column /],
  ])('refuses a column that was %s and is %s, before anything is done', async (was, is, before, after, remedy) => {
    const shop = (type: string) =>
      plugin('shop', [
        tableSpec('shop', 'shop_item', {
          columns: [column('code', type)],
          indexes: type === is && /TEXT|VARCHAR/.test(is) ? [trigramIndex('shop_item_code_trgm', ['code'])] : [],
        }),
      ]);
    await run([shop(was)]);
    const failures = [
      {
        plugin: 'shop',
        code: 'SCHEMA_COLUMN_RETYPED',
        reason: expect.stringContaining(
          `"shop_item": column "code" is ${before} in the database and ${after} in the model`,
        ),
        remedy: expect.stringMatching(remedy),
      },
    ];
    expect(await planOnly({ databaseUrl: empty.database.url, plugins: [shop(is)] })).toMatchObject({ failures });
    expect(await run([shop(is), sound])).toMatchObject({ failures, differences: [] });
    await expectSoundWasMade();
  });

  it('names table and column when rows refer to nothing', async () => {
    const tables = [
      tableSpec('shop', 'shop_box'),
      tableSpec('shop', 'shop_item', { columns: [column('box_id', 'BIGINT')] }),
    ];
    await run([plugin('shop', tables)]);
    await empty.client.query('INSERT INTO shop_item (box_id) VALUES (99)');
    const keyed = tables.map((table) =>
      table.name === 'shop_item'
        ? { ...table, foreignKeys: [foreignKey('shop_item_box_fk', 'box_id', 'shop_box')] }
        : table,
    );
    expect((await run([plugin('shop', keyed), sound])).failures).toMatchObject([
      {
        plugin: 'shop',
        code: 'SCHEMA_ORPHAN_ROWS',
        reason: expect.stringMatching(/"shop_item": "box_id" .*"shop_box"/),
      },
    ]);
    await expectSoundWasMade();
  });

  it('names every column whose type or default PostgreSQL refuses, and leaves the other plugins alone', async () => {
    const outcome = await run([
      plugin('shop', [
        tableSpec('shop', 'shop_item', {
          columns: [
            column('size', 'FURLONG'),
            column('code', 'TEXT'),
            column('amount', 'INTEGER', { default: `'many'` }),
          ],
        }),
      ]),
      sound,
    ]);
    expect(outcome.failures.map(({ plugin, code, reason }) => ({ plugin, code, reason }))).toEqual([
      {
        plugin: 'shop',
        code: 'SCHEMA_TYPE_INVALID',
        reason: expect.stringMatching(/"shop_item", column "size": .* FURLONG: type "furlong" does not exist/),
      },
      {
        plugin: 'shop',
        code: 'SCHEMA_TYPE_INVALID',
        reason: expect.stringMatching(/column "amount": .* INTEGER .* 'many'/),
      },
    ]);
    await expectSoundWasMade();
  });

  it('reports that a table cannot be made because a view has its name, and that an index has its name taken', async () => {
    await empty.client.query(
      'CREATE VIEW shop_item AS SELECT 1 AS id; CREATE TABLE other (id int); CREATE INDEX taken ON other (id)',
    );
    const outcome = await run([
      plugin('shop', [tableSpec('shop', 'shop_item')]),
      plugin('sound', [tableSpec('sound', 'sound_item', { indexes: [index('taken', ['id'])] })]),
    ]);
    expect(outcome.failures).toMatchObject([
      {
        plugin: 'shop',
        code: 'SCHEMA_NAME_TAKEN',
        reason: expect.stringMatching(/"shop_item" .* view /),
      },
    ]);
    expect(outcome.differences.map((difference) => difference.description)).toEqual([
      expect.stringMatching(/^Index "taken" .* an index /),
    ]);
    await expectSoundWasMade();
  });

  it('fails the plugins that refer to tables of a failed one, however far away', async () => {
    const outcome = await run([
      plugin('a', [tableSpec('a', 'a_item', { columns: [column('size', 'FURLONG')] })]),
      plugin('b', [
        tableSpec('b', 'b_item', {
          columns: [column('a_id', 'BIGINT')],
          foreignKeys: [foreignKey('b_fk', 'a_id', 'a_item')],
        }),
      ]),
      plugin('c', [
        tableSpec('c', 'c_item', {
          columns: [column('b_id', 'BIGINT')],
          foreignKeys: [foreignKey('c_fk', 'b_id', 'b_item')],
        }),
      ]),
      sound,
    ]);
    expect(outcome.failures.map(({ plugin, code }) => [plugin, code])).toEqual([
      ['a', 'SCHEMA_TYPE_INVALID'],
      ['b', 'SCHEMA_REFERENCE_MISSING'],
      ['c', 'SCHEMA_REFERENCE_MISSING'],
    ]);
    await expectSoundWasMade();
  });

  it('reports which table is missing when the one that others refer to could not be made', async () => {
    const outcome = await run([
      plugin('a', [tableSpec('a', 'a_item', { indexes: [index('a_index', ['absent'])] })]),
      plugin('b', [
        tableSpec('b', 'b_item', {
          columns: [column('a_id', 'BIGINT')],
          foreignKeys: [foreignKey('b_fk', 'a_id', 'a_item')],
        }),
      ]),
      sound,
    ]);
    expect(outcome.failures).toMatchObject([
      {
        plugin: 'a',
        code: 'SCHEMA_STEP_FAILED',
        reason: expect.stringMatching(/"a_item": .*: column "absent" does not exist/),
      },
      {
        plugin: 'b',
        code: 'SCHEMA_REFERENCE_MISSING',
        reason: expect.stringMatching(/"b_item", column "a_id" .*"a_item"/),
      },
    ]);
    await expectSoundWasMade();
  });
});

describe('bringUpToDate with a user of few rights', () => {
  const role = `gantry_test_limited_${process.pid}`;
  let limitedUrl: string;

  beforeEach(async () => {
    await empty.client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
    const url = new URL(empty.database.url);
    url.username = role;
    url.password = 'limited';
    limitedUrl = url.href;
  });

  afterEach(async () => {
    await empty.client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  });

  const searchable = plugin('shop', [
    tableSpec('shop', 'shop_item', {
      columns: [column('code', 'TEXT')],
      indexes: [index('by_code', ['code']), trigramIndex('by_code_trgm', ['code'])],
    }),
  ]);

  it('continues without trigram indexes when the extension may not be created, and names the statement', async () => {
    await empty.client.query(`GRANT CREATE ON SCHEMA public TO ${role}`);
    const outcome = await run([searchable], limitedUrl);
    expect(outcome.failures).toEqual([]);
    expect(outcome.applied.map((step) => step.kind)).toEqual(['table', 'index']);
    expect(outcome.differences).toEqual([
      {
        plugin: '_platform',
        table: '',
        description: expect.stringContaining(
          'pg_trgm is missing and cannot be created, because this user may not create extensions',
        ),
        statement: 'CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;',
      },
    ]);
    await empty.client.query(outcome.differences[0]?.statement ?? '');
    expect((await run([searchable], limitedUrl)).applied.map((step) => step.statement)).toEqual([
      'CREATE INDEX "by_code_trgm" ON "shop_item" USING gin ("code" gin_trgm_ops)',
    ]);
  });

  it('plans again without trigram indexes when PostgreSQL refuses the extension after all', async () => {
    await empty.client.query(
      `GRANT CREATE ON SCHEMA public TO ${role}; GRANT CREATE ON DATABASE ${new URL(empty.database.url).pathname.slice(1)} TO ${role}`,
    );
    // The objects of the extension exist already, so that creating it fails although it is permitted.
    await empty.client.query(
      `CREATE FUNCTION public.show_trgm(text) RETURNS text[] LANGUAGE sql AS 'SELECT NULL::text[]'`,
    );
    const outcome = await run([searchable], limitedUrl);
    expect(outcome.applied.map((step) => step.kind)).toEqual(['table', 'index']);
    expect(outcome.differences).toMatchObject([{ plugin: '_platform' }]);
  });

  it('names the grant that is missing when it may not create tables', async () => {
    expect((await run([sound], limitedUrl)).failures).toMatchObject([
      {
        plugin: 'sound',
        code: 'SCHEMA_NOT_PERMITTED',
        remedy: expect.stringContaining('GRANT CREATE ON SCHEMA public'),
      },
    ]);
  });

  it('says so when it may not even compare', async () => {
    await empty.client.query(
      `REVOKE TEMPORARY ON DATABASE ${new URL(empty.database.url).pathname.slice(1)} FROM PUBLIC`,
    );
    const expected = {
      name: 'SchemaError',
      code: 'SCHEMA_NOT_PERMITTED',
      remedy: expect.stringContaining('TEMPORARY'),
    };
    await expect(run([sound], limitedUrl)).rejects.toMatchObject(expected);
    await expect(planOnly({ databaseUrl: limitedUrl, plugins: [sound] })).rejects.toMatchObject(expected);
    await empty.client.query(`GRANT TEMPORARY ON DATABASE ${new URL(empty.database.url).pathname.slice(1)} TO PUBLIC`);
  });
});

describe('describeStepFailure', () => {
  it('keeps what PostgreSQL says about a step that it knows no better words for', () => {
    const step = { plugin: 'shop', table: 'shop_item', kind: 'table', statement: 'CREATE TABLE …' } as const;
    expect(describeStepFailure(step, Object.assign(new Error('disk full'), { code: '53100' }))).toEqual({
      plugin: 'shop',
      code: 'SCHEMA_STEP_FAILED',
      reason: expect.stringMatching(/"shop_item": .*: disk full\.$/),
      remedy: expect.stringContaining(': CREATE TABLE …;'),
    });
  });
});
