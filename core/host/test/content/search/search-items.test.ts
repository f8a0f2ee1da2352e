import fc from 'fast-check';
import type { SearchGroup } from '@gantry/contracts';
import { send, sendJson } from '../../../../../test/support/rest-client';
import { createOpenPolicy, userScope } from '@gantry/core-content';
import { declareType } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems } from '../support/serve-items';
import { emptyTables } from '../../../../../test/support/empty-tables';

const types = [
  declareType('Product', { code: { required: true }, name: { searchable: true }, note: {} }),
  declareType(
    'Film',
    { title: { searchable: true }, originalTitle: {}, year: { type: 'NUMBER' } },
    { displayNamePlural: 'Films' },
  ),
  declareType('Plant', { name: {}, picture: { type: 'IMAGE' }, detail: { type: 'IMAGE' } }),
  declareType('Measurement', { value: { type: 'NUMBER' } }),
];

let content: OpenTypes;
let address: string;
let close: () => Promise<void>;

beforeAll(async () => {
  content = await openTypes(types);
  const scope = userScope(createOpenPolicy(content.types), 'local', 'none');
  ({ address, close } = await serveItems(content, () => scope));
});

beforeEach(() => content.rows(emptyTables('workshop_%')));

afterAll(() => close());

async function search(q: string): Promise<readonly SearchGroup[]> {
  const { json, status, text } = await send(address, `/api/cms/search?q=${encodeURIComponent(q)}`, { method: 'POST' });
  expect([status, text]).toEqual([200, expect.anything()]);
  return json.data as readonly SearchGroup[];
}

async function create(type: string, values: object): Promise<number> {
  const { json, status, text } = await sendJson(address, 'POST', `/api/cms/items/${type}`, values);
  expect([status, text]).toEqual([201, expect.anything()]);
  return Number(json.data.id);
}

async function listed(type: string, parameters: string, criteria: readonly object[] = []): Promise<readonly number[]> {
  const { json, status, text } = await sendJson(address, 'POST', `/api/cms/items/${type}/list?${parameters}`, criteria);
  expect([status, text]).toEqual([200, expect.anything()]);
  return (json.data as readonly { readonly id: number }[]).map(({ id }) => id);
}

describe('the search across types', () => {
  it('finds items of all types by a part of a label or code, in any case', async () => {
    await create('product', { code: 'P-100', name: 'Red shoe' });
    await create('film', { title: 'The Red Shoes' });
    await create('film', { title: 'Blue' });
    expect(await search('ED SHoe')).toEqual([
      {
        type: 'film',
        displayName: 'Film',
        displayNamePlural: 'Films',
        isMore: false,
        items: [{ id: 1, label: 'The Red Shoes' }],
      },
      {
        type: 'product',
        displayName: 'Product',
        displayNamePlural: 'Products',
        isMore: false,
        items: [{ id: 1, label: 'Red shoe', code: 'P-100' }],
      },
    ]);
  });

  it('finds the item with the id and the one with the code, whose type comes first', async () => {
    await create('film', { title: 'Room 2' });
    await create('measurement', { value: 7 });
    await create('measurement', { value: 8 });
    await create('product', { code: '2', name: 'Two' });
    const groups = await search('2');
    expect(groups.map(({ type, items }) => [type, items.map(({ label }) => label)])).toEqual([
      ['measurement', ['2']],
      ['product', ['Two']],
    ]);
  });

  it('shows the label that was found next to the first one', async () => {
    await create('film', { title: 'The Lives of Others', originalTitle: 'Das Leben der Anderen' });
    const [group] = await search('anderen');
    expect(group?.items).toEqual([{ id: 1, label: 'The Lives of Others · Das Leben der Anderen' }]);
  });

  it('gives the first image of an item', async () => {
    await create('plant', { name: 'Rose with both', picture: '/a.png', detail: '/b.png' });
    await create('plant', { name: 'Rose with a detail', detail: '/c.png' });
    await create('plant', { name: 'Rose without' });
    const [group] = await search('rose');
    expect(group?.items).toEqual([
      { id: 2, label: 'Rose with a detail', image: '/c.png' },
      { id: 1, label: 'Rose with both', image: '/a.png' },
      { id: 3, label: 'Rose without' },
    ]);
  });

  it('gives five items of a type and says that there are more', async () => {
    for (let number = 1; number <= 6; number += 1) await create('product', { code: `C-${number}`, name: 'Chair' });
    const [group] = await search('chair');
    expect(group).toMatchObject({ isMore: true, items: [1, 2, 3, 4, 5].map((id) => ({ id })) });
  });

  it.each(['%', '_', '\\', '100%', 'a\\', "'", '"', '{', '😀', 'ß'])('takes %s as it is', async (text) => {
    await create('product', { code: 'plain', name: 'Plain' });
    expect(await search(text)).toEqual([]);
    await create('product', { code: 'special', name: `${text} special` });
    expect((await search(text)).flatMap(({ items }) => items.map(({ code }) => code))).toEqual(['special']);
  });

  it('finds the best items also of a text that very many have', async () => {
    await content.rows(
      "INSERT INTO workshop_product (code, name) SELECT 'X-' || n, 'Chair number ' || n FROM generate_series(1, 3000) n",
    );
    await create('product', { code: 'chair', name: 'Zebra' });
    await create('film', { title: 'Chairs' });
    const groups = await search('chair');
    expect(groups.map(({ type, isMore, items }) => [type, isMore, items[0]?.label])).toEqual([
      ['product', true, 'Zebra'],
      ['film', false, 'Chairs'],
    ]);
    expect(groups[0]?.items).toHaveLength(5);
  });

  it('finds items that have a frequent text in the middle, of types with many items and with few', async () => {
    await content.rows(
      "INSERT INTO workshop_product (code, name) SELECT 'X-' || n, 'Number ' || n || CASE WHEN n % 10 = 0 THEN ' limited' ELSE '' END FROM generate_series(1, 5000) n",
    );
    await create('film', { title: 'An unlimited film' });
    const groups = await search('limited');
    expect(groups.map(({ type, isMore, items }) => [type, isMore, items.length])).toEqual([
      ['film', false, 1],
      ['product', true, 5],
    ]);
    expect(await search('limited')).toEqual(groups);
  });

  it.each([
    ['', /^q: is required/],
    ['?q=', /^q: .*blank/],
    ['?q=%20%20', /^q: .*blank/],
    ['?q=a%00b', /^q: .*control characters/],
    ['?q=a%1Fb', /^q: .*control characters/],
    [`?q=${'a'.repeat(201)}`, /^q: .* 200 .* 201 /],
    ['?q=a&q=b', /Repeated .*"q"/],
    ['?q=a&limit=3', /Unknown .*"limit"/],
  ])('refuses %s', async (query, named) => {
    const { status, json } = await send(address, `/api/cms/search${query}`, { method: 'POST' });
    expect([status, json.error.code, json.error.message]).toEqual([400, 'BAD_REQUEST', expect.stringMatching(named)]);
  });

  it('is offered by POST only', async () => {
    const answer = await send(address, '/api/cms/search?q=abc');
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('the search in a list', () => {
  beforeEach(async () => {
    await create('product', { code: 'A-1', name: 'Green chair', note: 'kitchen' });
    await create('product', { code: 'B-2', name: 'Chair', note: 'kitchen' });
    await create('product', { code: 'chair-3', name: 'Table' });
    await create('product', { code: 'D-4', note: 'chair' });
  });

  it('compares the label fields and combines with criteria, sort, paging and total', async () => {
    expect(await listed('product', 'q=chair')).toEqual([3, 2, 1]);
    expect(await listed('product', 'q=chair&sort=name')).toEqual([2, 1, 3]);
    expect(await listed('product', 'q=chair', [{ field: 'name', operator: 'CONTAINS', value: 'green' }])).toEqual([1]);
    const first = await sendJson(address, 'POST', '/api/cms/items/product/list?q=chair&limit=2&total=true', []);
    expect(first.json.meta).toMatchObject({ total: 3, nextCursor: expect.any(String) });
    expect(await listed('product', `q=chair&limit=2&after=${String(first.json.meta.nextCursor)}`)).toEqual([1]);
  });

  it('compares beginnings and ids with fewer than three characters', async () => {
    expect(await listed('product', 'q=ch')).toEqual([3, 2]);
    expect(await listed('product', 'q=4')).toEqual([4]);
    expect(await listed('measurement', 'q=4')).toEqual([]);
    expect(await listed('measurement', 'q=chair')).toEqual([]);
  });

  it('applies to the results of a type and to exports as well', async () => {
    const found = await sendJson(address, 'POST', '/api/cms/items/product/search?q=chair', []);
    expect(found.json.data).toHaveLength(3);
    const file = await sendJson(address, 'POST', '/api/cms/exports/product?format=csv&q=green', []);
    expect(file.text.trim().split('\n')).toHaveLength(2);
  });

  it.each(['list', 'search'])('refuses a blank text in a %s', async (path) => {
    const answer = await sendJson(address, 'POST', `/api/cms/items/product/${path}?q=`, []);
    expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringMatching(/^q: .*blank/)]);
  });
});

/** The rules of docs/rest.md over plain arrays. */
interface Thing {
  readonly id: number;
  readonly code: string;
  readonly label: string;
}

function searchSlowly(things: readonly Thing[], q: string): readonly number[] {
  const text = q.trim().toLowerCase();
  const rankOf = ({ id, code, label }: Thing): number => {
    if (String(id) === text) return 0;
    if (code.startsWith(text)) return 1;
    if (label.startsWith(text)) return 2;
    return text.length >= 3 && (code.includes(text) || label.includes(text)) ? 3 : 4;
  };
  const keyOf = (thing: Thing): string => (rankOf(thing) === 1 ? thing.code : thing.label || '~');
  return things
    .filter((thing) => rankOf(thing) < 4)
    .toSorted(
      (a, b) => rankOf(a) - rankOf(b) || (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))) || a.id - b.id,
    )
    .map(({ id }) => id);
}

describe('random items', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '1', '%', '_'), minLength: 1, maxLength: 4 });
  const change = fc.record({
    code: word,
    name: fc.option(word, { nil: '' }),
    at: fc.nat(9),
    kind: fc.constantFrom('add', 'edit', 'remove'),
  });

  it('are found in the order of a slow, obvious search, through lists too, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 12 }),
        fc.array(word, { minLength: 1, maxLength: 5 }),
        async (changes, texts) => {
          await content.rows(emptyTables('workshop_product'));
          const things: Thing[] = [];
          for (const { code, name, at, kind } of changes) {
            const old = things[at % Math.max(1, things.length)];
            if (kind === 'add' || old === undefined) {
              things.push({ id: await create('product', { code, name }), code, label: name });
            } else if (kind === 'edit') {
              await sendJson(address, 'PATCH', `/api/cms/items/product/${old.id}`, { code, name });
              things.splice(things.indexOf(old), 1, { id: old.id, code, label: name });
            } else {
              await send(address, `/api/cms/items/product/${old.id}`, { method: 'DELETE' });
              things.splice(things.indexOf(old), 1);
            }
          }
          for (const text of texts) {
            const wanted = searchSlowly(things, text);
            const found = (await search(text)).flatMap(({ items }) => items.map(({ id }) => id));
            expect(found).toEqual(wanted.slice(0, 5));
            const inList = await listed('product', `sort=id&q=${encodeURIComponent(text)}`);
            expect(inList).toEqual([...wanted].toSorted((a, b) => a - b));
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
