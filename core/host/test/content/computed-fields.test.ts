import { itemActions, type Grant } from '@gantry/contracts';
import type { FieldOptions, ItemStore } from '@gantry/plugin-api';
import { DataType } from 'sequelize-typescript';
import { problemsOf, send, sendJson, type Answer } from '../../../../test/support/rest-client';
import {
  createOpenPolicy,
  type Policy,
  createRolePolicy,
  userScope,
  createFunctionFailures,
} from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { emptyTables } from '../../../../test/support/empty-tables';
import { declareType, problemsOfFields, type Declarations } from '../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from './support/serve-items';

const decimal = DataType.DECIMAL(19, 4);

const fields: Declarations = {
  code: { searchable: true },
  price: { type: 'NUMBER', column: decimal, searchable: true },
  tax: { type: 'NUMBER', column: DataType.INTEGER },
  secret: {},
  gross: {
    type: 'NUMBER',
    column: decimal,
    searchable: true,
    computed: { sql: '{price} * (1 + {tax} / 100.0) -- with tax' },
  },
  title: { searchable: true, computed: { sql: `{code} || ' of ' || coalesce({secret}, 'all')` } },
  margin: {
    type: 'NUMBER',
    column: decimal,
    computed: {
      from: ['price', 'tax', 'gross'],
      value({ price, tax, gross }) {
        if (tax === 13) throw new Error('unlucky');
        if (tax === 14) return 'nothing';
        if (tax === 15) return Promise.reject(new Error('late'));
        return price === null ? undefined : (Number(gross) - Number(price)).toFixed(2);
      },
    },
  },
  whisper: {
    computed: { from: ['secret'], value: ({ secret }) => (secret === null ? '' : `psst ${secret as string}`) },
  },
};
const Ware = declareType('Ware', fields, {
  columns: ['code', 'gross', 'margin'],
  searchResult: ({ values }) => {
    if (values['code'] === 'throws') throw new Error('no');
    if (values['code'] === 'nothing') return undefined as never;
    if (values['code'] === 'number') return { label: 5 } as never;
    return { label: `${String(values['code'])} ${String(values['margin'])}`, subLabel: '' };
  },
});
/** With a hook, so that every item is written by its model. */
const Hooked = declareType('Hooked', {
  price: fields['price'] ?? {},
  gross: { ...fields['gross'], computed: { sql: '{price} * 2' } },
});

const logged: unknown[] = [];
let now = 0;
const failures = createFunctionFailures({ error: (...line: unknown[]) => void logged.push(line[0]) }, () => now);
let content: OpenTypes;
let served: ServedItems;
let items: ItemStore;
let policy: Policy;

beforeAll(async () => {
  content = await openTypes([Ware, Hooked], undefined, {
    enter: (_plugin, code) => code(),
    failures,
  });
  items = content.items('workshop');
  policy = createOpenPolicy(content.types);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
  Hooked.addHook('beforeCreate', () => undefined);
});
beforeEach(async () => {
  policy = createOpenPolicy(content.types);
  await content.rows(emptyTables('workshop_%', 'gantry_change'));
});
afterAll(() => served.close());

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  body === undefined
    ? send(served.address, `/api/cms/${path}`, { method })
    : sendJson(served.address, method, `/api/cms/${path}`, body);

async function create(values: object, type = 'ware'): Promise<Readonly<Record<string, unknown>>> {
  const { status, json } = await call('POST', `items/${type}`, values);
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.values;
}

async function listed(
  criteria: readonly object[] = [],
  query = '',
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { json } = await call('POST', `items/ware/list${query}`, criteria);
  return json.data.map(({ values }: { readonly values: object }) => values);
}

function roleOn(readable: readonly string[], where?: Grant['where']): Grant {
  const on = { plugin: 'workshop', type: 'ware' };
  return { on, actions: itemActions, readableFields: readable, ...(where === undefined ? {} : { where }) };
}

function act(...grants: readonly Grant[]): void {
  policy = createRolePolicy(content.types, grants, { id: '7', login: 'a@example.org' });
}

describe('a field that SQL computes', () => {
  it('is part of the answers of create, get, list, update and search', async () => {
    const created = await create({ code: 'A', price: 100, tax: 19 });
    expect(created).toMatchObject({ gross: 119, title: 'A of all', margin: 19 });
    const changed = await call('PATCH', 'items/ware/1', { price: 200, secret: 'b' });
    expect(changed.json.data.values).toMatchObject({ gross: 238, title: 'A of b', margin: 38, version: 2 });
    expect((await call('GET', 'items/ware/1')).json.data.values).toEqual(changed.json.data.values);
    expect(await listed()).toEqual([changed.json.data.values]);
    expect(await create({ price: 1.0001 }, 'hooked')).toMatchObject({ gross: 2.0002 });
  });

  it('is compared, sorted by and found as any other', async () => {
    for (const [code, price] of [
      ['A', 3],
      ['B', 1],
      ['C', 2],
    ]) {
      await create({ code, price, tax: 100 });
    }
    expect(
      (await listed([{ field: 'gross', operator: 'MORE_THAN', value: '2' }], '?sort=gross')).map(({ code }) => code),
    ).toEqual(['C', 'A']);
    expect((await listed([{ field: 'title', value: 'b of' }])).map(({ code }) => code)).toEqual(['B']);
    const first = await call('POST', 'items/ware/list?sort=-gross&limit=2', []);
    const rest = await call('POST', `items/ware/list?sort=-gross&limit=2&after=${first.json.meta.nextCursor}`, []);
    expect([...first.json.data, ...rest.json.data].map(({ values }) => values.gross)).toEqual([6, 4, 2]);
    const found = await call('POST', 'search?q=B%20of', []);
    expect(found.json.data.flatMap(({ items: hits }: { readonly items: readonly object[] }) => hits)).toMatchObject([
      { id: 2 },
    ]);
    expect(await items.of(Ware).find({ gross: '4' } as never)).toMatchObject({
      code: 'C',
      gross: '4.0000',
      margin: '2',
    });
  });

  it('has a generated column with an index', async () => {
    const [column] = await content.rows(
      `SELECT is_generated FROM information_schema.columns WHERE table_name = 'workshop_ware' AND column_name = 'gross'`,
    );
    const indexes = await content.rows(
      `SELECT indexdef FROM pg_indexes WHERE indexdef LIKE '%workshop_ware %gross, id%'`,
    );
    expect([column, indexes.length]).toEqual([{ is_generated: 'ALWAYS' }, 1]);
  });

  it('refuses values that it cannot be computed of as any other value that does not fit', async () => {
    const { status, json } = await call('POST', 'items/ware', { code: 'A', price: 999999999999999, tax: 1000 });
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      'VALIDATION_FAILED',
      expect.stringContaining('(gross, title)'),
    ]);
  });
});

describe('a field that a function computes', () => {
  it('keeps every digit of what it is made from and gives', async () => {
    expect(await create({ code: 'A', price: 1, secret: 'x' })).toMatchObject({ margin: -1, whisper: 'psst x' });
    const text = (await call('GET', 'items/ware/1')).text;
    expect(text).toContain('"price":1.0000');
  });

  it.each([
    [13, 'unlucky'],
    [14, 'the function returned a value that the field cannot have: margin must be a number'],
    [15, 'the function returned a promise; it must return the value synchronously'],
  ])('is null where it fails, and the others are answered: %s', async (tax, reason) => {
    now += 60_000;
    logged.length = 0;
    await create({ code: 'A', price: 1, tax: 20 });
    await create({ code: 'B', price: 1, tax });
    expect((await listed([], '?sort=id')).map(({ code, margin }) => [code, margin])).toEqual([
      ['A', 0.2],
      ['B', null],
    ]);
    expect(logged).toEqual([
      { plugin: 'workshop', type: 'ware', function: 'margin', items: 1, reason: expect.stringContaining(reason) },
    ]);
  });

  it('leaves other search results alone where the function that maps them fails', async () => {
    now += 60_000;
    logged.length = 0;
    for (const code of ['A', 'throws', 'nothing', 'number']) await create({ code, price: 1, tax: 20 });
    const { json } = await sendJson(served.address, 'POST', '/api/cms/items/ware/search', []);
    const time = expect.stringMatching(/^\d{4}-/);
    expect(json.data.map(({ label, subLabel }: Record<string, string>) => [label, subLabel])).toEqual([
      ['A 0.2', ''],
      ['Ware', time],
      ['Ware', time],
      ['5', time],
    ]);
    const failed = { plugin: 'workshop', type: 'ware', function: 'searchResult' };
    expect(logged).toEqual([{ ...failed, items: 2, reason: expect.stringContaining('no') }]);
    await sendJson(served.address, 'POST', '/api/cms/items/ware/search', []);
    expect(logged).toHaveLength(1);
    expect(failures.list()).toContainEqual({ plugin: 'workshop', type: 'ware', name: 'searchResult', rows: 4 });
  });

  it('is what a function that maps search results gets', async () => {
    await create({ code: 'A', price: 100, tax: 10 });
    const { json } = await call('POST', 'items/ware/search', []);
    expect(json.data ?? json).toMatchObject([{ label: 'A 10' }]);
  });

  it('is no criterion and no order', async () => {
    const skipped = await call('POST', 'items/ware/list', [{ field: 'margin', value: '1' }]);
    expect(skipped.json.meta.skipped).toEqual([{ field: 'margin', reason: 'NOT_SEARCHABLE' }]);
    expect((await call('POST', 'items/ware/list?sort=margin', [])).status).toBe(400);
    await expect(items.of(Ware).find({ margin: 1 } as never)).rejects.toThrow(/margin .*computed/);
    const where = encodeURIComponent('margin=1');
    expect((await call('POST', `exports/ware?where=${where}`)).status).toBe(400);
  });
});

describe('a computed field', () => {
  it.each(['gross', 'margin'])('is refused in every write: %s', async (field) => {
    await create({ code: 'A', price: 1 });
    const problem = { path: field, code: 'NOT_EDITABLE', message: expect.stringContaining(field) };
    for (const answer of [
      await call('POST', 'items/ware', { code: 'B', [field]: 1 }),
      await call('PATCH', 'items/ware/1', { [field]: null }),
      await call('PUT', 'items/ware/1', { [field]: 1 }),
    ]) {
      expect([answer.status, answer.json.error.details]).toEqual([400, [problem]]);
    }
    await expect(items.of(Ware).create({ code: 'C', [field]: 1 } as never)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [problem],
    });
  });

  it('is described as what a write cannot set', async () => {
    const { json } = await call('GET', 'items/ware/metadata');
    const [gross] = json.data.fields.filter(({ name }: { readonly name: string }) => name === 'gross');
    expect(gross).toMatchObject({ computed: true, readOnly: true, editableOnCreate: false, editableOnUpdate: false });
    const document = await send(served.address, '/api/openapi.json');
    const { WareRow, WareCreate, WareUpdate } = document.json.components.schemas;
    expect(WareRow.properties.values.properties.gross).toMatchObject({
      readOnly: true,
      description: expect.stringContaining('price, tax'),
    });
    expect([WareCreate, WareUpdate].map(({ properties }) => Object.keys(properties))).toEqual(
      Array.from({ length: 2 }, () => ['code', 'price', 'tax', 'secret']),
    );
  });

  it('is no part of history, exports and the change feed, and of no version that SQL makes', async () => {
    await create({ code: 'A', price: 1, tax: 10 });
    await content.rows('UPDATE workshop_ware SET code = code');
    await call('PATCH', 'items/ware/1', { price: 2 });
    const { json } = await call('GET', 'items/ware/1/history');
    expect(
      json.data.map(({ version, changed }: { readonly version: number; readonly changed: unknown }) => [
        version,
        changed,
      ]),
    ).toEqual([
      [2, ['price']],
      [1, ['code', 'price', 'tax', 'secret']],
    ]);
    expect(Object.keys(json.data[0].values)).not.toContain('gross');
    const exported = await call('POST', 'exports/ware?format=csv');
    expect(exported.text.split('\n')[0]?.trim()).toBe('code,price,tax,secret');
    const restored = await call('POST', 'items/ware/1/restore', { version: 1 });
    expect([restored.status, restored.json.data?.values.gross]).toEqual([200, 1.1]);
  });

  it('is imported without, and refused where a file has it', async () => {
    const file = (body: string) =>
      send(served.address, '/api/cms/imports/ware', { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
    expect((await file('code,price,tax\nA,10,10\n')).status).toBe(200);
    expect(await listed()).toMatchObject([{ gross: 11, margin: 1 }]);
    expect(problemsOf(await file('code,gross\nB,10\n'))).toEqual(['gross: NOT_EDITABLE']);
  });
});

describe('rights on a computed field', () => {
  beforeEach(async () => {
    await create({ code: 'A', price: 1, tax: 10, secret: 'one' });
    await create({ code: 'B', price: 2, tax: 10, secret: 'two' });
  });

  it('need the fields that it is made from, directly and through others', async () => {
    act(roleOn(['code', 'price', 'gross', 'margin', 'title', 'whisper']));
    expect(Object.keys((await listed())[0] ?? {})).not.toEqual(expect.arrayContaining(['gross']));
    const { json } = await call('GET', 'items/ware/metadata');
    expect(json.data.fields.map(({ name }: { readonly name: string }) => name)).toEqual(['code', 'price']);
    act(roleOn(['code', 'price', 'tax', 'gross', 'margin']));
    expect(await listed([], '?sort=id')).toMatchObject([
      { gross: 1.1, margin: 0.1 },
      { gross: 2.2, margin: 0.2 },
    ]);
    act(roleOn(['code', 'price', 'tax', 'margin']));
    expect(Object.keys((await listed())[0] ?? {})).not.toContain('margin');
  });

  it('are those of every field on the item', async () => {
    const isA = [{ field: 'code', operator: 'EQUALS', value: 'A' }] as const;
    act(roleOn(['code', 'whisper', 'title']), roleOn(['secret'], isA));
    const rows = (await listed([], '?sort=id')).map(({ code, whisper, title }) => [code, whisper, title]);
    expect(rows).toEqual([
      ['A', 'psst one', 'A of one'],
      ['B', undefined, undefined],
    ]);
    expect((await call('POST', 'items/ware/list', [{ field: 'title', value: 'two' }])).json.data).toEqual([]);
  });

  it('are asked of versions in the history as of items', async () => {
    act({ ...roleOn(['code', 'price', 'tax', 'gross'], [{ field: 'gross', operator: 'MORE_THAN', value: '2' }]) });
    expect((await listed()).map(({ code }) => code)).toEqual(['B']);
    expect((await call('GET', 'items/ware/2/history')).json.data).toHaveLength(1);
    expect((await call('GET', 'items/ware/1/history')).status).toBe(404);
  });
});

describe('a declaration of a computed field', () => {
  const on = (computed: unknown, options: Partial<FieldOptions> = {}) =>
    problemsOfFields({ price: {}, list: {}, value: { computed, ...options } as Partial<FieldOptions> });

  it.each([
    ['sql', 'value has computed that is neither { sql } nor { from, value }'],
    [{}, 'value has computed without sql or a function value'],
    [{ sql: ' ' }, 'value has a computed.sql that is not a text'],
    [{ sql: '1', from: [] }, 'value has computed with both sql and a function; choose one of them'],
    [{ value: (): number => 1 }, "value has a computed.from that is not a list of fields, such as ['price']"],
    [{ sql: '1', fast: true }, 'value has the unknown option computed.fast; known are sql, or from and value'],
    [{ sql: '{cost}' }, 'value is computed from cost, which is not a field'],
    [{ sql: '{value}' }, 'value is computed from value, which is computed itself'],
    [{ from: ['value'], value: (): number => 1 }, 'value is computed from value, which is computed by a function'],
  ])('is refused: %j', (computed, problem) => {
    expect(on(computed)).toEqual([problem]);
  });

  it.each([
    [{ required: true }, 'value is computed, so that required has no meaning'],
    [{ default: 'x' }, 'value is computed, so that default has no meaning'],
    [{ requiredIf: { field: 'price', empty: true } }, 'value is computed, so that requiredIf has no meaning'],
    [{ type: 'REFERENCE' }, 'value is computed, which a REFERENCE cannot be'],
    [{ searchable: true }, 'value is searchable but computed by a function; only sql can be searched and sorted by'],
  ] as const)('is refused with an option that has no meaning: %j', (options, problem) => {
    expect(on({ from: ['price'], value: (): number => 1 }, options)).toEqual([problem]);
  });

  it('may not decide on other fields', () => {
    const visibleIf = { field: 'twice', equals: 'a' } as const;
    expect(problemsOfFields({ price: { visibleIf }, twice: { computed: { sql: '{price}' } } })).toEqual([
      'price has visibleIf that names twice, which is computed',
    ]);
  });

  it('may not be part of a key', () => {
    expect(
      problemsOfFields(
        { price: {}, twice: { computed: { sql: '{price}' } } },
        { unique: [['twice']], editableColumns: ['twice'] },
      ),
    ).toEqual(['unique names twice, which is computed', 'editableColumns names twice, which is computed']);
  });
});
