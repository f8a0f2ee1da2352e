import type { Migration } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { findSchema } from '../../src/check/process/find-schema';
import { tablesOf } from '@gantry/core-content';
import { bringUpToDate, type PluginSchema } from '@gantry/core-database';
import { compile, declareType, type Declarations } from '../../../../../test/support/content/declare-type';
import { useEmptyDatabase } from '../../../../../test/support/empty-database';
import { createRecordedLogger } from '../../../../../test/support/recorded-logger';

const empty = useEmptyDatabase({ isEmptiedBeforeEach: false });

interface Version {
  readonly fields: Declarations;
  readonly unique?: readonly (readonly string[])[];
  readonly migrations?: readonly Migration[];
}

const Shelf = declareType('Shelf', { name: {} });
const Box = declareType('Box', { name: {} });
const toShelf = { type: 'REFERENCE', targetEntity: () => Shelf } as const;
const toShelves = { ...toShelf, cardinality: 'MULTIPLE' } as const;
const toBox = { type: 'REFERENCE', targetEntity: () => Box } as const;
const decimal = (digits: number, scale: number) =>
  ({ type: 'NUMBER', column: DataType.DECIMAL(digits, scale) }) as const;
const whole = { type: 'NUMBER', column: DataType.INTEGER } as const;
const double = { type: 'NUMBER', column: DataType.DOUBLE } as const;

/** A version of the plugin `workshop` whose type has a key and these fields. */
function schemaOf({ fields, unique = [], migrations = [] }: Version): PluginSchema {
  const Thing = declareType(
    'Thing',
    { key: { searchable: true }, ...fields },
    { unique: unique.map((set) => [...set]) },
  );
  const tables = [Shelf, Box, Thing].flatMap((model) =>
    tablesOf(compile(model), (code) => `workshop_${code}`, { columns: [], indexes: [] }),
  );
  return { id: 'workshop', migrations, tables };
}

async function start(version: Version) {
  return bringUpToDate({
    databaseUrl: empty.database.url,
    plugins: [schemaOf(version)],
    logger: createRecordedLogger(),
  });
}

async function check(version: Version) {
  const found = await findSchema({
    schemas: [schemaOf(version)],
    databaseUrl: empty.database.url,
    ids: ['workshop'],
    logger: createRecordedLogger(),
    runCode: (_plugin, code) => code(),
  });
  const findings = found.get('workshop');
  if (findings?.kind !== 'planned') throw new Error(JSON.stringify(findings));
  return findings;
}

/** Codes of what a check and then a start refuse, which is the same. */
async function refusals(version: Version): Promise<readonly string[]> {
  const checked = (await check(version)).failures.map(({ code }) => code);
  expect((await start(version)).failures.map(({ code }) => code)).toEqual(checked);
  return checked;
}

/** Starts a version and makes rows in its tables. */
async function serve(version: Version, ...statements: readonly string[]): Promise<void> {
  await empty.empty();
  expect((await start(version)).failures).toEqual([]);
  await empty.client.query(
    [
      "INSERT INTO workshop_shelf (name) VALUES ('a'); INSERT INTO workshop_box (name) VALUES ('b')",
      ...statements,
    ].join(';'),
  );
}

async function rows(sql: string): Promise<readonly Record<string, unknown>[]> {
  return (await empty.client.query(sql)).rows;
}

const retyped = ['SCHEMA_COLUMN_RETYPED'];

describe('a field whose column the database cannot follow', () => {
  it.each<[string, Declarations[string], Declarations[string], string]>([
    ['a whole number, is a decimal', whole, decimal(10, 2), '7'],
    ['a whole number, is any number', { type: 'NUMBER', column: DataType.BIGINT }, { type: 'NUMBER' }, '7'],
    ['a decimal, has more digits', decimal(10, 2), decimal(10, 4), '7.25'],
    ['a decimal, is a floating-point number', decimal(10, 2), double, '7.25'],
    ['a floating-point number, is a decimal', double, decimal(10, 2), '7.25'],
    ['a day, is an instant', { type: 'DATE' }, { type: 'DATETIME' }, "'2026-07-01'"],
    ['an instant, is a day', { type: 'DATETIME' }, { type: 'DATE' }, 'now()'],
    ['a time, is an instant', { type: 'TIME' }, { type: 'DATETIME' }, "'12:30'"],
    ['a day, is a time', { type: 'DATE' }, { type: 'TIME' }, "'2026-07-01'"],
    ['a text, is a day', {}, { type: 'DATE' }, "'2026-07-01'"],
    ['a text, is a list of options', {}, { type: 'ENUM', options: ['A'], cardinality: 'MULTIPLE' }, "'A'"],
    ['a text, is a number', {}, { type: 'NUMBER' }, "'7'"],
    ['a computed value, is a written one', { ...decimal(10, 2), computed: { sql: '2 * 3' } }, decimal(10, 2), ''],
    ['a written value, is a computed one', decimal(10, 2), { ...decimal(10, 2), computed: { sql: '2 * 3' } }, '1'],
  ])('was %s: check and start refuse it, and change nothing', async (_case, before, after, value) => {
    const insert = `INSERT INTO workshop_thing (key${value === '' ? '' : ', f'}) VALUES ('k'${value === '' ? '' : `, ${value}`})`;
    await serve({ fields: { f: before } }, insert);
    const held = await rows('SELECT f FROM workshop_thing');
    expect(await refusals({ fields: { f: after } })).toEqual(retyped);
    expect(await rows('SELECT f FROM workshop_thing')).toEqual(held);
  });

  it('is taken once a migration has run the statement of the refusal', async () => {
    await serve({ fields: { f: whole } }, "INSERT INTO workshop_thing (key, f) VALUES ('k', 7)");
    const [failure] = (await check({ fields: { f: decimal(10, 2) } })).failures;
    const [statement = ''] = /ALTER TABLE .*(?=;$)/.exec(failure?.remedy ?? '') ?? [];
    const migration: Migration = { name: '1', up: async ({ query }) => void (await query(statement)) };
    expect(await refusals({ fields: { f: decimal(10, 2) }, migrations: [migration] })).toEqual([]);
    expect(await rows('SELECT f FROM workshop_thing')).toEqual([{ f: '7.00' }]);
  });

  it.each<[string, Declarations[string], Declarations[string]]>([
    ['a longer text', { maxLength: 10 }, { maxLength: 20 }],
    ['a shorter text', { type: 'TEXT' }, { maxLength: 20 }],
    ['a decimal of fewer digits', decimal(10, 4), decimal(10, 2)],
    ['a decimal of more digits before the point', decimal(10, 2), decimal(12, 2)],
    ['a whole number, no decimal', decimal(10, 2), whole],
    ['a smaller whole number', { type: 'NUMBER', column: DataType.BIGINT }, whole],
  ])('is not one that is now %s', async (_case, before, after) => {
    await serve({ fields: { f: before } });
    expect(await refusals({ fields: { f: after } })).toEqual([]);
  });
});

describe('the statement for a narrower column', () => {
  it.each<[string, Declarations[string], Declarations[string], string, string]>([
    ['shorter text', { maxLength: 40 }, { maxLength: 5 }, "'short'", "'longer'"],
    ['whole number', decimal(10, 2), whole, '7', '7.25'],
    ['decimal of fewer digits', decimal(10, 4), decimal(10, 2), '7.25', '7.255'],
  ])('to a %s takes values that fit, and refuses others', async (_case, before, after, fits, other) => {
    await serve({ fields: { f: before } }, `INSERT INTO workshop_thing (key, f) VALUES ('k', ${other}), ('n', NULL)`);
    const [difference] = (await check({ fields: { f: after } })).differences;
    const statement = difference?.statement ?? '';
    await expect(empty.client.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^22/) });
    await empty.client.query(`UPDATE workshop_thing SET f = ${fits} WHERE key = 'k'`);
    await empty.client.query(statement);
    expect((await check({ fields: { f: after } })).differences).toEqual([]);
    expect(await rows(`SELECT key FROM workshop_thing WHERE f = ${fits}`)).toEqual([{ key: 'k' }]);
  });
});

describe('a reference that is another one', () => {
  const changed = ['SCHEMA_REFERENCE_CHANGED'];
  const filled = "INSERT INTO workshop_thing (key, f_id) VALUES ('k', 1)";
  const linked = "INSERT INTO workshop_thing (key) VALUES ('k'); INSERT INTO workshop_thing_f VALUES (1, 1, 1)";

  it.each<[string, Declarations[string], Declarations[string], string, string]>([
    ['another target', toShelf, toBox, filled, 'workshop_box'],
    ['another target of several', toShelves, { ...toBox, cardinality: 'MULTIPLE' }, linked, 'workshop_box'],
    ['several items', toShelf, toShelves, filled, 'workshop_shelf'],
    ['one item', toShelves, toShelf, linked, 'workshop_shelf'],
  ])('has %s: it is refused with values, and changes without', async (_case, before, after, insert, target) => {
    await serve({ fields: { f: before } }, insert);
    expect(await refusals({ fields: { f: after } })).toEqual(changed);
    await serve({ fields: { f: before } }, "INSERT INTO workshop_thing (key) VALUES ('k')");
    expect(await refusals({ fields: { f: after } })).toEqual([]);
    expect((await start({ fields: { f: after } })).applied).toEqual([]);
    expect(
      await rows(`SELECT DISTINCT confrelid::regclass::text AS target FROM pg_constraint
        WHERE contype = 'f' AND confrelid IN ('workshop_shelf'::regclass, 'workshop_box'::regclass)`),
    ).toEqual([{ target }]);
  });

  it.each<[string, Declarations[string], Declarations[string], string, string]>([
    ['several', toShelf, toShelves, filled, 'SELECT target_id AS id FROM workshop_thing_f'],
    ['one', toShelves, toShelf, linked, 'SELECT f_id AS id FROM workshop_thing'],
  ])('keeps its values as %s by the statements of the refusal', async (_case, before, after, insert, held) => {
    await serve({ fields: { f: before } }, insert);
    const [failure] = (await check({ fields: { f: after } })).failures;
    expect(failure?.reason).toContain('1 row');
    const [, statements = ''] = /references?: (.*);$/s.exec(failure?.remedy ?? '') ?? [];
    const migration: Migration = {
      name: '1',
      async up({ query }) {
        for (const statement of statements.split('; ')) await query(statement);
      },
    };
    expect(await refusals({ fields: { f: after }, migrations: [migration] })).toEqual([]);
    expect(await rows(held)).toEqual([{ id: '1' }]);
  });
});

describe('a column of no field that needs a value', () => {
  const required = { f: { required: true } };
  const renamed = { g: { required: true, renamedFrom: 'f' } };

  it('is removed where there is no item', async () => {
    await serve({ fields: required });
    expect((await check({ fields: {} })).statements).toContainEqual('ALTER TABLE "workshop_thing" DROP COLUMN "f"');
    expect(await refusals({ fields: {} })).toEqual([]);
    await empty.client.query("INSERT INTO workshop_thing (key) VALUES ('k')");
  });

  it('is refused where there are items', async () => {
    await serve({ fields: required }, "INSERT INTO workshop_thing (key, f) VALUES ('k', 'v')");
    expect(await refusals({ fields: {} })).toEqual(['SCHEMA_COLUMN_LEFT']);
    expect(await rows('SELECT f FROM workshop_thing')).toEqual([{ f: 'v' }]);
  });

  it.each([
    ['without items', [], 'ALTER TABLE workshop_thing ADD COLUMN f varchar(255) NOT NULL'],
    [
      'with items',
      ["INSERT INTO workshop_thing (key, f) VALUES ('k', 'v')"],
      'ALTER TABLE workshop_thing ADD COLUMN g varchar(255)',
    ],
  ])('is renamed when renamedFrom comes a version late, %s', async (_case, inserts, added) => {
    await serve({ fields: required }, ...inserts);
    await start({ fields: { g: {} } });
    // As an earlier version of the platform left it.
    await empty.client.query(added);
    expect((await check({ fields: renamed })).renames).toContainEqual(
      'ALTER TABLE "workshop_thing" RENAME COLUMN "f" TO "g"',
    );
    expect(await refusals({ fields: renamed })).toEqual([]);
    expect(await rows('SELECT g FROM workshop_thing')).toEqual(inserts.map(() => ({ g: 'v' })));
    await empty.client.query("INSERT INTO workshop_thing (key, g) VALUES ('other', 'w')");
  });
});

describe('a field that is renamed and keeps its column', () => {
  const renamed = { item_no: { renamedFrom: 'itemNo' } };

  it('is named by the check until a start has renamed it', async () => {
    await serve({ fields: { itemNo: {} } }, "INSERT INTO workshop_thing (key, item_no) VALUES ('k', 'v')");
    expect((await check({ fields: renamed })).renames).toEqual([
      expect.stringMatching(/ itemNo .* workshop_thing .* item_no /),
    ]);
    expect(await refusals({ fields: renamed })).toEqual([]);
    expect((await check({ fields: renamed })).renames).toEqual([]);
  });
});

describe('rules of unique values', () => {
  const fields = { f: {}, g: {} };
  const equal = "INSERT INTO workshop_thing (key, f) VALUES ('1', 'same'), ('2', 'same')";

  it('are refused by check as by start where rows have the same values', async () => {
    await serve({ fields }, equal);
    expect(await refusals({ fields, unique: [['f']] })).toEqual(['SCHEMA_DUPLICATE_ROWS']);
    expect(await refusals({ fields, unique: [['f', 'g']] })).toEqual([]);
    expect(await refusals({ fields: { ...fields, h: { default: 'x' } }, unique: [['h']] })).toEqual([
      'SCHEMA_DUPLICATE_ROWS',
    ]);
  });

  it('are not refused where a migration changes the rows', async () => {
    await serve({ fields }, equal);
    const migration: Migration = {
      name: '1',
      up: async ({ query }) => void (await query('UPDATE workshop_thing SET f = f || key')),
    };
    expect(await refusals({ fields, unique: [['f']], migrations: [migration] })).toEqual([]);
  });

  it.each([
    ['removed', []],
    ['extended', [['f', 'g']]],
  ])('that were %s are named with the statement', async (_case, unique) => {
    await serve({ fields, unique: [['f']] }, "INSERT INTO workshop_thing (key, f) VALUES ('1', 'same')");
    const { differences } = await check({ fields, unique });
    expect(differences.map(({ statement }) => statement)).toEqual(['DROP INDEX "workshop_thing_f_key";']);
    await start({ fields, unique });
    for (const { statement } of differences) await empty.client.query(statement);
    await empty.client.query("INSERT INTO workshop_thing (key, f) VALUES ('2', 'same')");
    expect((await check({ fields, unique })).differences).toEqual([]);
  });
});
