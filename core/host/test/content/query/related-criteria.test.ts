import { itemActions, type Grant } from '@gantry/contracts';
import type { ItemStore } from '@gantry/plugin-api';
import { send, sendJson } from '../../../../../test/support/rest-client';
import { createOpenPolicy, type Policy, createRolePolicy, rowFilterOf, userScope } from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';

const Shelf = declareType(
  'Shelf',
  {
    code: { required: true, searchable: true },
    floor: { type: 'NUMBER', column: 'INTEGER', searchable: true },
    secret: { searchable: true },
    note: {},
  },
  { unique: [['code']] },
);
const Book = declareType(
  'Book',
  {
    code: { required: true, searchable: true },
    shelf: { type: 'REFERENCE', targetEntity: () => Shelf, searchable: true },
    shelves: { type: 'REFERENCE', targetEntity: () => Shelf, cardinality: 'MULTIPLE', searchable: true },
    store: { type: 'REFERENCE', targetEntity: () => Shelf },
  },
  { unique: [['code']] },
);

let content: OpenTypes;
let served: ServedItems;
let policy: Policy;
let books: ItemStore['of'] extends (type: never) => infer C ? C : never;

beforeAll(async () => {
  content = await openTypes([Shelf, Book]);
  policy = createOpenPolicy(content.types);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)));
  for (const [code, floor, secret] of [
    ['a', 1, 'gold'],
    ['b', 2, 'tin'],
    ['c', 3, null],
  ]) {
    await sendJson(served.address, 'POST', '/api/cms/items/shelf', { code, floor, secret, note: `note ${code}` });
  }
  for (const [code, shelf, shelves] of [
    ['one', 1, [2, 3]],
    ['two', 2, []],
    ['three', 3, [1]],
    ['none', null, []],
  ]) {
    await sendJson(served.address, 'POST', '/api/cms/items/book', { code, shelf, shelves });
  }
  books = content.items('workshop').of(Book as never) as never;
});
beforeEach(() => {
  policy = createOpenPolicy(content.types);
});
afterAll(() => served.close());

async function find(...criteria: readonly object[]): Promise<{ codes: readonly string[]; skipped: unknown }> {
  const { status, json } = await sendJson(served.address, 'POST', '/api/cms/items/book/list?sort=id', criteria);
  expect([status, json.error]).toEqual([200, undefined]);
  return {
    codes: json.data.map(({ values }: { values: { code: string } }) => values.code),
    skipped: json.meta?.skipped,
  };
}

const by = (field: string, operator: string, value: string) => ({ field, operator, value });

/** Sets the grant of a role on shelves; of books, it shows all. */
function show(shelf: Partial<Grant> | undefined): void {
  const on = (type: string) => ({ plugin: 'workshop', type });
  const actions = [...itemActions];
  const grants: readonly Grant[] = [
    { on: on('book'), actions },
    ...(shelf === undefined ? [] : [{ on: on('shelf'), actions, ...shelf }]),
  ];
  policy = createRolePolicy(content.types, grants, { id: '7', login: 'ann@example.org' });
}

describe('criteria on fields of what a reference refers to', () => {
  it.each([
    ['shelf.code', 'EQUALS', 'b', ['two']],
    ['shelf.code', 'IN', '["a","c"]', ['one', 'three']],
    ['shelf.floor', 'MORE_THAN', '1', ['two', 'three']],
    ['shelf.secret', 'EMPTY', 'true', ['three']],
    ['shelf.secret', 'NOT_EQUALS', 'gold', ['two', 'three']],
    ['shelf.id', 'EQUALS', '1', ['one']],
    ['shelves.code', 'EQUALS', 'c', ['one']],
    ['shelves.floor', 'LESS_THAN', '3', ['one', 'three']],
  ])('%s %s %s finds the items that refer to such a one', async (field, operator, value, codes) => {
    expect(await find(by(field, operator, value))).toEqual({ codes, skipped: undefined });
  });

  it('are combined with others and in groups, and count', async () => {
    const group = {
      any: [by('shelf.code', 'EQUALS', 'a'), by('shelves.code', 'EQUALS', 'a'), by('code', 'EQUALS', 'none')],
    };
    expect((await find(group)).codes).toEqual(['one', 'three', 'none']);
    expect((await find(group, by('shelf.floor', 'MORE_THAN', '1'))).codes).toEqual(['three']);
    const counted = await sendJson(served.address, 'POST', '/api/cms/items/book/list?total=true', [group]);
    expect(counted.json.meta.total).toBe(3);
  });

  it.each([
    'shelf.note',
    'store.code',
    'store',
    'shelf.nothing',
    'shelf.',
    '.code',
    'code.code',
    'shelf.code.code',
    'nothing.code',
  ])('%s is skipped like any field that cannot be searched by', async (field) => {
    const { codes, skipped } = await find(by(field, 'EQUALS', 'x'));
    expect([codes.length, skipped]).toEqual([4, [{ field, reason: 'NOT_SEARCHABLE' }]]);
  });

  it('name the criterion whose value is wrong', async () => {
    const { status, json } = await sendJson(served.address, 'POST', '/api/cms/items/book/list', [
      by('shelf.floor', 'EQUALS', 'high'),
    ]);
    expect([status, json.error.details]).toEqual([
      400,
      [{ path: '[0].value', code: 'WRONG_TYPE', message: expect.stringContaining('"high" for shelf.floor') }],
    ]);
  });

  it('choose what is exported', async () => {
    const { text } = await send(served.address, '/api/cms/exports/book', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([by('shelf.code', 'EQUALS', 'b')]),
    });
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { code: string }).code),
    ).toEqual(['two']);
  });

  it('are criteria of code, with groups and any field', async () => {
    const list = async (criteria: object) => (await books.list(criteria as never, { sort: 'id' as never })).items;
    const codes = async (criteria: object) =>
      (await list(criteria)).map((item) => (item as unknown as { code: string }).code);

    expect(await codes({ 'shelf.note': 'note b' })).toEqual(['two']);
    expect(await codes({ 'shelf.floor': { moreThan: 1 }, 'shelves.code': 'a' })).toEqual(['three']);
    expect(await codes({ $any: [{ 'shelf.code': 'a' }, { shelf: null }] })).toEqual(['one', 'none']);
    expect(await codes({ $any: [{ code: 'one', 'shelf.code': 'b' }, { $all: [{ code: 'two' }] }] })).toEqual(['two']);
    await expect(list({ 'shelf.nothing': 1 })).rejects.toThrow('shelf.nothing');
    await expect(list({ $any: [] })).rejects.toThrow(/\$any .* 1 to 100 /);
    await expect(list({ $any: [{}] })).rejects.toThrow(/\$any .*without/);
    await expect(list({ $any: [{ $any: [{ $any: [{ $any: [{ code: 'a' }] }] }] }] })).rejects.toThrow('3 levels');
  });
});

describe('a role', () => {
  it('that does not show the type or the field finds as if there were none', async () => {
    show(undefined);
    expect((await find(by('shelf.code', 'EQUALS', 'b'))).skipped).toEqual([
      { field: 'shelf.code', reason: 'NOT_SEARCHABLE' },
    ]);
    show({ readableFields: ['code', 'floor'] });
    expect((await find(by('shelf.secret', 'EQUALS', 'tin'))).skipped).toEqual([
      { field: 'shelf.secret', reason: 'NOT_SEARCHABLE' },
    ]);
    expect((await find(by('shelf.code', 'EQUALS', 'b'))).codes).toEqual(['two']);
  });

  it('that does not show an item finds nothing by it', async () => {
    show({ where: [{ field: 'floor', operator: 'LESS_THAN', value: '3' }] });
    expect((await find(by('shelf.floor', 'MORE_THAN', '0'))).codes).toEqual(['one', 'two']);
    expect((await find(by('shelves.floor', 'MORE_THAN', '0'))).codes).toEqual(['one', 'three']);
    expect((await find(by('shelf.secret', 'EMPTY', 'true'))).codes).toEqual([]);
  });

  it('that shows a field on some items finds nothing by it on the others', async () => {
    const on = { plugin: 'workshop', type: 'shelf' };
    const grants: readonly Grant[] = [
      { on: { plugin: 'workshop', type: 'book' }, actions: [...itemActions] },
      { on, actions: ['read'], readableFields: ['code', 'floor'] },
      {
        on,
        actions: ['read'],
        readableFields: ['secret'],
        where: [{ field: 'floor', operator: 'EQUALS', value: '1' }],
      },
    ];
    policy = createRolePolicy(content.types, grants, { id: '7', login: 'ann@example.org' });
    expect((await find(by('shelf.secret', 'CONTAINS', 't'))).codes).toEqual([]);
    expect((await find(by('shelf.secret', 'CONTAINS', 'g'))).codes).toEqual(['one']);
    expect((await find(by('shelf.secret', 'EMPTY', 'true'))).codes).toEqual([]);
  });

  it('has no condition on such a field: its grant is about no item', () => {
    const grant: Grant = {
      on: { plugin: 'workshop', type: 'book' },
      actions: ['read'],
      where: [{ field: 'shelf.code', operator: 'EQUALS', value: 'a' }],
    };
    const type = content.types.find('book')?.descriptor as never;
    expect(rowFilterOf(grant, type, { id: '7', login: '' })).toMatchObject({
      condition: 'false',
      problems: [{ text: expect.stringMatching(/^Book .* shelf\.code /) }],
    });
  });
});
