import { itemActions } from '@gantry/contracts';
import { accepted, defineFieldKind, refused, type ItemStore, type ItemTypeClass } from '@gantry/plugin-api';
import { send, sendJson, type Answer } from '../../../../../test/support/rest-client';
import {
  createFieldTypes,
  type FieldType,
  pluginFieldType,
  shippedFieldTypes,
  createOpenPolicy,
  type Policy,
  createRolePolicy,
  userScope,
} from '@gantry/core-content';
import { requestIdOf } from '@gantry/core-http';
import { declareType, problemsOfFields } from '../../../../../test/support/content/declare-type';
import { openTypes, type OpenTypes } from '../../../../../test/support/content/open-types';
import { serveItems, type ServedItems } from '../support/serve-items';
import { emptyTables } from '../../../../../test/support/empty-tables';

/** The words of another field in small letters; `settings.from` names it. */
const nick = defineFieldKind({
  name: 'Nick',
  column: 'VARCHAR(40)',
  isEmptyTextNone: true,
  parse: (value) =>
    typeof value === 'string' && /^[a-z0-9-]+$/.test(value) ? accepted(value) : refused('PATTERN', 'must be a nick'),
  convert: (text) => accepted(text),
  arrayType: 'text[]',
  jsonSchema: () => ({ type: 'string' }),
  checkSettings: () => [],
  derivation: {
    from: ({ settings }) => (typeof settings?.['from'] === 'string' ? [settings['from']] : []),
    derive(values, { settings }) {
      const text = values[String(settings?.['from'])];
      if (text === 'boom') throw new Error('out of nicks');
      if (typeof text !== 'string') return undefined;
      const made = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      return made === '-' ? refused('REQUIRED', 'cannot be made of that') : accepted(made);
    },
    alternative: (value, number) => `${String(value)}-${number}`,
  },
});

/** One number, with all its digits. */
const figure = defineFieldKind({
  name: 'Figure',
  column: 'JSONB',
  rowType: 'number',
  parse: (value) => accepted(String(value)),
  convert: (text) => accepted(text),
  arrayType: 'text[]',
  json: (column) => `${column}::text`,
  jsonSchema: () => ({ type: 'number' }),
});

const fieldTypes = createFieldTypes([
  ...(shippedFieldTypes.all as readonly [FieldType]),
  pluginFieldType('kit', nick),
  pluginFieldType('kit', figure),
]);
const nickOf = (from: string) => ({ type: 'kit.Nick', settings: { from } }) as const;

const Shelf = declareType('Shelf', { name: {} });
const Page = declareType(
  'Page',
  { title: {}, nick: { ...nickOf('title'), required: true }, code: {} },
  { unique: [['nick'], ['code']] },
);
const Card = declareType(
  'Card',
  { title: {}, nick: nickOf('title'), shelf: { type: 'REFERENCE', targetEntity: () => Shelf } },
  { unique: [['shelf', 'nick']] },
);
/** With a hook, so that every item is written by its model. */
const Hooked = declareType('Hooked', { title: {}, nick: nickOf('title') }, { unique: [['nick']] });
const Loose = declareType('Loose', { title: {}, nick: nickOf('title') });
const Sheet = declareType('Sheet', { figure: { type: 'kit.Figure' } });
const models = [Shelf, Page, Card, Hooked, Loose, Sheet] as const;

let content: OpenTypes;
let served: ServedItems;
let items: ItemStore;
let policy: Policy;

beforeAll(async () => {
  content = await openTypes(models, fieldTypes);
  items = content.items('workshop');
  policy = createOpenPolicy(content.types);
  served = await serveItems(content, (request) => userScope(policy, '7', requestIdOf(request)), fieldTypes);
  Hooked.addHook('beforeCreate', () => undefined);
});
beforeEach(async () => {
  policy = createOpenPolicy(content.types);
  await content.rows(emptyTables('workshop_%'));
});
afterAll(() => served.close());

const create = (type: string, values: object): Promise<Answer> =>
  sendJson(served.address, 'POST', `/api/cms/items/${type}`, values);

async function made(type: string, values: object): Promise<unknown> {
  const { status, json } = await create(type, values);
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.values.nick;
}

async function nicks(type: string): Promise<readonly unknown[]> {
  return (await content.rows(`SELECT nick FROM workshop_${type} ORDER BY id`)).map(({ nick: one }) => one);
}

async function importLines(type: string, lines: readonly object[], query = ''): Promise<Answer> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  return send(served.address, `/api/cms/imports/${type}${query}`, { method: 'POST', headers, body });
}

describe('a value that is made from another one', () => {
  it('is made on create without it, and left alone afterwards', async () => {
    expect(await made('page', { title: 'Spring Sale' })).toBe('spring-sale');
    expect(await made('page', { title: 'Autumn', nick: 'own' })).toBe('own');
    expect(await made('page', { title: 'Winter', nick: '' })).toBe('winter');
    expect(await made('page', { title: 'Summer', nick: null })).toBe('summer');
    await sendJson(served.address, 'PATCH', '/api/cms/items/page/1', { title: 'Other' });
    expect(await nicks('page')).toEqual(['spring-sale', 'own', 'winter', 'summer']);
  });

  it.each([
    ['page', {}, 'nick', 'REQUIRED', / title/],
    ['page', { title: '!!' }, 'nick', 'REQUIRED', /cannot be made of that$/],
    ['card', { title: '!!' }, 'nick', 'REQUIRED', /cannot be made of that$/],
    ['page', { title: 'boom' }, 'nick', 'WRONG_TYPE', / kit\.Nick .*\(out of nicks\)/],
    ['page', { title: 7 }, 'title', 'WRONG_TYPE', /^title /],
  ])('is refused with a clear problem: %s %j', async (type, values, path, code, named) => {
    const { status, json } = await create(type, values);
    expect([status, json.error.details]).toEqual([400, [{ path, code, message: expect.stringMatching(named) }]]);
  });

  it('may be none where the field need not have one', async () => {
    expect(await made('card', {})).toBeNull();
    expect(await made('card', {})).toBeNull();
  });

  it.each(['page', 'hooked'])('gets the first number that is free where it is a key: %s', async (type) => {
    const all = [];
    for (let count = 0; count < 3; count += 1) all.push(await made(type, { title: 'Sale' }));
    all.push(await made(type, { title: 'other', nick: 'sale-4' }), await made(type, { title: 'Sale' }));
    expect(all).toEqual(['sale', 'sale-2', 'sale-3', 'sale-4', 'sale-5']);
  });

  it('is as often as one likes what is no key', async () => {
    expect([await made('loose', { title: 'Sale' }), await made('loose', { title: 'Sale' })]).toEqual(['sale', 'sale']);
  });

  it('is unique within the other fields of the key', async () => {
    const shelves = [await items.of(Shelf).create({} as never), await items.of(Shelf).create({} as never)];
    const [one, two] = shelves.map(({ id }) => Number(id));
    const all = [];
    for (const shelf of [one, two, one, null, null]) all.push(await made('card', { title: 'Sale', shelf }));
    expect(all).toEqual(['sale', 'sale', 'sale-2', 'sale', 'sale']);
  });

  it('does not hide that another key is taken', async () => {
    await made('page', { title: 'Sale', code: 'A' });
    const { status, json } = await create('page', { title: 'Sale', code: 'A' });
    expect([status, json.error.details[0].path]).toEqual([409, 'code']);
  });

  it('is taken into account by metadata and OpenAPI', async () => {
    const { json: metadata } = await send(served.address, '/api/cms/items/page/metadata');
    expect(metadata.data.fields.map(({ derivedFrom }: { readonly derivedFrom?: unknown }) => derivedFrom)).toEqual([
      undefined,
      ['title'],
      undefined,
    ]);
    const { json: document } = await send(served.address, '/api/openapi.json');
    const schema = JSON.stringify(document);
    expect(schema).toContain('Made from title where a new item has none.');
  });

  it('is made by a role that does not see the field', async () => {
    const grant = { on: { plugin: 'workshop', type: 'page' }, actions: itemActions } as const;
    policy = createRolePolicy(content.types, [{ ...grant, readableFields: ['title', 'code'] }], {
      id: '7',
      login: 'ann',
    });
    for (let count = 0; count < 2; count += 1) {
      expect((await create('page', { title: 'Sale' })).status).toBe(201);
    }
    expect((await create('page', {})).json.error.details).toEqual([
      { path: '', code: 'REQUIRED', message: expect.not.stringContaining('nick') },
    ]);
    expect(await nicks('page')).toEqual(['sale', 'sale-2']);
  });
});

describe('at the same time', () => {
  it.each(['page', 'hooked'])('thirty items get thirty values: %s', async (type) => {
    await Promise.all(Array.from({ length: 30 }, () => made(type, { title: 'Sale' })));
    const expected = ['sale', ...Array.from({ length: 29 }, (_, index) => `sale-${index + 2}`)];
    expect((await nicks(type)).toSorted()).toEqual(expected.toSorted());
  });

  it('an import and single creates get different values', async () => {
    const lines = Array.from({ length: 600 }, () => ({ title: 'Sale' }));
    const [{ status, json }] = await Promise.all([
      importLines('page', lines),
      ...Array.from({ length: 10 }, () => made('page', { title: 'Sale' })),
    ]);
    expect([status, json.data.created]).toEqual([200, 600]);
    expect(new Set(await nicks('page')).size).toBe(610);
  });
});

describe('such a value in imports', () => {
  it.each(['page', 'hooked'])(
    'lines of a file get different values, also from those that it gives: %s',
    async (type) => {
      await made(type, { title: 'Sale' });
      const lines = [{ title: 'Sale' }, { title: 'x', nick: 'sale-3' }, { title: 'Sale' }, { title: 'Sale', nick: '' }];
      const { status } = await importLines(type, lines);
      expect(status).toBe(200);
      expect(await nicks(type)).toEqual(['sale', 'sale-2', 'sale-3', 'sale-4', 'sale-5']);
    },
  );

  it('many lines get all numbers, without a gap', async () => {
    await made('page', { title: 'Sale' });
    expect(
      (
        await importLines(
          'page',
          Array.from({ length: 1_100 }, () => ({ title: 'Sale' })),
        )
      ).status,
    ).toBe(200);
    const numbers = (await nicks('page')).map((one) => Number(/\d+$/.exec(String(one))?.[0] ?? 1));
    expect(numbers.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 1_101 }, (_, index) => index + 1),
    );
  });

  it('a file needs no column for it', async () => {
    const headers = { 'content-type': 'text/csv' };
    const body = 'title\nSpring Sale\nSpring Sale\n';
    const { status } = await send(served.address, '/api/cms/imports/page', { method: 'POST', headers, body });
    expect([status, await nicks('page')]).toEqual([200, ['spring-sale', 'spring-sale-2']]);
  });

  it('finds the item that is there, where items are matched by it', async () => {
    await made('page', { title: 'Sale' });
    const { json } = await importLines('page', [{ title: 'Sale', code: 'A' }], '?match=nick');
    expect([json.data.created, json.data.updated, await nicks('page')]).toEqual([0, 1, ['sale']]);
  });

  it('is refused with its line', async () => {
    const { status, json } = await importLines('page', [{ title: 'Sale' }, { title: '!!' }]);
    expect([status, JSON.stringify(json)]).toEqual([
      expect.any(Number),
      expect.stringContaining('nick cannot be made of that'),
    ]);
    expect(await nicks('page')).toEqual([]);
  });
});

describe('such a value in code of plugins', () => {
  const pages = () => items.of(Page as ItemTypeClass);

  it('is made in creates, also within a transaction', async () => {
    await items.transaction(async (inside) => {
      for (let count = 0; count < 3; count += 1) await inside.of(Page).create({ title: 'Sale' } as never);
    });
    expect(await nicks('page')).toEqual(['sale', 'sale-2', 'sale-3']);
  });

  it('is the key by which an item is created once', async () => {
    const key = { by: ['nick'] } as never;
    const created = await Promise.all(
      Array.from({ length: 10 }, () => pages().createIfAbsent({ title: 'Sale' } as never, key)),
    );
    expect(created.filter((one) => one.created)).toHaveLength(1);
    const { changed } = await pages().upsert({ title: 'Sale', code: 'A' } as never, key);
    expect([changed, await nicks('page')]).toEqual([true, ['sale']]);
  });

  it('gets a number where another key decides', async () => {
    const key = { by: ['code'] } as never;
    for (const code of ['A', 'B', 'A']) await pages().createIfAbsent({ title: 'Sale', code } as never, key);
    expect(await nicks('page')).toEqual(['sale', 'sale-2']);
  });
});

describe('a declaration', () => {
  it.each([
    ['nothing', 'nick is made from nothing, which is not a field'],
    ['nick', 'nick is made from itself'],
    ['other', 'nick is made from other, which is made from others itself'],
    ['shelf', 'nick is made from shelf, which is a REFERENCE'],
  ])('is refused that makes it from %s', (from, problem) => {
    const fields = {
      title: {},
      nick: nickOf(from),
      other: nickOf('title'),
      shelf: { type: 'REFERENCE', targetEntity: 'other.Thing' },
    } as const;
    expect(problemsOfFields(fields, {}, fieldTypes)).toEqual([problem]);
  });
});

describe('a change of JSON', () => {
  const write = async (method: string, path: string, figures: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const { text } = await send(served.address, `/api/cms/items/sheet${path}`, {
      method,
      headers,
      body: `{"figure":${figures}}`,
    });
    return /"figure":([\d.]+).*"version":\d+/.exec(text)?.[0].replaceAll(/[^\d.:,]/g, '') ?? text;
  };

  it('is one by digits that a JavaScript number does not have, and none when the same is sent again', async () => {
    expect(await write('POST', '', '0.12345678901234567')).toMatch(/^:0.12345678901234567,.*:1$/);
    expect(await write('PATCH', '/1', '0.12345678901234567')).toMatch(/^:0.12345678901234567,.*:1$/);
    expect(await write('PATCH', '/1', '0.12345678901234568')).toMatch(/^:0.12345678901234568,.*:2$/);
  });
});
