import { itemActions, type ItemAction, type ItemCondition, type Grant } from '@gantry/contracts';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import { libraryFields, openLibrary, type Library, type TypeGrant } from '../support/library-pair';
import { emptyTables } from '../../../../../test/support/empty-tables';
import { createOpenPolicy, createRolePolicy } from '@gantry/core-content';

let library: Library;

beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

/** Shelves 1 (room north) and 2 (room south), a book on each, a review of each; book 3 is on shelf 1 and linked to both. */
beforeEach(async () => {
  await library.rows(emptyTables('workshop_%'));
  await create('shelf', { code: 'S-1', title: 'First', room: 'north' });
  await create('shelf', { code: 'S-2', title: 'Second', room: 'south' });
  await create('book', { code: 'B-1', alias: 'own one', price: 1, shelf: 1, shelves: [1] });
  await create('book', { code: 'B-2', alias: 'hidden two', price: 2, shelf: 2, shelves: [2] });
  await create('book', { code: 'B-3', alias: 'own three', price: 3, shelf: 1, shelves: [2, 1] });
  await create('review', { text: 'on one', stars: 1, book: 1 });
  await create('review', { text: 'on two', stars: 2, book: 2 });
});

async function create(type: string, values: object): Promise<void> {
  const { status, text } = await sendJson(library.address, 'POST', `/api/cms/items/${type}`, values, {
    'x-open': 'yes',
  });
  expect([status, text]).toEqual([201, expect.anything()]);
}

function grant(
  type: string,
  where?: readonly ItemCondition[],
  actions: readonly ItemAction[] = itemActions,
  fields: readonly string[] = libraryFields[type] ?? [],
): TypeGrant {
  return { actions, fields, writable: fields, ...(where === undefined ? {} : { where }) };
}

function equals(field: string, value: string): readonly ItemCondition[] {
  return [{ field, operator: 'EQUALS', value }];
}

function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const address = `/api/cms/${path}`;
  return body === undefined
    ? send(library.address, address, { method })
    : sendJson(library.address, method, address, body);
}

const ids = ({ json }: Answer): unknown => json.data.map(({ id }: { id: number }) => id);

describe('a role that is about the books of one shelf', () => {
  beforeEach(() =>
    library.setRole({
      book: [grant('book', equals('shelf', '1'))],
      review: [grant('review')],
      shelf: [grant('shelf')],
    }),
  );

  it('lists, counts, finds and exports these only', async () => {
    const list = await ask('POST', 'items/book/list?total=true', []);
    expect(ids(list)).toEqual([3, 1]);
    expect(list.json.meta.total).toBe(2);
    expect(ids(await ask('POST', 'items/book/list', [{ field: 'code', operator: 'EQUALS', value: 'B-2' }]))).toEqual(
      [],
    );
    expect(ids(await ask('POST', 'items/book/list?sort=price&limit=1', []))).toEqual([1]);
    expect(ids(await ask('POST', 'items/book/search', []))).toEqual([1, 3]);
    expect(ids(await ask('POST', 'items/book/list?q=two', []))).toEqual([]);
    expect((await ask('POST', 'search?q=B-2')).json.data).toEqual([]);
    expect((await ask('POST', 'search?q=B-')).json.data[0].items).toHaveLength(2);
    expect((await ask('POST', 'exports/book?ids=true', [])).text).not.toContain('two');
    const recent = await send(library.address, '/api/platform/recent');
    expect(recent.text).toContain('B-3');
    expect(recent.text).not.toContain('B-2');
  });

  it('has other books as if there were none', async () => {
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { price: 9 }],
      ['DELETE', undefined],
    ] as const) {
      const hidden = await ask(method, 'items/book/2', body);
      const none = await ask(method, 'items/book/77', body);
      expect([method, hidden.status]).toEqual([method, 404]);
      expect(hidden.text.replaceAll(/"requestId":"[^"]*"/g, '')).toBe(
        none.text.replaceAll('77', '2').replaceAll(/"requestId":"[^"]*"/g, ''),
      );
    }
    expect((await ask('GET', 'items/book/1')).status).toBe(200);
  });

  it('refuses a book that it would not be about, and keeps nothing of it', async () => {
    expect((await ask('POST', 'items/book', { code: 'B-4', shelf: 2 })).status).toBe(403);
    expect((await ask('POST', 'items/book', { code: 'B-5' })).status).toBe(403);
    expect((await ask('PATCH', 'items/book/1', { shelf: 2 })).status).toBe(403);
    expect((await ask('POST', 'items/book', { code: 'B-6', shelf: 1 })).status).toBe(201);
    expect((await ask('PATCH', 'items/book/1', { price: 5 })).status).toBe(200);
    expect(await library.rows('SELECT code, shelf_id::text AS shelf FROM workshop_book ORDER BY id')).toEqual([
      { code: 'B-1', shelf: '1' },
      { code: 'B-2', shelf: '2' },
      { code: 'B-3', shelf: '1' },
      { code: 'B-6', shelf: '1' },
    ]);
  });

  it('refuses to change an item that it is not about into one that it is', async () => {
    library.setRole({
      book: [grant('book', undefined, ['read']), grant('book', equals('shelf', '1'), ['update'])],
      shelf: [grant('shelf')],
    });
    expect((await ask('PATCH', 'items/book/2', { shelf: 1 })).status).toBe(403);
    expect((await ask('PATCH', 'items/book/3', { price: 4 })).status).toBe(200);
  });

  it('imports as it creates and updates', async () => {
    const { json } = await ask('POST', 'imports/book?match=code&keepGoing=true', [
      { code: 'B-1', price: 8 },
      { code: 'B-2', price: 8 },
      { code: 'B-7', shelf: { id: 2 } },
      { code: 'B-3', shelf: { id: 2 } },
      { code: 'B-8', shelf: { id: 1 } },
    ]);
    expect(JSON.stringify(json)).not.toContain('two');
    expect(
      await library.rows('SELECT code, price::int AS price, shelf_id::int AS shelf FROM workshop_book ORDER BY code'),
    ).toEqual([
      { code: 'B-1', price: 1, shelf: 1 },
      { code: 'B-2', price: 2, shelf: 2 },
      { code: 'B-3', price: 3, shelf: 1 },
    ]);
  });

  it('shows of references to other books the ids, and refuses new ones', async () => {
    const [second, first] = (await ask('POST', 'items/review/list', [])).json.data;
    expect(first.values.book).toEqual({ id: 1, label: 'B-1' });
    expect(second.values.book).toEqual({ id: 2, label: null });
    const refused = await ask('POST', 'items/review', { text: 'new', book: 2 });
    expect(refused.status).toBe(400);
    expect(refused.json.error.details).toEqual([expect.objectContaining({ code: 'REFERENCE_NOT_FOUND' })]);
    expect((await ask('PATCH', 'items/review/2', { stars: 4, book: 2 })).status).toBe(200);
    expect((await ask('POST', 'exports/review', [])).status).toBe(400);
    expect((await ask('POST', 'exports/review?ids=true', [])).text).toContain('2');
  });

  it('names of what refers to an item only what it shows', async () => {
    const { status, json } = await ask('DELETE', 'items/shelf/2');
    expect(status).toBe(409);
    expect(json.error.details).toEqual([
      expect.objectContaining({
        path: 'book.shelves',
        items: [{ id: 3, label: 'B-3' }].map((item) => ({ ...item, id: '3' })),
      }),
    ]);
  });
});

describe('two grants on one type', () => {
  beforeEach(() =>
    library.setRole({
      book: [
        grant('book', equals('shelf', '1'), ['read', 'update'], ['code', 'alias', 'price']),
        grant('book', equals('shelf', '2'), ['read', 'delete'], ['code', 'note']),
      ],
    }),
  );

  it('never combine the items of one with the fields or actions of the other', async () => {
    const { json } = await ask('POST', 'items/book/list?sort=id', []);
    const shown = json.data.map(({ values }: { values: object }) => Object.keys(values).slice(0, -3));
    expect(shown).toEqual([
      ['code', 'alias', 'price'],
      ['code', 'note'],
      ['code', 'alias', 'price'],
    ]);
    expect((await ask('PATCH', 'items/book/2', { code: 'B-9' })).status).toBe(403);
    expect((await ask('DELETE', 'items/book/1')).status).toBe(403);
    expect((await ask('PATCH', 'items/book/1', { price: 7 })).status).toBe(200);
    expect((await ask('DELETE', 'items/book/2')).status).toBe(409);
  });

  it('show a field on the items of its grants to criteria, and never to the order of lists', async () => {
    const found = await ask('POST', 'items/book/list', [{ field: 'alias', operator: 'CONTAINS', value: 'two' }]);
    expect(ids(found)).toEqual([]);
    expect((await ask('POST', 'items/book/list?sort=alias', [])).status).toBe(400);
    expect((await ask('POST', 'items/book/list?sort=code', [])).status).toBe(200);
  });

  it('answer a field that is not shown on an item as an unknown one, whatever its value', async () => {
    for (const alias of ['hidden two', 'other']) {
      const { status, json } = await ask('PATCH', 'items/book/2', { alias });
      expect([status, json.error.details[0].code]).toEqual([400, 'UNKNOWN_FIELD']);
    }
  });
});

describe('conditions', () => {
  it.each([
    ['of a field that does not exist', equals('nothing', '1')],
    ['of a field that cannot be searched by', equals('shelves', 'x')],
    ['with a blank value', equals('alias', ' ')],
    ['with a value that does not fit', equals('price', 'many')],
  ])('%s are met by no item', async (_what, where) => {
    library.setRole({ book: [grant('book', where)] });

    expect(ids(await ask('POST', 'items/book/list', []))).toEqual([]);
    expect((await ask('POST', 'items/book', { code: 'B-9' })).status).toBe(403);
  });

  it('may have quotes, backslashes and signs of patterns', async () => {
    const alias = String.raw`50%_off' OR 'a'='a \' --`;
    await create('book', { code: 'B-9', alias });
    for (const operator of ['EQUALS', 'CONTAINS'] as const) {
      library.setRole({ book: [grant('book', [{ field: 'alias', operator, value: alias }])] });
      expect(ids(await ask('POST', 'items/book/list', []))).toEqual([4]);
    }
  });

  it('may be about the user who asks', async () => {
    await create('book', { code: 'B-4', alias: 'ann@example.org' });
    library.setRole({ book: [grant('book', equals('alias', '$user.login'))] });
    expect(ids(await ask('POST', 'items/book/list', []))).toEqual([4]);
  });
});

describe('the user who creates an item', () => {
  it('is kept with it, and the user who changes it last', async () => {
    library.setRole({ book: [grant('book', undefined)] });
    const own = (await ask('POST', 'items/book', { code: 'B-4' })).json.data;
    const other = (await ask('GET', 'items/book/1')).json.data;
    const changed = (await ask('PATCH', 'items/book/1', { price: 9 })).json.data;
    const shown = ({ createdBy, updatedBy }: Record<string, unknown>): unknown => [createdBy, updatedBy];
    expect([own, other, changed].map(({ values }) => shown(values))).toEqual([
      ['7', '7'],
      [undefined, undefined],
      [undefined, '7'],
    ]);
    expect((await ask('PATCH', 'items/book/1', { price: 9 })).json.data.values.version).toBe(2);
  });

  it('is not shown to a role with a list of fields', async () => {
    library.setRole({ book: [grant('book', undefined, itemActions, ['code'])] });
    const { json } = await ask('POST', 'items/book', { code: 'B-4' });
    expect(Object.keys(json.data.values)).toEqual(['code', 'createdAt', 'updatedAt', 'version']);
    const filter = [{ field: 'createdBy', operator: 'EQUALS', value: '7' }];
    expect((await ask('POST', 'items/book/list', filter)).json.meta.skipped).toEqual([
      { field: 'createdBy', reason: 'NOT_SEARCHABLE' },
    ]);
  });

  it('can be what a role is about, also in a file that is imported', async () => {
    library.setRole({ book: [grant('book', equals('createdBy', '$user.id'))] });
    expect((await ask('POST', 'items/book', { code: 'B-4' })).status).toBe(201);
    const { status } = await ask('POST', 'imports/book', [{ code: 'B-5' }, { code: 'B-6' }]);
    expect(status).toBe(200);
    expect((await ask('PATCH', 'items/book/4', { price: 2 })).status).toBe(200);
    const list = await ask('POST', 'items/book/list', [{ field: 'createdBy', operator: 'EQUALS', value: '7' }]);
    expect(ids(list)).toEqual([6, 5, 4]);
    expect(ids(await ask('POST', 'items/book/list', []))).toEqual([6, 5, 4]);
  });
});

function all(type: string): TypeGrant {
  const fields = libraryFields[type] ?? [];
  return { actions: itemActions, fields, writable: fields };
}

describe('a type of which a role shows everything', () => {
  it('is shown with the labels that the role shows of another one', async () => {
    const open = { 'x-open': 'yes' };
    const { json } = await sendJson(library.address, 'POST', '/api/cms/items/book', { code: 'secret code' }, open);
    const id = json.data.id;
    await sendJson(library.address, 'POST', '/api/cms/items/review', { text: 'good', book: id }, open);
    const openList = await sendJson(library.address, 'POST', '/api/cms/items/review/list', [], open);
    library.setRole({ review: [all('review')], book: [{ ...all('book'), fields: ['alias'], actions: ['read'] }] });
    const list = await sendJson(library.address, 'POST', '/api/cms/items/review/list', []);

    expect(openList.json.data[0].values.book).toEqual({ id, label: 'secret code' });
    expect(list.json.data[0].values.book).toEqual({ id, label: String(id) });
  });
});

describe('a type of a plugin that is not in use', () => {
  const reads = (on: Grant['on']) =>
    createRolePolicy(library.types, [{ on, actions: ['read'] }], { id: '7', login: 'ann@example.org' });

  it('is unavailable to those who might see it, and unknown to others', () => {
    expect(createOpenPolicy(library.types).mightShow('crm', 'contact')).toBe(true);
    const granted: readonly Grant['on'][] = ['content', { plugin: 'crm' }, { plugin: 'crm', type: 'contact' }];
    for (const on of granted) expect(reads(on).mightShow('crm', 'contact')).toBe(true);
    const others: readonly Grant['on'][] = [{ plugin: 'workshop' }, { plugin: 'crm', type: 'note' }];
    for (const on of others) expect(reads(on).mightShow('crm', 'contact')).toBe(false);
    // Rows that are known to be hidden stay so.
    expect(reads('records').mightShow('workshop', 'book')).toBe(false);
  });
});
