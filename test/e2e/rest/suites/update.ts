import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf, sendJson, type Answer } from '../../../support/rest-client';

/** Changing items, with and without conditions. */
export function describeUpdate(host: TestHost): void {
  const items = itemsOf(host);

  let catalog: number;

  beforeAll(async () => {
    catalog = await items.created('catalog', { code: 'main', name: 'Main' });
  });

  function statuses(answers: readonly Answer[]): readonly number[] {
    return answers.map((answer) => answer.status).toSorted((a, b) => a - b);
  }

  describe.each(['PATCH', 'PUT'] as const)('%s', (method) => {
    const change = (type: string, id: number | string, payload: unknown, headers = {}): Promise<Answer> =>
      sendJson(host.address, method, `/api/cms/items/${type}/${id}`, payload, headers);

    it('changes only the keys that are sent', async () => {
      const id = await items.created('product', { code: `a-${method}`, name: 'Before', price: 1.5, catalog });
      const before = await items.row('product', id);
      const answer = await change('product', id, { name: 'After', price: null });

      expect(answer.status).toBe(200);
      expect(answer.json.data).toEqual({
        id,
        values: { ...before.values, name: 'After', price: null, version: 2, updatedAt: expect.any(String) },
      });
      expect(answer.headers.etag).toBe('"2"');
      expect(answer.json.data.values.updatedAt > before.values.updatedAt).toBe(true);
      expect(answer.json.data.values.createdAt).toBe(before.values.createdAt);
      expect((await items.get(`product/${id}`)).json).toEqual(answer.json);
    });

    it('that changes nothing leaves version and time alone', async () => {
      const person = await items.created('person', {});
      const gauge = await items.created('gauge', {
        name: 'n',
        price: 12.5,
        double: 0.1,
        on: true,
        long: 5,
        colour: 'red',
      });
      const team = await items.created('team', { name: 't', members: [person] });
      for (const [type, id, payload] of [
        ['gauge', gauge, {}],
        ['gauge', gauge, '{"name":"n","price":12.5000,"double":1e-1,"on":true,"long":5.0,"colour":"red","notes":null}'],
        ['team', team, { members: [person], lead: null }],
      ] as const) {
        const before = await items.get(`${type}/${id}`);
        const answer = await change(type, id, payload);
        expect([answer.status, answer.text.replace(/"requestId".*/, '')]).toEqual([200, before.text]);
      }
    });

    it('replaces the list of a reference to many, in the new order, and raises the version', async () => {
      const people = [
        await items.created('person', {}),
        await items.created('person', {}),
        await items.created('person', {}),
      ];
      const id = await items.created('team', { name: 't', members: people });
      const reordered = await change('team', id, { members: people.toReversed() });
      expect(reordered.json.data.values).toMatchObject({
        members: people.toReversed().map((one) => ({ id: one })),
        version: 2,
      });
      const shortened = await change('team', id, { members: people.slice(0, 1) });
      expect(shortened.json.data.values).toMatchObject({ members: [{ id: people[0] }], version: 3 });
      const person = await items.created('person', { friends: people });
      expect((await change('person', person, { friends: null })).json.data.values.friends).toEqual([]);
    });

    it('reports everything that is wrong at once and changes nothing', async () => {
      const id = await items.created('product', { code: `b-${method}`, catalog });
      const other = await items.created('catalog', { code: `other-${method}` });
      const before = await items.get(`product/${id}`);
      const answer = await change('product', id, { code: '', name: 5, version: 1, catalog: other, nothing: 1 });

      expect([answer.status, answer.json.error.code, problemsOf(answer)]).toEqual([
        400,
        'VALIDATION_FAILED',
        [
          'version: UNKNOWN_FIELD',
          'nothing: UNKNOWN_FIELD',
          'code: REQUIRED',
          'name: WRONG_TYPE',
          'catalog: NOT_EDITABLE',
        ],
      ]);
      expect((await items.get(`product/${id}`)).text).toBe(before.text);
    });

    it('takes a create-only field with the value that it has', async () => {
      const id = await items.created('product', { code: `c-${method}`, catalog });
      const answer = await change('product', id, { catalog, name: 'Changed' });
      expect([answer.status, answer.json.data.values.version]).toEqual([200, 2]);
      const gauge = await items.created('gauge', { locked: 'set' });
      expect(problemsOf(await change('gauge', gauge, { locked: null }))).toEqual(['locked: NOT_EDITABLE']);
      expect((await change('gauge', gauge, { locked: 'set' })).status).toBe(200);
    });

    it('names references to nothing and to the item itself', async () => {
      const id = await items.created('person', {});
      const answer = await change('person', id, { boss: id, friends: [id], team: 999_999 });
      expect([answer.status, problemsOf(answer)]).toEqual([
        400,
        ['boss: SELF_REFERENCE', 'friends: SELF_REFERENCE', 'team: REFERENCE_NOT_FOUND'],
      ]);
      const gone = await change('person', id, { team: 999_999 });
      expect([gone.status, problemsOf(gone)]).toEqual([400, ['team: REFERENCE_NOT_FOUND']]);
      expect(gone.json.error.message).toContain('Team 999999');
      expect((await change('person', id, { boss: 9.5, friends: 'all' })).status).toBe(400);
    });

    it('answers 409 when a unique value is taken', async () => {
      await items.created('event', { code: `taken-${method}` });
      const id = await items.created('event', { code: `free-${method}` });
      const answer = await change('event', id, { code: `taken-${method}` });
      expect([answer.status, answer.json.error.code, problemsOf(answer)]).toEqual([
        409,
        'CONFLICT',
        ['code: NOT_UNIQUE'],
      ]);
    });

    it('runs the hooks and validators of the model', async () => {
      const id = await items.created('guarded', { name: 'fine' });
      expect((await change('guarded', id, { name: 'forbidden' })).json.error.message).toBe(
        'Failed to update Guarded: this name is forbidden by the house rules',
      );
      expect(problemsOf(await change('guarded', id, { name: 'hey!' }))).toEqual(['name: MODEL_VALIDATION']);
      expect((await change('guarded', id, { name: 'upper' })).json.data.values.name).toBe('UPPER');
    });

    it.each(['0', '-1', '1.0', '01', 'abc', '9223372036854775808', '9999999999', '%00', 'constructor', '1;2'])(
      'of the id %s answers 404',
      async (id) => {
        const answer = await change('product', id, { name: 'x' });
        expect([answer.status, answer.json.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
      },
    );

    it.each(['null', '[]', '"x"', '7'])('refuses the body %s', async (body) => {
      const id = await items.created('event', { code: `body-${method}-${body}` });
      const answer = await change('event', id, body);
      expect([answer.status, answer.json.error]).toEqual([
        400,
        { code: 'BAD_REQUEST', message: expect.stringContaining('JSON object'), requestId: expect.any(String) },
      ]);
    });
  });

  describe('If-None-Match', () => {
    it('with the version that the item has is a 304 without a body, and 200 after a change', async () => {
      const id = await items.created('event', { code: 'known' });
      const known = { 'if-none-match': '"1"' };
      const [same, other] = [
        await items.get(`event/${id}`, known),
        await items.get(`event/${id}`, { 'if-none-match': '"2"' }),
      ];
      expect([same.status, same.headers.etag, same.text]).toEqual([304, '"1"', '']);
      expect([other.status, other.json.data.values.code]).toEqual([200, 'known']);

      await items.patch('event', id, { name: 'changed' });
      const changed = await items.get(`event/${id}`, known);
      expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    });

    it('of an item that does not exist is a 404', async () => {
      expect((await items.get('event/999999', { 'if-none-match': '*' })).status).toBe(404);
    });

    it.each([
      ['*', 412],
      ['"1"', 412],
      ['W/"1"', 412],
      ['"7", "1"', 412],
      ['"7"', 200],
      ['1', 400],
      ['', 400],
    ])('%j on a write of version 1 answers %d', async (header, status) => {
      const headers = { 'if-none-match': header };
      const id = await items.created('event', { code: `none ${header}` });
      const answers = [
        await items.patch('event', id, { name: 'x' }, headers),
        await items.put('event', await items.created('event', { code: `put ${header}` }), { name: 'x' }, headers),
        await items.remove('event', await items.created('event', { code: `left ${header}` }), headers),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status === 200 ? 204 : status]);
      expect((await items.row('event', id)).values).toMatchObject(status === 200 ? { name: 'x' } : { version: 1 });
    });

    it('that holds for a write gives the version that the item has', async () => {
      const id = await items.created('event', { code: 'there already' });
      const answer = await items.put('event', id, { name: 'x' }, { 'if-none-match': '*' });
      expect([answer.json.error, answer.headers.etag]).toEqual([
        {
          code: 'VERSION_MISMATCH',
          message: expect.stringMatching(new RegExp(`^Event ${id} .* version 1, .*If-None-Match .*If-Match `)),
          requestId: expect.any(String),
        },
        '"1"',
      ]);
    });

    it('and If-Match: * of a write to an item that does not exist leave the 404', async () => {
      const answers = await Promise.all(
        [{ 'if-none-match': '*' }, { 'if-match': '*' }, { 'if-match': '"1"' }].flatMap((headers) => [
          items.patch('event', 999_999, { name: 'x' }, headers),
          items.put('event', 999_999, { name: 'x' }, headers),
          items.remove('event', 999_999, headers),
        ]),
      );
      expect(statuses(answers)).toEqual(Array.from({ length: 9 }, () => 404));
    });
  });

  describe('If-Match', () => {
    it.each([
      ['"1"', 200],
      [' "1" ', 200],
      ['1', 200],
      ['*', 200],
      ['"2"', 412],
      ['"0"', 412],
      ['"99999999999999999999"', 412],
      ['"1", "2"', 200],
      ['"7", "8"', 412],
      ['W/"1"', 412],
      ['"abc"', 412],
      ['""', 400],
      ['abc', 400],
      ['"1', 400],
      ['-1', 400],
      ['', 400],
      ['"1" "2"', 400],
    ])('%j on version 1 answers %d', async (header, status) => {
      const id = await items.created('event', { code: `match ${header}` });
      const [changed, removed] = [
        await items.patch('event', id, { name: 'x' }, { 'if-match': header }),
        await items.remove('event', await items.created('event', { code: `gone ${header}` }), { 'if-match': header }),
      ];
      expect([changed.status, removed.status]).toEqual([status, status === 200 ? 204 : status]);
    });

    it('that does not hold gives the version that the item has', async () => {
      const id = await items.created('event', { code: 'tagged' });
      const answer = await items.patch('event', id, { name: 'x' }, { 'if-match': '"7", "8"' });
      expect([answer.json.error.code, answer.headers.etag]).toEqual(['VERSION_MISMATCH', '"1"']);
      expect(answer.json.error.message).toContain(' 1, not 7 or 8');
    });

    it('that does not hold is answered after a body that is wrong for any version', async () => {
      const product = await items.created('product', { code: 'stale product', catalog });
      const other = await items.created('catalog', { code: 'other' });
      const stale = { 'if-match': '"7"' };
      const answers = await Promise.all(
        [{ price: 'x' }, { nothing: 1 }, { catalog: other }, { name: 'fine' }].map((body) =>
          items.patch('product', product, body, stale),
        ),
      );
      expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
        [400, 'VALIDATION_FAILED'],
        [400, 'VALIDATION_FAILED'],
        [400, 'VALIDATION_FAILED'],
        [412, 'VERSION_MISMATCH'],
      ]);
    });

    it('is looked at by reads, too', async () => {
      const id = await items.created('event', { code: 'read if' });
      const headers = ['"1"', '*', '"2"', 'abc'].map((header) => ({ 'if-match': header }));
      const answers = await Promise.all(headers.map((header) => items.get(`event/${id}`, header)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 412, 400]);
      const both = { 'if-match': '"2"', 'if-none-match': '"1"' };
      expect((await items.get(`event/${id}`, both)).status).toBe(412);
    });

    it('names the item and both versions', async () => {
      const id = await items.created('event', { code: 'stale' });
      await items.patch('event', id, { name: 'changed in the meantime' });
      const answer = await items.patch('event', id, { name: 'mine' }, { 'if-match': '"1"' });
      expect([answer.status, answer.json.error]).toEqual([
        412,
        {
          code: 'VERSION_MISMATCH',
          message: expect.stringContaining(`Event ${id} has version 2, not 1`),
          requestId: expect.any(String),
        },
      ]);
      expect((await items.row('event', id)).values.name).toBe('changed in the meantime');
    });

    it('lets one of twenty editors of the same version win', async () => {
      const id = await items.created('event', { code: 'editors' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          items.patch('event', id, { name: `editor ${index}` }, { 'if-match': '"1"' }),
        ),
      );
      expect(statuses(answers)).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
      const winner = answers.find((answer) => answer.status === 200);
      expect((await items.row('event', id)).values).toEqual(winner?.json.data.values);
    });
  });

  describe('parallel changes without If-Match', () => {
    it('of different fields are all kept, each with another version', async () => {
      const id = await items.created('gauge', {});
      const changes = [
        { name: 'a' },
        { notes: 'b' },
        { small: 1 },
        { whole: 2 },
        { long: 3 },
        { price: 4 },
        { double: 5 },
        { on: true },
      ];
      const answers = await Promise.all(changes.map((change) => items.patch('gauge', id, change)));
      expect(statuses(answers)).toEqual(changes.map(() => 200));
      expect(
        answers.map((answer) => answer.json.data.values.version).toSorted((a: number, b: number) => a - b),
      ).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
      expect((await items.row('gauge', id)).values).toMatchObject(Object.assign({}, ...changes, { version: 9 }));
    });

    it('that make items refer to each other do not wait for each other', async () => {
      const [first, second] = [await items.created('person', {}), await items.created('person', {})];
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          index % 2 === 0
            ? items.patch('person', first, { boss: index % 4 === 0 ? second : null })
            : items.patch('person', second, { boss: index % 4 === 1 ? first : null }),
        ),
      );
      expect(statuses(answers)).toEqual(Array.from({ length: 40 }, () => 200));
    });

    it('of lists leave one of the lists whole', async () => {
      const people = await Promise.all(Array.from({ length: 6 }, () => items.created('person', {})));
      const id = await items.created('team', { name: 't', members: people });
      const lists = people.map((_, index) => [...people.slice(index), ...people.slice(0, index)]);
      const answers = await Promise.all(lists.map((members) => items.patch('team', id, { members })));
      expect(statuses(answers)).toEqual(lists.map(() => 200));
      const stored = (await items.row('team', id)).values.members.map((member: { id: number }) => member.id);
      expect(lists).toContainEqual(stored);
    });

    it('and deletes never answer anything but 200, 204 or 404', async () => {
      const id = await items.created('event', { code: 'contested' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 4 === 3 ? items.remove('event', id) : items.patch('event', id, { name: `name ${index}` }),
        ),
      );
      expect(answers.filter((answer) => ![200, 204, 404].includes(answer.status)).map((answer) => answer.text)).toEqual(
        [],
      );
      expect(answers.filter((answer) => answer.status === 204)).toHaveLength(1);
    });
  });
}
