import { randomBytes } from 'node:crypto';
import { BaseItem, type ItemTypeClass } from '@gantry/plugin-api';
import type { Grant } from '@gantry/contracts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import type { ItemTypeDescriptor } from '../../src/compile/descriptor';
import { createItemTypes } from '../../src/compile/item-types';
import { tablesOf } from '../../src/compile/tables';
import { createOpenPolicy } from '../../src/policy/open-policy';
import type { Policy } from '../../src/policy/policy';
import { createRolePolicy } from '../../src/policy/role-policy';
import { createImageRights, type ImageRights } from '../../src/read/image-rights';
import { imageColumnsOf, imageStatement } from '../../src/sql/image-statement';
import {
  bringUpToDate,
  createDatabase,
  type HostDatabase,
  type SchemaOutcome,
  type Statement,
} from '@gantry/core-database';
import { createRecordedLogger } from '../../../../test/support/recorded-logger';
import { compile, declareType } from '../../../../test/support/content/declare-type';
import { emptyTables } from '../../../../test/support/empty-tables';

const columns = ['image', 'detail', 'badge', 'seal'] as const;
const picture = compile(
  declareType('Picture', {
    code: { searchable: true },
    image: { type: 'IMAGE' },
    detail: { type: 'IMAGE', column: 'TEXT', maxLength: 100_000 },
    badge: { type: 'IMAGE', column: 'CHAR(100)' },
    seal: { type: 'IMAGE', column: 'CITEXT' },
  }),
);
const note = compile(declareType('Note', { text: { searchable: true } }));
const types = createItemTypes(
  [picture, note].map((descriptor) => ({ descriptor, model: BaseItem as ItemTypeClass })),
  (plugin) => plugin !== 'failed',
);
const open = createOpenPolicy(types);

let testDatabase: TestDatabase;
let database: HostDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.url, logger: createRecordedLogger() });
  await database.query({ sql: 'CREATE EXTENSION citext' });
  await bringTypesUpToDate([picture, note]);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  await database.query({ sql: emptyTables('workshop_picture') });
});

function bringTypesUpToDate(descriptors: readonly ItemTypeDescriptor[]): Promise<SchemaOutcome> {
  const tables = descriptors.flatMap((type) => tablesOf(type, (code) => code, { columns: [], indexes: [] }));
  const plugins = [{ id: 'workshop', migrations: [], tables }];
  return bringUpToDate({ databaseUrl: testDatabase.url, plugins, logger: createRecordedLogger() });
}

async function insert(values: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.keys(values);
  const sql = `INSERT INTO workshop_picture (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`;
  await database.query({ sql, values: Object.values(values) });
}

function policyOf(...grants: readonly Omit<Grant, 'on'>[]): Policy {
  const on = { plugin: 'workshop', type: 'picture' };
  return createRolePolicy(
    types,
    grants.map((grant) => ({ on, ...grant })),
    { id: '7', login: 'ann@example.org' },
  );
}

describe('the index of a field with addresses of images', () => {
  it('is added to a table that has items, and then there is nothing left to do', async () => {
    await database.query({ sql: columns.map((column) => `DROP INDEX workshop_picture_${column}_equal_idx`).join(';') });
    await insert({ image: '/a.png' });
    const { applied, differences } = await bringTypesUpToDate([picture, note]);

    expect(applied.map(({ statement }) => statement)).toContain(
      'CREATE INDEX "workshop_picture_image_equal_idx" ON "workshop_picture" USING btree ("image") WHERE octet_length("image") <= 1024',
    );
    expect([applied.length, differences]).toEqual([columns.length, []]);
    expect(await bringTypesUpToDate([picture, note])).toMatchObject({ applied: [], differences: [], failures: [] });
  });

  it('with another limit is reported, and not changed', async () => {
    const name = 'workshop_picture_image_equal_idx';
    const make = (limit: string) => `DROP INDEX ${name}; CREATE INDEX ${name} ON workshop_picture (image)${limit}`;
    await database.query({ sql: make(' WHERE octet_length(image) <= 99') });
    const { applied, differences } = await bringTypesUpToDate([picture, note]);
    await database.query({ sql: make(' WHERE octet_length(image) <= 1024') });

    expect([applied, differences.map(({ description }) => description)]).toEqual([
      [],
      [expect.stringMatching(new RegExp(`^Index "${name}" .*\\("image"\\) .* 99 bytes .* 1024 bytes `))],
    ]);
  });

  it.each([
    ['image', String.fromCodePoint(...[...randomBytes(2047)].map((byte, index) => 0x4e_00 + byte * 64 + (index % 64)))],
    ['detail', randomBytes(49_000).toString('hex')],
    ['seal', randomBytes(4_000).toString('hex')],
  ])('takes no value of %s that PostgreSQL has no entry for, and leaves it to be stored', async (column, text) => {
    await insert({ [column]: `/${text}` });
    const [row] = await database.query({ sql: `SELECT octet_length(${column}::text) FROM workshop_picture` });
    expect(Number(row?.[0])).toBeGreaterThan(2_704);
  });

  it('answers which items have an address', async () => {
    const sql = `INSERT INTO workshop_picture (code, image) SELECT 'A', '/media/' || n || '.png' FROM generate_series(1, 5000) n`;
    await database.query({ sql });
    await database.query({ sql: 'ANALYZE workshop_picture' });
    const grants = { actions: ['read' as const], where: [{ field: 'code', operator: 'EQUALS' as const, value: 'A' }] };
    for (const policy of [policyOf({ actions: ['read'] }), policyOf(grants)]) {
      const shown = policy.types.all.map(({ descriptor }) => descriptor);
      const statement = imageStatement(imageColumnsOf(shown));
      const plan = await database.query({ sql: `EXPLAIN ${statement}`, values: [['/media/7.png', '/media/8.png']] });
      const text = plan.flat().join('\n');
      expect(text).toContain('workshop_picture_image_equal_idx');
      expect(text).not.toContain('Seq Scan');
    }
  });
});

describe('whether an image is shown', () => {
  const rights = (): ImageRights => createImageRights(database, types);

  it.each(columns)('depends on an item that has exactly its address in the field %s', async (column) => {
    await insert({ [column]: '/media/a.png?width=64' });
    for (const [address, isShown] of [
      ['/media/a.png?width=64', true],
      ['/media/a.png', false],
      ['/media/A.png?width=64', false],
      ['/media/a.png?width=6%', false],
      ['/media/a.png?width=64 ', false],
      ['', false],
    ] as const) {
      expect([address, await rights().isShown(open, [address])]).toEqual([address, isShown]);
    }
    expect(await rights().isShown(open, ['/x', '/media/a.png?width=64'])).toBe(true);
  });

  it('depends on the fields and items of the grants, which are not mixed', async () => {
    const where = (value: string) => [{ field: 'code', operator: 'EQUALS' as const, value }];
    await insert({ code: 'A', image: '/a.png', detail: '/a-detail.png' });
    await insert({ code: 'B', image: '/b.png', detail: '/b-detail.png' });
    const policy = policyOf(
      { actions: ['read'], readableFields: ['code', 'image'], where: where('A') },
      { actions: ['read'], readableFields: ['code', 'detail'], where: where('B') },
      { actions: ['update', 'export'] },
    );
    const addresses = ['/a.png', '/a-detail.png', '/b.png', '/b-detail.png'];
    const shown = await Promise.all(addresses.map((address) => rights().isShown(policy, [address])));
    expect(shown).toEqual([true, false, false, true]);
  });

  it('is not asked of the database where no field of an image is shown', async () => {
    const { recorded, statements } = record();
    const policy = policyOf({ actions: ['read'], readableFields: ['code'] });
    expect(await createImageRights(recorded, types).isShown(policy, ['/a.png'])).toBe(false);
    expect(statements).toEqual([]);
  });

  it('is not by a type whose plugin is not in use, which has the image all the same', async () => {
    const failed = createItemTypes(types.all, () => false);
    await insert({ image: '/a.png' });
    const images = createImageRights(database, failed);
    expect(await images.isShown(createOpenPolicy(failed), ['/a.png'])).toBe(false);
    expect(await images.isUsed(['/a.png'])).toBe(true);
  });

  it('is kept for a while, of each policy and image', async () => {
    const { recorded, statements } = record();
    let now = 0;
    const images = createImageRights(recorded, types, () => now);
    const asked = async (policy: Policy, address: string) => {
      const before = statements.length;
      return [await images.isShown(policy, [address]), statements.length - before];
    };
    const reader = policyOf({ actions: ['read'] });
    await insert({ image: '/a.png' });

    expect([await asked(open, '/a.png'), await asked(open, '/a.png')]).toEqual([
      [true, 1],
      [true, 0],
    ]);
    expect([await asked(reader, '/a.png'), await asked(open, '/b.png')]).toEqual([
      [true, 1],
      [false, 1],
    ]);
    await database.query({ sql: `UPDATE workshop_picture SET image = '/b.png'` });
    now = 1_001;
    expect([await asked(open, '/a.png'), await asked(open, '/b.png')]).toEqual([
      [true, 0],
      [true, 1],
    ]);
    now = 4_001;
    expect(await asked(open, '/a.png')).toEqual([false, 1]);
  });

  it('is asked again after a failure', async () => {
    let fails = true;
    const query = (statement: Statement) =>
      fails ? Promise.reject(new Error('The database is unavailable.')) : database.query(statement);
    const images = createImageRights({ query }, types);
    await insert({ image: '/a.png' });
    await expect(images.isShown(open, ['/a.png'])).rejects.toThrow('unavailable');
    fails = false;
    expect(await images.isShown(open, ['/a.png'])).toBe(true);
  });
});

describe('whether an image is used', () => {
  it('depends on fields of all types, also of plugins that are not there and of fields that were removed', async () => {
    await insert({ image: '/a.png', detail: '/b.png' });
    const withoutDetail = { ...picture, fields: picture.fields.filter(({ name }) => name !== 'detail') };
    const one = createItemTypes([{ descriptor: withoutDetail, model: BaseItem as ItemTypeClass }]);
    for (const known of [types, one, createItemTypes([])]) {
      const images = createImageRights(database, known);
      const used = await Promise.all(['/a.png', '/b.png', '/c.png'].map((address) => images.isUsed([address])));
      expect(used).toEqual([true, true, false]);
    }
  });
});

function record(): { readonly recorded: Pick<HostDatabase, 'query'>; readonly statements: readonly string[] } {
  const statements: string[] = [];
  const query = (statement: Statement) => {
    statements.push(statement.sql);
    return database.query(statement);
  };
  return { recorded: { query }, statements };
}
