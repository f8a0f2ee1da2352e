import type { ErrorDetail } from '@gantry/contracts';
import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf, send, sendJson } from '../../../support/rest-client';

/** Creating items. */
export function describeCreate(host: TestHost): void {
  const items = itemsOf(host);

  let catalog: number;

  beforeAll(async () => {
    catalog = await items.created('catalog', { code: 'main', name: 'Main' });
  });

  async function count(type: string): Promise<number> {
    return (await items.list(type, '?total=true&limit=1')).json.meta.total as number;
  }

  describe('creating an item', () => {
    it('makes one item for a key, however often the request is sent', async () => {
      const create = (name: string) =>
        sendJson(
          host.address,
          'POST',
          '/api/cms/items/catalog',
          { code: 'keyed', name },
          { 'idempotency-key': 'once' },
        );
      const first = await create('Keyed');
      const again = await create('Keyed');

      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
      expect([again.headers['etag'], again.headers['location']]).toEqual(['"1"', first.headers['location']]);
      expect((await create('Other')).json.error.details[0].code).toBe('KEY_OF_ANOTHER_REQUEST');
    });

    it('answers 201 with the whole row, its address and its version', async () => {
      const answer = await items.create('product', { code: 'P-1', name: 'Spade', price: 24.9, catalog });

      expect(answer.status).toBe(201);
      const { id } = answer.json.data;
      expect(answer.json).toEqual({
        data: {
          id: expect.any(Number),
          values: {
            code: 'P-1',
            name: 'Spade',
            price: 24.9,
            catalog: { id: catalog, label: 'Main' },
            approvalStatus: 'CHECK',
            image: null,
            catalogVersion: 'STAGED',
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/),
            updatedAt: expect.any(String),
            version: 1,
          },
        },
      });
      expect(answer.text).toContain('"price":24.9000');
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        location: `/api/cms/items/product/${id}`,
        etag: '"1"',
      });
      expect((await items.get(`product/${id}`)).json).toEqual(answer.json);
    });

    it('reports everything that is wrong at once, in one sentence and in details', async () => {
      const before = await count('product');
      const answer = await items.create('product', {
        id: 1,
        nmae: 'x',
        code: ' ',
        price: 'dear',
        catalog: 987_654,
        approvalStatus: 'MAYBE',
        image: 'ftp://x',
      });

      expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      const sentences = answer.json.error.details.map(({ message }: ErrorDetail) => message);
      expect(answer.json.error.message).toBe(`Failed to create Product: ${sentences.join('; ')}`);
      expect(sentences[4]).toContain('CHECK, APPROVED, UNAPPROVED');
      expect(sentences[6]).toContain('987654');
      expect(problemsOf(answer)).toEqual([
        'id: UNKNOWN_FIELD',
        'nmae: UNKNOWN_FIELD',
        'code: REQUIRED',
        'price: WRONG_TYPE',
        'approvalStatus: NOT_AN_OPTION',
        'image: IMAGE_ADDRESS',
        'catalog: REFERENCE_NOT_FOUND',
      ]);
      expect(answer.json.error.requestId).toBe(answer.headers['x-request-id']);
      expect(await count('product')).toBe(before);
    });

    it.each(['{}', '{"code":null,"catalog":null}'])('names required fields that are missing in %s', async (body) => {
      const answer = await items.create('product', body);
      expect(problemsOf(answer)).toEqual(['code: REQUIRED', 'catalog: REQUIRED']);
    });

    it.each(['null', '[]', '"text"', '1', 'true', '[{}]'])('refuses the body %s, which is no object', async (body) => {
      const answer = await items.create('product', body);
      expect([answer.status, answer.json.error]).toEqual([
        400,
        {
          code: 'BAD_REQUEST',
          message: 'The body must be a JSON object.',
          requestId: expect.any(String),
        },
      ]);
    });

    it('refuses an absent body in the same way', async () => {
      const answer = await sendJson(host.address, 'POST', '/api/cms/items/product', '');
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it.each([
      ['{"code":"a","code":"b"}', / 'code' .* 12\./],
      ['{"code":"a"', / position 11\./],
      ['{"code":"a",}', / position 12\./],
      ["{'code':'a'}", / position 1\./],
    ])('refuses %s as a whole', async (body, named) => {
      const answer = await items.create('product', body);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(answer.json.error.message).toMatch(named);
    });

    it('names keys that every object has as unknown', async () => {
      const answer = await items.create(
        'article',
        '{"title":"t","__proto__":{"slug":"x"},"constructor":{"prototype":1},"hasOwnProperty":null}',
      );
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        ['__proto__: UNKNOWN_FIELD', 'constructor: UNKNOWN_FIELD', 'hasOwnProperty: UNKNOWN_FIELD'],
      ]);
    });

    it('shortens a long unknown key in the sentence', async () => {
      const answer = await items.create('article', { title: 't', ['k'.repeat(100_000)]: 1 });
      expect(answer.status).toBe(400);
      expect(answer.json.error.message.length).toBeLessThan(300);
    });

    it('serves a type and fields that are named as what models, promises and queries have', async () => {
      const target = await items.created('constructor', {});
      const names = ['get', 'save', 'then', 'changed', 'sequelize', 'values', 'order', 'select', 't'];
      const payload = Object.fromEntries([
        ...names.map((name) => [name, `a ${name}`] as const),
        ['length', 5] as const,
      ]);
      const id = await items.created('constructor', { ...payload, r0: target, user: [target] });
      const label = { id: target, label: String(target) };
      expect((await items.row('constructor', id)).values).toMatchObject({ ...payload, r0: label, user: [label] });

      const changes = Object.fromEntries(
        Object.entries(payload).map(([name, value]) => [name, typeof value === 'string' ? `${value}!` : 6]),
      );
      const changed = await items.patch('constructor', id, changes);
      expect([changed.status, changed.json.data.values]).toEqual([200, expect.objectContaining(changes)]);
      for (const [field, value] of Object.entries(changes)) {
        const found = await items.list('constructor', `?sort=-${field}`, [
          { field, operator: 'EQUALS', value: String(value) },
        ]);
        expect([field, found.json.data.map((row: { id: number }) => row.id)]).toEqual([field, [id]]);
      }
      expect((await items.create('constructor', { order: 'a order!', select: 'a select!' })).status).toBe(409);
      expect((await items.remove('constructor', id)).status).toBe(204);
    });
  });

  describe('unique values', () => {
    it('answer 409 with the fields that must be unique together', async () => {
      await items.created('event', { code: 'fair' });
      const answer = await items.create('event', { code: 'fair', name: 'Another' });
      expect([answer.status, answer.json.error]).toEqual([
        409,
        {
          code: 'CONFLICT',
          message: expect.stringContaining('Event'),
          details: [{ path: 'code', code: 'NOT_UNIQUE', message: expect.any(String) }],
          requestId: expect.any(String),
        },
      ]);
    });

    it('are per catalog and catalog version for codes of catalog-aware types', async () => {
      const other = await items.created('catalog', { code: 'other' });
      await items.created('product', { code: 'same', catalog });
      await items.created('product', { code: 'same', catalog, catalogVersion: 'ONLINE' });
      await items.created('product', { code: 'same', catalog: other });
      const answer = await items.create('product', { code: 'same', catalog: other });
      expect([answer.status, problemsOf(answer)]).toEqual([
        409,
        ['code: NOT_UNIQUE', 'catalog: NOT_UNIQUE', 'catalogVersion: NOT_UNIQUE'],
      ]);
    });

    it('let one of fifty racing creates win', async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => items.create('product', { code: 'race', catalog })),
      );
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
        201,
        ...Array.from({ length: 49 }, () => 409),
      ]);
      const found = await items.list('product', '', [{ field: 'code', operator: 'EQUALS', value: 'race' }]);
      expect(found.json.data).toHaveLength(1);
    });

    it('that are too long together for an index are refused with a sentence', async () => {
      // Repeated text is compressed in the index.
      const long = (start: number): string =>
        Array.from({ length: 1000 }, (_, index) =>
          String.fromCodePoint(0x4e00 + ((start + index * 7919) % 20_000)),
        ).join('');
      const answer = await items.create('keyed', { code: 'long', first: long(1), second: long(2), third: long(3) });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(answer.json.error.message).toMatch(/unique .* too long/);
    });
  });

  describe('references', () => {
    it('are presented with id and label: the first value whose key contains name, title or code, else the id', async () => {
      const named = await items.created('team', { name: 'Reds', members: [await items.created('person', {})] });
      const nameless = await items.created('person', {});
      const id = await items.created('person', { nickname: 'Ann', team: named, boss: nameless, friends: [nameless] });
      expect((await items.row('person', id)).values).toMatchObject({
        team: { id: named, label: 'Reds' },
        boss: { id: nameless, label: String(nameless) },
        friends: [{ id: nameless, label: String(nameless) }],
      });
    });

    it('skip a label that is empty', async () => {
      const withCode = await items.created('catalog', { code: 'empty-name', name: '' });
      const product = await items.created('product', { code: 'p', catalog: withCode });
      expect((await items.row('product', product)).values.catalog).toEqual({ id: withCode, label: 'empty-name' });
    });

    it('to many keep the order in which they were given', async () => {
      const articles: number[] = [];
      for (let index = 0; index < 5; index += 1) articles.push(await items.created('article', { title: `A${index}` }));
      const order = [3, 0, 4, 1, 2].map((index) => articles[index] ?? 0);
      const id = await items.created('trendingarticlecomponent', { title: 'Top', articles: order });
      const { values } = await items.row('trendingarticlecomponent', id);
      expect(values.articles.map((article: { id: number }) => article.id)).toEqual(order);
      expect(values.articles[0]).toEqual({ id: order[0], label: 'A3' });
    });

    it('to nothing are named with field and id, several at once', async () => {
      const person = await items.created('person', {});
      const answer = await items.create('person', { team: 999_001, boss: person, friends: [person, 999_002, 999_003] });
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        ['friends: REFERENCE_NOT_FOUND', 'friends: REFERENCE_NOT_FOUND', 'team: REFERENCE_NOT_FOUND'],
      ]);
      expect(answer.json.error.message).toMatch(/ Person 999002.* Person 999003.* Team 999001/);
    });

    it('are ids, never labels or objects', async () => {
      const answer = await items.create('person', { boss: { id: 1 }, team: '1', friends: [{ id: 1 }], home: [1] });
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        ['boss: WRONG_TYPE', 'friends: WRONG_TYPE', 'team: WRONG_TYPE', 'home: WRONG_TYPE'],
      ]);
    });

    it.each([
      ['boss', (id: number) => id],
      ['friends', (id: number) => [id]],
    ])('of a new item to itself, by guessing its id, are refused: %s', async (field, value) => {
      const last = await items.created('person', {});
      const before = await count('person');
      const answer = await items.create('person', { nickname: 'loop', [field]: value(last + 1) });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(await count('person')).toBe(before);
    });

    it('of a category to itself, by guessing its id, are refused', async () => {
      const last = await items.created('category', { code: 'top', catalog });
      const answer = await items.create('category', { code: 'loop', catalog, parent: last + 1 });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    });
  });

  describe('hooks and validators of a model', () => {
    it('run, and may change what is stored', async () => {
      const answer = await items.create('guarded', { name: 'upper' });
      expect([answer.status, answer.json.data.values.name]).toEqual([201, 'UPPER']);
    });

    it.each([
      ['forbidden', 'this name is forbidden by the house rules'],
      ['custom', 'the stock does not allow it'],
    ])('refuse with the words of the author: %s', async (name, message) => {
      const before = await count('guarded');
      const answer = await items.create('guarded', { name });
      expect([answer.status, answer.json.error.code, answer.json.error.message]).toEqual([
        400,
        'BAD_REQUEST',
        `Failed to create Guarded: ${message}`,
      ]);
      expect(await count('guarded')).toBe(before);
    });

    it('report all that validators refuse', async () => {
      const answer = await items.create('guarded', { name: 'hey!', mail: 'nowhere' });
      expect([answer.status, answer.json.error]).toMatchObject([
        400,
        {
          code: 'VALIDATION_FAILED',
          message: 'Failed to create Guarded: name must not shout; mail must be an address',
          details: [
            { path: 'name', code: 'MODEL_VALIDATION', message: 'name must not shout' },
            { path: 'mail', code: 'MODEL_VALIDATION', message: 'mail must be an address' },
          ],
        },
      ]);
    });
  });

  describe('hooks of a plugin', () => {
    it('refuse by field, and set values, also in changes and imports', async () => {
      const message = 'name was asked for before';
      const refused = { status: 400, json: { error: { details: [{ path: 'name', message }] } } };
      expect(await items.create('guarded', { name: 'asked' })).toMatchObject(refused);
      const { json } = await items.create('guarded', { name: 'unsaid' });
      expect(json.data.values.mail).toBe('set@example.org');
      const path = `/api/cms/items/guarded/${json.data.id}`;
      expect(await sendJson(host.address, 'PATCH', path, { name: 'asked' })).toMatchObject(refused);
      const file = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: '{"name":"asked"}' };
      const imported = await send(host.address, '/api/cms/imports/guarded', file);
      expect(imported.text).toContain(message);
    });
  });

  describe('a type that only its plugin writes', () => {
    it('can be read and not written', async () => {
      const { json } = await items.get('types');
      expect(json.data.find((type: { type: string }) => type.type === 'ledger')).toEqual({
        type: 'ledger',
        displayName: 'Ledger',
        displayNamePlural: 'Ledgers',
        plugin: 'workbench',
        pluginName: 'Workbench',
        readOnly: true,
      });
      expect((await items.list('ledger')).json).toEqual({ data: [], meta: {} });
      const answers = [
        await items.create('ledger', { entry: 'x' }),
        await items.patch('ledger', 1, { entry: 'x' }),
        await items.put('ledger', 1, { entry: 'x' }),
        await items.remove('ledger', 1),
      ];
      expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual([
        [405, ''],
        [405, 'GET, HEAD'],
        [405, 'GET, HEAD'],
        [405, 'GET, HEAD'],
      ]);
      expect(answers[0]?.json.error).toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
        message: expect.stringMatching(/^Ledger .* plugin workbench /),
      });
    });
  });
}
