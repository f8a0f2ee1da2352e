import { createOpenPolicy, createRolePolicy, userScope, type Policy } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import type { Failure, Row } from '@gantry/contracts';
import type { ItemTypeClass } from '@gantry/plugin-api';
import { declareType, problemsOfFields } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const code = { code: { required: true, searchable: true } } as const;
const Tea = declareType('Tea', code, { unique: [['code']] });
const Cup = declareType('Cup', code, { unique: [['code']] });
const linkTargets = [() => Tea, () => Cup];
const Box: ItemTypeClass = declareType(
  'Box',
  {
    ...code,
    best: { type: 'LINK', linkTargets, searchable: true },
    inside: { type: 'LINK', linkTargets, cardinality: 'MULTIPLE', onDelete: 'removeLink', searchable: true },
    beside: { type: 'LINK', linkTargets, onDelete: 'setNull' },
    owner: { type: 'LINK', linkTargets: [() => Cup], onDelete: 'cascade' },
  },
  { unique: [['code']] },
);

let content: OpenTypes;
let served: ServedItems;
let policy: Policy;
let ids: { readonly tea: number; readonly cup: number; readonly other: number };

beforeAll(async () => {
  content = await openTypes([Tea, Cup, Box]);
  policy = createOpenPolicy(content.types);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
  const create = async (type: string, name: string) => (await post(`items/${type}`, { code: name })).id;
  ids = { tea: await create('tea', 'Assam'), cup: await create('cup', 'Blue'), other: await create('cup', 'Red') };
});
beforeEach(() => (policy = createOpenPolicy(content.types)));
afterAll(() => served.close());

async function ask(method: string, path: string, body?: unknown, type = 'application/json') {
  const response = await fetch(`${served.address}/api/cms/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': type }, body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const answer = (isJson ? JSON.parse(text) : {}) as Partial<Failure> & { readonly data?: unknown };
  return { status: response.status, text, ...answer };
}

async function post(path: string, body: unknown): Promise<Row> {
  const { status, data, text } = await ask('POST', path, body);
  if (status >= 300) throw new Error(text);
  return data as Row;
}

const found = async (criteria: readonly object[]) =>
  ((await ask('POST', 'items/box/list', criteria)).data as readonly Row[]).map(({ values }) => values['code']);

describe('a field that refers to items of several types', () => {
  it('takes type and id, and shows the item with its label', async () => {
    const { values } = await post('items/box', {
      code: 'A',
      best: `tea/${ids.tea}`,
      inside: [`cup/${ids.cup}`, `tea/${ids.tea}`],
    });
    expect(values).toMatchObject({
      best: { type: 'tea', id: ids.tea, label: 'Assam' },
      inside: [
        { type: 'cup', id: ids.cup, label: 'Blue' },
        { type: 'tea', id: ids.tea, label: 'Assam' },
      ],
      beside: null,
    });
  });

  it.each([
    [{ best: 'tea/999' }, 'best', 'REFERENCE_NOT_FOUND'],
    [{ best: 'box/1' }, 'best', 'NOT_AN_OPTION'],
    [{ best: 5 }, 'best', 'WRONG_TYPE'],
    [{ best: 'tea' }, 'best', 'WRONG_TYPE'],
    [{ inside: 'tea/1' }, 'inside', 'WRONG_TYPE'],
    [{ inside: ['cup/1', 'cup/1'] }, 'inside', 'DUPLICATE'],
    [{ owner: 'tea/1' }, 'owner', 'NOT_AN_OPTION'],
  ])('refuses %j', async (values, path, detail) => {
    const { status, error } = await ask('POST', 'items/box', { code: 'wrong', ...values });
    expect([status, error?.details]).toEqual([400, [expect.objectContaining({ path, code: detail })]]);
  });

  it('is found by what it refers to', async () => {
    await post('items/box', { code: 'F', best: `cup/${ids.cup}` });
    expect(await found([{ field: 'best', operator: 'EQUALS', value: `cup/${ids.cup}` }])).toEqual(['F']);
    expect(
      await found([{ field: 'best', operator: 'IN', value: JSON.stringify([`cup/${ids.cup}`, `tea/${ids.tea}`]) }]),
    ).toEqual(expect.arrayContaining(['A', 'F']));
    expect(await found([{ field: 'inside', operator: 'EQUALS', value: `tea/${ids.tea}` }])).toEqual(['A']);
    expect(await found([{ field: 'best', operator: 'EMPTY', value: 'true' }])).toEqual([]);
    const wrong = await ask('POST', 'items/box/list', [{ field: 'best', operator: 'EQUALS', value: 'nothing' }]);
    expect(wrong).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } });
  });

  it('says of the item by whom it is used, and keeps its history', async () => {
    const { data } = await ask('GET', `items/tea/${ids.tea}/references`);
    expect(JSON.stringify(data)).toContain('"field":"best"');
    const { id } = await post('items/box', { code: 'H', best: `tea/${ids.tea}` });
    await ask('PATCH', `items/box/${id}`, { best: null });
    const history = await ask('GET', `items/box/${id}/history`);
    expect(history.data).toMatchObject([
      { action: 'updated', changed: ['best'], values: { best: null } },
      { action: 'created', values: { best: `tea/${ids.tea}` } },
    ]);
    const restored = await ask('POST', `items/box/${id}/restore`, { version: 1 });
    expect(restored).toMatchObject({ status: 200, data: { values: { best: { id: ids.tea } } } });
  });

  it('follows each rule of deletion', async () => {
    const { id: cup } = await post('items/cup', { code: 'Gone' });
    const link = `cup/${cup}`;
    const { id: kept } = await post('items/box', { code: 'D1', inside: [link, `tea/${ids.tea}`], beside: link });
    const { id: owned } = await post('items/box', { code: 'D2', owner: link });
    const { id: blocking } = await post('items/box', { code: 'D3', best: link });
    expect((await ask('DELETE', `items/cup/${cup}?confirm=all`)).error?.code).toBe('ITEM_REFERENCED');
    await ask('PATCH', `items/box/${blocking}`, { best: null });
    const refused = await ask('DELETE', `items/cup/${cup}`);
    expect(refused.error?.deletion?.confirm).toBe('box.delete=1,box.update=1');
    expect((await ask('DELETE', `items/cup/${cup}?confirm=all`)).status).toBe(204);
    expect(await ask('GET', `items/box/${kept}`)).toMatchObject({
      data: { values: { inside: [{ type: 'tea' }], beside: null, version: 2 } },
    });
    expect((await ask('GET', `items/box/${owned}`)).status).toBe(404);
  });

  it('is the same for code, with type and id', async () => {
    const boxes = content.items('workshop').of(Box);
    const { id } = await boxes.create({
      code: 'P',
      best: { type: 'tea', id: String(ids.tea) },
      inside: [`cup/${ids.cup}`],
    } as never);
    expect(await boxes.get(id)).toMatchObject({
      best: { type: 'tea', id: String(ids.tea) },
      inside: [{ type: 'cup', id: String(ids.cup) }],
    });
  });

  it('comes back from files with ids and with keys', async () => {
    await post('items/box', { code: 'X', best: `tea/${ids.tea}`, inside: [`cup/${ids.cup}`, `tea/${ids.tea}`] });
    for (const query of ['format=csv', 'format=csv&ids=true', 'format=jsonl', 'format=jsonl&ids=true']) {
      const type = query.includes('csv') ? 'text/csv' : 'application/x-ndjson';
      const only = [{ field: 'code', operator: 'EQUALS', value: 'X' }];
      const { text } = await ask('POST', `exports/box?${query}`, only);
      const way = query.includes('ids') ? 'match=id&ids=true' : 'match=code';
      const unchanged = await ask('POST', `imports/box?${way}`, text, type);
      expect([query, unchanged.status, unchanged.data]).toEqual([
        query,
        200,
        expect.objectContaining({ unchanged: 1 }),
      ]);
      if (query.includes('ids')) continue;
      const copied = await ask('POST', 'imports/box', text.replaceAll('X', `X-${query.length}`), type);
      expect([query, copied.status, copied.data]).toEqual([query, 200, expect.objectContaining({ created: 1 })]);
    }
    const rows = (await ask('POST', 'items/box/list', [{ field: 'code', operator: 'CONTAINS', value: 'X' }]))
      .data as readonly Row[];
    expect(new Set(rows.map(({ values: { best, inside } }) => JSON.stringify([best, inside]))).size).toBe(1);
  });

  it('shows nothing of items and types that a role hides', async () => {
    await post('items/box', { code: 'R', best: `tea/${ids.tea}`, inside: [`cup/${ids.cup}`, `cup/${ids.other}`] });
    const read = (type: string) => ({ on: { plugin: 'workshop', type }, actions: ['read' as const] });
    const blue = { where: [{ field: 'code', operator: 'EQUALS' as const, value: 'Blue' }] };
    policy = createRolePolicy(content.types, [read('box'), { ...read('cup'), ...blue }], {
      id: '7',
      login: 'ann@example.org',
    });
    const rows = (await ask('POST', 'items/box/list', [{ field: 'code', operator: 'EQUALS', value: 'R' }])).data;
    expect(rows).toMatchObject([
      {
        values: {
          best: { type: '', id: ids.tea, label: null },
          inside: [
            { type: 'cup', id: ids.cup, label: 'Blue' },
            { type: 'cup', id: ids.other, label: null },
          ],
        },
      },
    ]);
  });
});

describe('the declaration of such a field', () => {
  const two = { linkTargets: ['other.Thing'] } as const;

  it.each([
    [{ to: { type: 'LINK' } }, 'to is a LINK without linkTargets'],
    [{ to: { type: 'LINK', ...two, onDelete: 'removeLink' } }, 'it refers to one item; use setNull or cascade'],
    [{ to: { type: 'LINK', ...two, cardinality: 'MULTIPLE', onDelete: 'cascade' } }, 'use removeLink or restrict'],
    [{ to: { type: 'LINK', ...two, required: true, onDelete: 'setNull' } }, 'it is required; use cascade or restrict'],
    [{ to: { type: 'LINK', linkTargets: ['nowhere.Thing'] } }, 'to may not link to a target'],
  ] as const)('is refused: %j', (declared, problem) => {
    expect(problemsOfFields(declared as never).join()).toContain(problem);
  });
});
