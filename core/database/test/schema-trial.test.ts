import type { Migration } from '@gantry/plugin-api';
import { bringUpToDate, type PluginSchema } from '../src/schema/bring-up-to-date';
import { trySchema, type SchemaTrial } from '../src/schema/trial/try-schema';
import type { TableSpec } from '../src/table-spec';
import { useEmptyDatabase } from '../../../test/support/empty-database';
import { createRecordedLogger } from '../../../test/support/recorded-logger';
import { column, foreignKey, index, tableSpec, trigramIndex } from '../../../test/support/table-specs';

const empty = useEmptyDatabase({ isEmptiedBeforeEach: false });

type Tried = Extract<SchemaTrial, { readonly kind: 'tried' }>;

const before = tableSpec('shop', 'shop_item', {
  columns: [column('code', 'VARCHAR(20)', { nullable: false }), column('note', 'TEXT'), column('box_id', 'BIGINT')],
  indexes: [index('shop_item_code_key', ['code'], { unique: true }), trigramIndex('shop_item_note_trgm', ['note'])],
  foreignKeys: [foreignKey('shop_item_box_fk', 'box_id', 'shop_box')],
});
const box = tableSpec('shop', 'shop_box', { columns: [column('name', 'TEXT')] });

function plugin(migrations: readonly Migration[], tables: readonly TableSpec[] = [before, box]): PluginSchema {
  return { id: 'shop', version: '2.0.0', migrations, tables };
}

function migration(name: string, ...statements: readonly string[]): Migration {
  return {
    name,
    async up({ query }) {
      for (const statement of statements) await query(statement);
    },
  };
}

/** The tables as the version before made them, with a million items by the statistics and one box. */
async function serveEarlierVersion(): Promise<void> {
  await empty.empty();
  await bringUpToDate({
    databaseUrl: empty.database.url,
    plugins: [plugin([])],
    logger: createRecordedLogger(),
  });
  await empty.client.query(`
    INSERT INTO shop_box (name) VALUES ('Red');
    INSERT INTO shop_item (code, box_id) SELECT 'A' || n, 1 FROM generate_series(1, 500) n;
    ANALYZE;
    UPDATE pg_class SET reltuples = 1000000 WHERE relname = 'shop_item'`);
}

function attempt(wanted: PluginSchema): Promise<SchemaTrial> {
  return trySchema({
    ...{ databaseUrl: empty.database.url, plugins: [wanted], ids: ['shop'], missing: new Set<string>() },
    logger: createRecordedLogger(),
    runCode: (_plugin, code) => code(),
  });
}

async function tryOut(wanted: PluginSchema): Promise<Tried> {
  const trial = await attempt(wanted);
  if (trial.kind !== 'tried') throw new Error(trial.reason);
  return trial;
}

/** Of each statement: `kind: text`. */
function effectsOf({ statements }: Tried): readonly (readonly string[])[] {
  return statements.map(({ effects }) => effects.map(({ kind, text }) => `${kind}: ${text}`));
}

describe('extra columns in a copy of the tables', () => {
  it('are tried with their indexes, and say how many rows are read', async () => {
    await serveEarlierVersion();
    const extra: TableSpec = {
      ...{ plugin: 'seo', name: 'shop_item', isExtra: true, primaryKey: [], foreignKeys: [] },
      columns: [column('seo$title', 'TEXT')],
      indexes: [index('shop_item_seo$title_key', ['seo$title'], { unique: true })],
    };
    const trial = await trySchema({
      ...{ databaseUrl: empty.database.url, ids: ['seo'], missing: new Set<string>() },
      plugins: [plugin([]), { id: 'seo', version: '1.0.0', migrations: [], tables: [extra] }],
      logger: createRecordedLogger(),
      runCode: (_plugin, code) => code(),
    });
    expect(trial).toMatchObject({ kind: 'tried', failures: [] });
    expect((trial as Tried).statements.map(({ plugin: id, statement }) => [id, statement])).toEqual([
      ['seo', expect.stringContaining('ADD COLUMN "seo$title"')],
      ['seo', expect.stringContaining('CREATE UNIQUE INDEX "shop_item_seo$title_key"')],
    ]);
  });
});

describe('generated columns in a copy of the tables', () => {
  const generated = (expression: string) => ({
    ...before,
    columns: [
      ...before.columns,
      column('twice', 'TEXT', { generated: { expression, from: [{ name: 'code', type: 'VARCHAR(20)' }] } }),
    ],
  });

  it('are tried out, and said to rewrite the table and to lose nothing', async () => {
    await serveEarlierVersion();
    const wanted = plugin([], [generated('code || code'), box]);
    expect((await tryOut(wanted)).statements.map(({ effects }) => effects)).toEqual([
      [{ kind: 'locking', text: expect.stringContaining('rewrites shop_item') }],
    ]);
    await bringUpToDate({ databaseUrl: empty.database.url, plugins: [wanted], logger: createRecordedLogger() });
    await empty.client.query(`UPDATE pg_class SET reltuples = 1000000 WHERE relname = 'shop_item'`);
    const changed = await tryOut(plugin([], [generated(`code || '-' || code`), box]));
    expect(changed.statements.flatMap(({ effects }) => effects)).toEqual([
      { kind: 'locking', text: expect.stringContaining('rewrites shop_item') },
    ]);
    const { failures } = (await tryOut(plugin([], [generated('code || now()::text'), box]))).plan;
    expect(failures.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('generation expression is not immutable'),
    ]);
  });
});

describe('statements in a copy of the tables', () => {
  // A trial changes nothing of it.
  beforeAll(serveEarlierVersion);

  const largeRewrite = 'rewrites shop_item (about 1,000,000 rows): readers and writers wait';

  it.each<[string, readonly (readonly [statement: string, effects: readonly string[]])[]]>([
    [
      'add and change',
      [
        ['ALTER TABLE shop_item ADD COLUMN size integer', []],
        ['CREATE TABLE shop_shelf (id bigint PRIMARY KEY, item_id bigint)', []],
        ["INSERT INTO shop_item (code) VALUES ('B')", []],
        [
          'ALTER TABLE shop_box ALTER COLUMN name TYPE varchar(9)',
          [
            'destructive: changes the type of shop_box.name from text to character varying(9)',
            'locking: rewrites shop_box (about 1 row): readers and writers wait (AccessExclusiveLock)',
          ],
        ],
        [
          "DELETE FROM shop_item WHERE code = 'A1'",
          ['destructive: changes or deletes rows of shop_item (about 1,000,000 rows)'],
        ],
        [
          'WITH gone AS (DELETE FROM shop_box RETURNING id) SELECT count(*) FROM gone',
          ['destructive: changes or deletes rows of shop_box (about 1 row)'],
        ],
        [
          "DO $$ BEGIN UPDATE shop_box SET name = ''; END $$",
          ['destructive: changes or deletes rows of shop_box (about 1 row)'],
        ],
        [
          'CREATE INDEX shop_item_box ON public.shop_item (box_id)',
          ['locking: builds an index of shop_item (about 1,000,000 rows): writers wait (ShareLock)'],
        ],
        [
          'ALTER TABLE shop_item RENAME COLUMN note TO remark',
          ['locking: renames shop_item.note to remark: the version before fails on it until the next one serves'],
        ],
      ],
    ],
    [
      'remove',
      [
        [
          'ALTER TABLE shop_item ALTER COLUMN box_id SET NOT NULL',
          ['locking: reads all of shop_item (about 1,000,000 rows): readers and writers wait (AccessExclusiveLock)'],
        ],
        [
          'ALTER TABLE shop_item DROP COLUMN note',
          ['destructive: removes the column shop_item.note with about 1,000,000 values'],
        ],
        [
          'ALTER TABLE shop_item ALTER COLUMN code TYPE bigint USING 1',
          [
            'destructive: changes the type of shop_item.code from character varying(20) to bigint',
            `locking: ${largeRewrite} (AccessExclusiveLock)`,
          ],
        ],
        ['TRUNCATE shop_item', ['destructive: changes or deletes rows of shop_item (about 1,000,000 rows)']],
        ['DROP TABLE shop_item', ['destructive: removes the table shop_item (about 1,000,000 rows)']],
      ],
    ],
  ])('that %s are said to do what they do, and are not done', async (_what, cases) => {
    const trial = await tryOut(plugin(cases.map(([statement], index) => migration(String(index), statement))));

    expect(trial.failures).toEqual([]);
    // The declarations add what was removed, after the statements.
    expect(effectsOf(trial).slice(0, cases.length)).toEqual(cases.map(([, effects]) => effects));
    const { rows } = await empty.client.query<{ items: string }>(
      'SELECT count(note) + count(*) AS items FROM shop_item',
    );
    expect(Number(rows[0]?.items)).toBe(500);
  });

  it.each([
    ['CREATE ROLE gantry_trial_role', 'pg_auth_members, pg_authid'],
    ['ALTER ROLE CURRENT_USER SET search_path = nowhere', 'pg_db_role_setting'],
    [
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 64', current_database()); END $$",
      'pg_db_role_setting',
    ],
    ["DO $$ BEGIN EXECUTE format('COMMENT ON DATABASE %I IS ''x''', current_database()); END $$", 'pg_shdescription'],
    ['CREATE ROLE gantry_trial_role; GRANT pg_read_all_data TO gantry_trial_role', 'pg_auth_members, pg_authid'],
  ])('that change the whole server are rolled back, and the trial ends: %s', async (statement, catalogs) => {
    const adding = migration('1', 'ALTER TABLE shop_item ADD COLUMN size integer', 'CREATE SCHEMA IF NOT EXISTS own');

    expect(await attempt(plugin([adding, migration('2', statement)]))).toEqual({
      kind: 'not-tried',
      reason: expect.stringMatching(new RegExp(`migration 2 of shop .*\\(${catalogs}\\)`)) as string,
    });

    const { rows } = await empty.client.query(
      `SELECT rolname FROM pg_roles WHERE rolname = 'gantry_trial_role'
       UNION ALL SELECT setrole::text FROM pg_db_role_setting`,
    );
    expect(rows).toEqual([]);
  });

  it('are named with their migration, unless they only add or it is declared backward compatible', async () => {
    const trial = await tryOut(
      plugin([
        migration('1', 'ALTER TABLE shop_item ADD COLUMN size integer'),
        { ...migration('2', 'UPDATE shop_item SET size = 1'), backwardCompatible: true },
        migration('3', 'UPDATE shop_item SET note = code'),
        migration('4', 'ALTER TABLE shop_box ALTER COLUMN name SET NOT NULL'),
        { ...migration('5', 'SELECT 1'), backwardCompatible: false },
      ]),
    );
    expect(trial.breaking).toEqual([
      { plugin: 'shop', name: '3', breaks: ['changes or deletes rows of shop_item (about 1,000,000 rows)'] },
      { plugin: 'shop', name: '4', breaks: ['requires a value in shop_box.name'] },
      { plugin: 'shop', name: '5', breaks: [] },
    ]);
  });

  it('are followed by what the declarations add then, and by what still differs', async () => {
    const wanted = plugin(
      [
        migration(
          '1',
          'DROP INDEX shop_item_note_trgm; ALTER TABLE shop_item ALTER COLUMN note TYPE integer USING length(note)',
        ),
      ],
      [
        tableSpec('shop', 'shop_item', {
          columns: [
            ...before.columns.slice(1, 2),
            column('note', 'INTEGER'),
            column('box_id', 'BIGINT'),
            column('price', 'NUMERIC(9,2)', { nullable: false }),
          ],
          indexes: [index('shop_item_price', ['price'])],
        }),
        box,
      ],
    );

    const { plan, statements, failures } = await tryOut(wanted);

    expect(failures).toEqual([]);
    expect(plan.failures).toEqual([]);
    expect(plan.differences.map(({ description }) => description)).toEqual([
      expect.stringContaining('price'),
      expect.stringContaining('"shop_item_code_key"'),
    ]);
    expect(statements.map(({ statement }) => statement.split('\n')[0])).toEqual([
      expect.stringContaining('TYPE integer USING length(note)'),
      expect.stringContaining('ADD COLUMN "price"'),
      expect.stringContaining('CREATE INDEX "shop_item_price"'),
    ]);
  });

  it.each([
    [
      'is refused by PostgreSQL',
      migration('1', 'ALTER TABLE shop_item DROP COLUMN size'),
      /column "size" .* does not exist/,
    ],
    [
      'caught the error of a statement',
      {
        name: '1',
        async up({ query }: Parameters<Migration['up']>[0]) {
          await query('SELECT nothing').catch(() => undefined);
        },
      },
      /one of its statements had failed, and it caught the error/,
    ],
    ['ends its transaction', migration('1', 'COMMIT'), /it ended its own transaction/],
    ['throws', { name: '1', up: () => Promise.reject(new Error('no box')) }, /no box/],
  ])('show a migration that %s', async (_what, failing, reason) => {
    const { failures } = await tryOut(plugin([failing]));

    expect(failures).toMatchObject([
      { plugin: 'shop', code: 'MIGRATION_FAILED', reason: expect.stringMatching(reason) },
    ]);
  });

  it('leave no database behind, also where a check was killed', async () => {
    const stale = `gantry_check_${Date.now() - 3_600_000}_00ab`;
    await empty.client.query(`CREATE DATABASE ${stale}`);

    await tryOut(plugin([migration('1', 'SELECT 1')]));

    const { rows } = await empty.client.query('SELECT datname FROM pg_database WHERE datname = $1', [stale]);
    expect(rows).toEqual([]);
  });

  it('are not run for a user who may create no database', async () => {
    const address = new URL(empty.database.url);
    await empty.client.query(`
      DO $$ BEGIN CREATE ROLE gantry_trial_user LOGIN PASSWORD 'secret'; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      GRANT SELECT ON ALL TABLES IN SCHEMA public TO gantry_trial_user`);
    address.username = 'gantry_trial_user';
    address.password = 'secret';

    const trial = await trySchema({
      ...{ databaseUrl: address.href, plugins: [plugin([migration('1', 'SELECT 1')])], ids: ['shop'] },
      ...{
        missing: new Set<string>(),
        logger: createRecordedLogger(),
        runCode: (_plugin: string, code: () => Promise<void>) => code(),
      },
    });

    expect(trial).toEqual({
      kind: 'not-tried',
      reason: expect.stringContaining('may not create a database') as string,
    });
  });
});
