import { itemActions } from '@gantry/contracts';
import type { ItemTypeClass } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { sendJson, type Answer } from '../../../../../test/support/rest-client';
import { createOpenPolicy, type Policy, createRolePolicy, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { emptyTables } from '../../../../../test/support/empty-tables';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const Crate = declareType('Crate', { label: {}, stackRow: { type: 'NUMBER', column: DataType.INTEGER } });

let content: OpenTypes;
let served: ServedItems;
let policy: Policy;
beforeAll(async () => {
  content = await openTypes([Crate] satisfies readonly ItemTypeClass[]);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
});
beforeEach(async () => {
  policy = createOpenPolicy(content.types);
  await content.rows(emptyTables('workshop_crate'));
});
afterEach(async () => {
  await content.rows('ALTER TABLE workshop_crate DROP CONSTRAINT IF EXISTS house_rule');
  await content.rows('DROP TRIGGER IF EXISTS house_rule ON workshop_crate');
  await content.rows('DROP FUNCTION IF EXISTS house_rule');
});
afterAll(() => served.close());

const addCheck = (condition: string): Promise<unknown> =>
  content.rows(`ALTER TABLE workshop_crate ADD CONSTRAINT house_rule CHECK (${condition})`);
const create = (values: unknown): Promise<Answer> => sendJson(served.address, 'POST', '/api/cms/items/crate', values);
const refusalOf = ({ status, json: { error } }: Answer): unknown => [
  status,
  error.code,
  (error.details ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

describe('an item that violates a CHECK of its table', () => {
  it.each([
    ['stack_row > 0', ['stackRow VALUE_INVALID']],
    ["label <> 'a' OR stack_row > 0", ['label VALUE_INVALID', 'stackRow VALUE_INVALID']],
    ['version > 1 OR stack_row > 0', []],
    ['1 = 0', []],
  ])('is refused with the fields that %s compares', async (condition, details) => {
    await addCheck(condition);

    expect(refusalOf(await create({ label: 'a', stackRow: -1 }))).toEqual([400, 'VALIDATION_FAILED', details]);
  });

  it('is refused with the name of the constraint', async () => {
    await addCheck('stack_row > 0');
    const { json } = await create({ label: 'a', stackRow: -1 });

    expect(json.error.message).toBe(
      'Failed to create Crate: the values violate a constraint of the table: house_rule (stackRow)',
    );
    expect(json.error.details[0].message).toBe('stackRow violates the constraint house_rule');
  });

  it('is refused with the fields when it is changed', async () => {
    await addCheck('stack_row > 0');
    const id = (await create({ label: 'a', stackRow: 1 })).json.data.id as number;
    const change = (values: unknown): Promise<Answer> =>
      sendJson(served.address, 'PATCH', `/api/cms/items/crate/${id}`, values);

    expect(refusalOf(await change({ stackRow: -1 }))).toEqual([400, 'VALIDATION_FAILED', ['stackRow VALUE_INVALID']]);
    expect((await change({ stackRow: 2 })).status).toBe(200);
  });

  it('is refused by the line of an import with the field', async () => {
    await addCheck('stack_row > 0');
    const { status, json } = await sendJson(served.address, 'POST', '/api/cms/imports/crate', [
      { label: 'a', stackRow: 1 },
      { label: 'b', stackRow: -1 },
    ]);

    expect([status, json.error.details]).toEqual([
      400,
      [expect.objectContaining({ line: 1, path: 'stackRow', code: 'VALUE_INVALID' })],
    ]);
  });

  it('is refused without fields and names where the caller may not read one of them', async () => {
    await addCheck("label <> 'a' OR stack_row > 0");
    const id = (await create({ label: 'b', stackRow: -1 })).json.data.id as number;
    const on = { plugin: 'workshop', type: 'crate' };
    policy = createRolePolicy(content.types, [{ on, actions: [...itemActions], readableFields: ['label'] }], {
      id: '7',
      login: 'ann@example.org',
    });

    const answer = await sendJson(served.address, 'PATCH', `/api/cms/items/crate/${id}`, { label: 'a' });
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_FAILED', []]);
    expect(answer.text).not.toMatch(/row|house/i);
  });
});

describe('an item that a trigger refuses', () => {
  it.each([
    ["'too low' USING COLUMN = 'stack_row'", ['stackRow VALUE_INVALID']],
    ["'too low' USING COLUMN = 'other'", []],
    ["'too low'", []],
  ])('is refused with the field of the column that it names: RAISE EXCEPTION %s', async (raised, details) => {
    await content.rows(
      `CREATE FUNCTION house_rule() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ${raised.replaceAll("'", "''")}; END'`,
    );
    await content.rows(
      'CREATE TRIGGER house_rule BEFORE INSERT ON workshop_crate FOR EACH ROW EXECUTE FUNCTION house_rule()',
    );

    const answer = await create({ label: 'a', stackRow: -1 });
    expect(refusalOf(answer)).toEqual([400, 'VALIDATION_FAILED', details]);
    expect(answer.json.error.message).toBe('Failed to create Crate: the database rejects it: too low');
  });
});
