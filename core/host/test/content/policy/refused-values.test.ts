import { itemActions, type Grant } from '@gantry/contracts';
import { accepted, defineFieldKind, type ItemTypeClass } from '@gantry/plugin-api';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { createPolicies, type Policies, requestIdOf } from '@gantry/core-http';
import {
  createFieldTypes,
  type FieldType,
  pluginFieldType,
  shippedFieldTypes,
  createConditionTrial,
  type Policy,
  rowFilterOf,
  userScope,
} from '@gantry/core-content';
import { createRights } from '@gantry/core-identity';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from '../support/serve-items';

/** Takes any text for a criterion, whatever its column holds. */
const count = defineFieldKind({
  name: 'Count',
  column: 'INTEGER',
  rowType: 'number',
  index: 'order',
  unordered: false,
  parse: (value) => accepted(String(value)),
  convert: (text) => accepted(text),
  jsonSchema: () => ({ type: 'integer' }),
});
const note = defineFieldKind({
  name: 'Note',
  column: 'VARCHAR(100)',
  isText: true,
  parse: (value) => accepted(String(value)),
  convert: (text) => accepted(text),
  cast: (value) => value,
  arrayType: 'text[]',
  jsonSchema: () => ({ type: 'string' }),
});
const fieldTypes = createFieldTypes([
  ...(shippedFieldTypes.all as readonly [FieldType]),
  pluginFieldType('kit', count),
  pluginFieldType('kit', note),
]);

const Box: ItemTypeClass = declareType(
  'Box',
  {
    code: { required: true, searchable: true },
    stock: { type: 'kit.Count', searchable: true },
    note: { type: 'kit.Note', searchable: true },
  },
  { unique: [['code']] },
);
const Label: ItemTypeClass = declareType('Label', {
  text: { required: true },
  box: { type: 'REFERENCE', targetEntity: () => Box, searchable: true },
});
const user = { id: '7', login: 'ann@example.org' };

describe('a value that PostgreSQL refuses', () => {
  let content: OpenTypes;
  let policies: Policies;
  let address = '';
  let close: () => Promise<void>;
  let current: Policy;

  beforeAll(async () => {
    content = await openTypes([Box, Label], fieldTypes);
    policies = createPolicies(
      content.types,
      createConditionTrial((statement) => content.database.query(statement)),
    );
    current = policies.open;
    const served = await serveItems(
      content,
      (request) => userScope(current, user.id, requestIdOf(request)),
      fieldTypes,
    );
    ({ address, close } = served);
    await ask('POST', 'items/box', { code: 'B-1', stock: 1 });
    await ask('POST', 'items/label', { text: 'one', box: 1 });
  });
  afterAll(() => close());

  function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const target = `/api/cms/${path}`;
    return body === undefined ? send(address, target, { method }) : sendJson(address, method, target, body);
  }

  async function useRole(...grants: readonly Grant[]): Promise<void> {
    const named = { name: 'press', displayName: '', description: '', permissions: [], isBuiltIn: false };
    const rights = createRights([{ ...named, grants }], []);
    await policies.prepare(rights, user);
    current = policies.of(rights, user);
  }

  describe('in a criterion', () => {
    beforeAll(() => (current = policies.open));

    const refusedCriteria = [
      { field: 'stock', operator: 'EQUALS', value: 'x' },
      { field: 'stock', operator: 'MORE_THAN', value: '99999999999' },
      { field: 'stock', operator: 'IN', value: '["x"]' },
      { field: 'stock', operator: 'NOT_EQUALS', value: 'x' },
      { field: 'note', operator: 'EQUALS', value: 'a\u0000' },
      { field: 'note', operator: 'STARTS_WITH', value: 'a\u0000' },
      { field: 'note', operator: 'IN', value: '["a\\u0000"]' },
    ];

    it.each(refusedCriteria)('is a mistake of the request everywhere: %j', async (criterion) => {
      const related = { ...criterion, field: `box.${criterion.field}` };
      const answers = [
        await ask('POST', 'items/box/list?total=true', [criterion]),
        await ask('POST', 'items/box/search', [criterion]),
        await ask('POST', 'exports/box', [criterion]),
        await ask('POST', 'items/label/list', [related]),
        await ask('POST', 'items/label/search', [{ any: [related] }]),
        await ask('POST', 'exports/label', [related]),
      ];
      expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(
        answers.map(() => [400, 'BAD_REQUEST']),
      );
    });

    it('is a mistake of the code of a plugin', async () => {
      const items = content.items('workshop').of(Box);
      const refused = { code: 'BAD_REQUEST' };
      const criteria = { stock: 'x' } as never;
      await expect(items.find(criteria)).rejects.toMatchObject(refused);
      await expect(items.list(criteria)).rejects.toMatchObject(refused);
      await expect(items.count(criteria)).rejects.toMatchObject(refused);
      await expect(items.updateWhere(criteria, { code: 'B-2' } as never)).rejects.toMatchObject(refused);
      await expect(items.removeWhere(criteria)).rejects.toMatchObject(refused);
    });
  });

  describe('in the condition of a role', () => {
    const on = { plugin: 'workshop', type: 'box' };
    const wrong = { field: 'stock', operator: 'EQUALS', value: 'x' } as const;

    it.each([
      [[wrong]],
      [[{ field: 'stock', operator: 'IN', value: '["x"]' }]],
      [[{ field: 'stock', operator: 'NOT_EQUALS', value: 'x' }]],
      [[{ field: 'stock', operator: 'EQUALS', value: '$user.login' }]],
      [[{ any: [wrong, { field: 'code', operator: 'EQUALS', value: 'B-1' }] }]],
    ])('is met by no item: %j', async (where) => {
      await useRole({ on, actions: itemActions, where } as Grant, {
        on: { plugin: 'workshop', type: 'label' },
        actions: itemActions,
      });
      const one = (await ask('GET', 'items/box/1')).status;
      const list = await ask('POST', 'items/box/list', []);
      const search = await ask('POST', 'items/box/search', []);
      const file = await ask('POST', 'exports/box', []);
      const labels = await ask('POST', 'items/label/list', []);
      const changed = (await ask('PATCH', 'items/box/1', { note: 'x' })).status;
      const created = (await ask('POST', 'items/box', { code: 'B-9' })).status;
      const removed = (await ask('DELETE', 'items/box/1')).status;
      expect([one, list.json.data, search.json.data, file.text]).toEqual([404, [], [], '']);
      expect(labels.json.data[0].values.box).toEqual({ id: 1, label: null });
      expect([changed, created, removed]).toEqual([404, 403, 404]);
    });

    it('leaves what other grants show, and is explained', async () => {
      const grant: Grant = { on, actions: ['read'], where: [wrong] };
      await useRole(grant, { on, actions: ['read'], where: [{ field: 'code', operator: 'EQUALS', value: 'B-1' }] });
      expect((await ask('POST', 'items/box/list', [])).json.data).toHaveLength(1);
      const type = content.types.find('box')?.descriptor;
      if (type === undefined) throw new Error('There is no box.');
      expect(rowFilterOf(grant, type, user, policies.isRefused)).toEqual({
        condition: 'false',
        problems: [{ condition: wrong, text: expect.stringContaining('value of stock') }],
      });
    });
  });
});
