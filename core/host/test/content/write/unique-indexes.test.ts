import { itemActions } from '@gantry/contracts';
import type { ItemTypeClass } from '@gantry/plugin-api';
import { Column, DataType, Index } from 'sequelize-typescript';
import { sendJson, type Answer } from '../../../../../test/support/rest-client';
import { createOpenPolicy, type Policy, createRolePolicy, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { emptyTables } from '../../../../../test/support/empty-tables';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const Shelf = declareType('Shelf', { name: {} });
/** Unique by indexes of its model alone: one of a single field, and one of two, with the name that the author gave. */
const Box = declareType('Box', {
  label: {},
  row: { type: 'NUMBER', column: DataType.INTEGER },
  shelf: { type: 'REFERENCE', targetEntity: () => Shelf },
});
Index({ unique: true })(Box.prototype, 'label');
for (const attribute of ['row', 'shelfId']) Index({ name: 'one_box', unique: true })(Box.prototype, attribute);
/** Unique by a column that is no field. */
const Hidden = declareType('Hidden', { title: {} });
Column({ type: DataType.STRING(20), unique: true, defaultValue: 'same' })(Hidden.prototype, 'mark');
/** Unique by indexes of the database alone. */
const Crate = declareType('Crate', { label: {}, stackRow: { type: 'NUMBER', column: DataType.INTEGER } });

let content: OpenTypes;
let served: ServedItems;
let policy: Policy;
beforeAll(async () => {
  content = await openTypes([Shelf, Box, Hidden, Crate] satisfies readonly ItemTypeClass[]);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
});
beforeEach(async () => {
  policy = createOpenPolicy(content.types);
  await content.rows(emptyTables('workshop_shelf', 'workshop_box', 'workshop_hidden', 'workshop_crate'));
});
afterAll(() => served.close());

const create = (type: string, values: unknown): Promise<Answer> =>
  sendJson(served.address, 'POST', `/api/cms/items/${type}`, values);
const refusalOf = ({ status, json }: Answer): unknown => [
  status,
  json.error?.code,
  json.error?.details?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

describe('an item that violates a unique index of its model', () => {
  it('is refused with the field of the index', async () => {
    expect((await create('box', { label: 'a', row: 1 })).status).toBe(201);

    expect(refusalOf(await create('box', { label: 'a', row: 2 }))).toEqual([409, 'CONFLICT', ['label NOT_UNIQUE']]);
  });

  it('is refused with all fields of the index, also when it is changed', async () => {
    const shelf = (await create('shelf', { name: 's' })).json.data.id as number;
    const first = (await create('box', { label: 'a', row: 1, shelf })).json.data.id as number;
    await create('box', { label: 'b', row: 2, shelf });
    const fields = [409, 'CONFLICT', ['row NOT_UNIQUE', 'shelf NOT_UNIQUE']];

    expect(refusalOf(await create('box', { label: 'c', row: 1, shelf }))).toEqual(fields);
    expect(refusalOf(await sendJson(served.address, 'PATCH', `/api/cms/items/box/${first}`, { row: 2 }))).toEqual(
      fields,
    );
  });

  it('is refused by the line of an import with the fields', async () => {
    await create('box', { label: 'a', row: 1 });
    const { status, json } = await sendJson(served.address, 'POST', '/api/cms/imports/box?keepIds=true', [
      { id: 77, label: 'a', row: 2 },
      { id: 78, label: 'd', row: 3 },
    ]);

    expect([status, json.error.details]).toEqual([
      400,
      [expect.objectContaining({ line: 1, path: 'label', code: 'NOT_UNIQUE' })],
    ]);
  });

  it('is refused without fields where the caller may not read one of them', async () => {
    const shelf = (await create('shelf', { name: 's' })).json.data.id as number;
    await create('box', { label: 'a', row: 1, shelf });
    const other = (await create('box', { label: 'b', row: 1 })).json.data.id as number;
    const grants = [
      { on: { plugin: 'workshop', type: 'box' }, actions: [...itemActions], readableFields: ['label', 'shelf'] },
      { on: { plugin: 'workshop', type: 'shelf' }, actions: [...itemActions] },
    ];
    policy = createRolePolicy(content.types, grants, { id: '7', login: 'ann@example.org' });

    const answer = await sendJson(served.address, 'PATCH', `/api/cms/items/box/${other}`, { shelf });
    expect(refusalOf(answer)).toEqual([409, 'CONFLICT', []]);
    expect(answer.text).not.toContain('row');
  });

  it('is refused without fields where the index is on a column that is no field', async () => {
    await create('hidden', { title: 'a' });

    expect(refusalOf(await create('hidden', { title: 'b' }))).toEqual([409, 'CONFLICT', []]);
  });
});

describe('an item that violates a unique index that only the database has', () => {
  afterEach(async () => {
    await content.rows('ALTER TABLE workshop_crate DROP CONSTRAINT IF EXISTS left_over');
    await content.rows('DROP INDEX IF EXISTS left_over');
  });
  const create = (values: unknown): Promise<Answer> => sendJson(served.address, 'POST', '/api/cms/items/crate', values);
  const index = (keys: string): string => `CREATE UNIQUE INDEX left_over ON workshop_crate ${keys}`;

  it.each([
    [index('(stack_row)'), ['stackRow NOT_UNIQUE']],
    [index('(stack_row, label)'), ['stackRow NOT_UNIQUE', 'label NOT_UNIQUE']],
    [index('(lower(label), coalesce(stack_row, 0))'), ['label NOT_UNIQUE', 'stackRow NOT_UNIQUE']],
    [index("(stack_row) WHERE label <> ''"), ['stackRow NOT_UNIQUE']],
    [index('(label, (1 = 1))'), []],
    ['ALTER TABLE workshop_crate ADD CONSTRAINT left_over EXCLUDE USING hash (label WITH =)', ['label NOT_UNIQUE']],
  ])('is refused with the fields that it compares: %s', async (statement, details) => {
    await content.rows(statement);
    await create({ label: 'a', stackRow: 1 });

    expect(refusalOf(await create({ label: 'a', stackRow: 1 }))).toEqual([409, 'CONFLICT', details]);
  });

  it('is refused by the line of an import with the fields', async () => {
    await content.rows(index('(stack_row, label)'));
    await create({ label: 'a', stackRow: 1 });
    const { status, json } = await sendJson(served.address, 'POST', '/api/cms/imports/crate', [
      { label: 'a', stackRow: 2 },
      { label: 'a', stackRow: 1 },
    ]);

    const message = expect.stringContaining('another Crate has the same stackRow, label') as string;
    expect([status, json.error.details]).toEqual([
      400,
      [expect.objectContaining({ path: 'stackRow', code: 'NOT_UNIQUE', message })],
    ]);
  });

  it('is refused without fields where the caller may not read one of them', async () => {
    await content.rows(index('(stack_row, label)'));
    await create({ label: 'a', stackRow: 1 });
    const on = { plugin: 'workshop', type: 'crate' };
    const other = (await create({ label: 'b', stackRow: 1 })).json.data.id as number;
    policy = createRolePolicy(content.types, [{ on, actions: [...itemActions], readableFields: ['label'] }], {
      id: '7',
      login: 'ann@example.org',
    });

    const answer = await sendJson(served.address, 'PATCH', `/api/cms/items/crate/${other}`, { label: 'a' });
    expect(refusalOf(answer)).toEqual([409, 'CONFLICT', []]);
    expect(answer.text).not.toMatch(/row/i);
  });
});
