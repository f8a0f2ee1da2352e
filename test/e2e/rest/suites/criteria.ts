import type { TestHost } from '../../../support/platform';
import { itemsOf, problemsOf, send, sendJson } from '../../../support/rest-client';

/** Criteria of lists and searches. */
export function describeCriteria(host: TestHost): void {
  const items = itemsOf(host);

  interface Wanted {
    readonly field: string;
    readonly operator: string;
    readonly value: string;
  }

  /** Short names of the gauges that criteria find, by list and by search alike. */
  async function found(type: string, ...criteria: readonly Wanted[]): Promise<readonly string[]> {
    const listed = await items.list(type, '?sort=id&limit=1000', criteria);
    const searched = await items.search(type, criteria);
    const ids = listed.json.data.map((row: { id: number }) => row.id);
    const sorted = searched.json.data
      .map((result: { id: number }) => result.id)
      .toSorted((a: number, b: number) => a - b);
    expect([searched.status, sorted]).toEqual([200, ids]);
    return listed.json.data.map((row: { id: number }) => names.get(`${type} ${row.id}`) ?? String(row.id));
  }

  const names = new Map<string, string>();

  async function add(type: string, name: string, payload: unknown): Promise<number> {
    const id = await items.created(type, payload);
    names.set(`${type} ${id}`, name);
    return id;
  }

  const text = (field: string, operator: string, value: string): Wanted => ({ field, operator, value });

  describe('text', () => {
    beforeAll(async () => {
      const values = [
        'Alpha',
        'alphabet',
        'ÄPFEL',
        'äpfel süß',
        'Straße',
        '100%',
        '100 percent',
        'a_b',
        'aXb',
        'back\\slash',
        ' padded ',
        "it's",
        'Ωmega',
      ];
      for (const value of values) await add('hoard', value, { name: value });
      await add('hoard', 'null', { name: null });
      await add('hoard', 'empty', { name: '' });
    });

    it.each([
      ['alpha', ['Alpha', 'alphabet']],
      ['ALPHA', ['Alpha', 'alphabet']],
      ['äpf', ['ÄPFEL', 'äpfel süß']],
      ['ÄPFEL SÜß', ['äpfel süß']],
      ['ωMEGA', ['Ωmega']],
      ['straße', ['Straße']],
      ['%', ['100%']],
      ['0%', ['100%']],
      ['_', ['a_b']],
      ['a_b', ['a_b']],
      ['\\', ['back\\slash']],
      ['\\s', ['back\\slash']],
      ["'", ["it's"]],
      ['$1', []],
      ['d ', [' padded ']],
      ['x'.repeat(5_000), []],
    ])('CONTAINS %j finds %j', async (value, expected) => {
      expect(await found('hoard', text('name', 'CONTAINS', value))).toEqual(expected);
    });

    it.each([
      ['EQUALS', 'Alpha', ['Alpha']],
      ['EQUALS', 'alpha', []],
      ['EQUALS', '100%', ['100%']],
      ['EQUALS', 'a_b', ['a_b']],
      ['EQUALS', ' padded ', [' padded ']],
      ['EQUALS', 'padded', []],
      ['LIKE', 'ALPHAB', ['alphabet']],
      ['constructor', 'ALPHAB', ['alphabet']],
    ])('%s %j finds %j', async (operator, value, expected) => {
      expect(await found('hoard', text('name', operator, value))).toEqual(expected);
    });

    it('MORE_THAN and LESS_THAN compare as text', async () => {
      const more = await found('hoard', text('name', 'MORE_THAN', 'b'));
      const less = await found('hoard', text('name', 'LESS_THAN', 'b'));
      expect(more).toContain('back\\slash');
      expect(more).not.toContain('alphabet');
      expect(less).toContain('alphabet');
      expect(less).toContain('100%');
      expect([...more, ...less]).not.toContain('null');
      expect(
        await found('hoard', text('name', 'MORE_THAN', '100 percent'), text('name', 'LESS_THAN', '100%x')),
      ).toEqual(['100%']);
    });
  });

  describe('numbers', () => {
    beforeAll(async () => {
      await add('gauge', 'small', {
        name: 'n',
        small: -5,
        whole: 1,
        long: 9_007_199_254_740_991,
        price: 0.1,
        exact: 1,
        double: 0.1,
        real: 0.1,
      });
      await add(
        'gauge',
        'big',
        `{"name":"n","small":5,"whole":2147483647,"long":9007199254740993,"price":12.5,"exact":1e40,"double":1e300,"real":3e38}`,
      );
      await add('gauge', 'none', { name: 'n' });
    });

    it.each([
      ['small', 'EQUALS', '-5', ['small']],
      ['small', 'CONTAINS', '5', ['big']],
      ['small', 'SOMETHING', '5.0', ['big']],
      ['small', 'MORE_THAN', '-5', ['big']],
      ['small', 'LESS_THAN', '5', ['small']],
      ['small', 'LESS_THAN', '2147483647', ['small', 'big']],
      ['whole', 'CONTAINS', '1', ['small']],
      ['whole', 'MORE_THAN', ' 1 ', ['big']],
      ['long', 'EQUALS', '9007199254740993', ['big']],
      ['long', 'MORE_THAN', '9007199254740992', ['big']],
      ['price', 'EQUALS', '12.50000', ['big']],
      ['price', 'CONTAINS', '12.5', ['big']],
      ['price', 'LESS_THAN', '0.10001', ['small']],
      ['price', 'MORE_THAN', '0.09999999999', ['small', 'big']],
      ['exact', 'EQUALS', '1e40', ['big']],
      ['double', 'EQUALS', '0.1', ['small']],
      ['double', 'MORE_THAN', '1e299', ['big']],
      ['real', 'EQUALS', '0.1', ['small']],
      ['real', 'LESS_THAN', '0.2', ['small']],
    ])('%s %s %s finds %j', async (field, operator, value, expected) => {
      expect(await found('gauge', text('name', 'EQUALS', 'n'), text(field, operator, value))).toEqual(expected);
    });

    it.each([
      ['whole', 'abc', 'WRONG_TYPE'],
      ['whole', '1.5', 'WRONG_TYPE'],
      ['whole', 'NaN', 'WRONG_TYPE'],
      ['whole', '2147483648', 'OUT_OF_RANGE', '-2147483648 and 2147483647'],
      ['long', '9223372036854775808', 'OUT_OF_RANGE', '-9223372036854775808 and 9223372036854775807'],
      ['price', 'Infinity', 'WRONG_TYPE'],
      ['price', '1,5', 'WRONG_TYPE'],
      ['exact', '1e1001', 'OUT_OF_RANGE', 'exponent'],
      ['double', '1e400', 'OUT_OF_RANGE', 'double-precision'],
      ['real', '1e39', 'OUT_OF_RANGE', 'single-precision'],
      ['on', 'maybe', 'WRONG_TYPE'],
      ['id', 'x', 'WRONG_TYPE'],
      ['name', 'a\u0000', 'CHARACTER', 'U+0000'],
      ['name', '\ud800', 'CHARACTER', 'surrogate'],
    ])('%s with %j is a 400 that names field and value', async (field, value, code, named = field) => {
      for (const answer of [
        await items.list('gauge', '', [text(field, 'EQUALS', value)]),
        await items.search('gauge', [text(field, 'MORE_THAN', value)]),
      ]) {
        const { error } = answer.json;
        expect([answer.status, error.code]).toEqual([400, 'BAD_REQUEST']);
        expect(error.details).toMatchObject([{ path: '[0].value', code }]);
        for (const part of [JSON.stringify(value), field, named]) expect(error.message).toContain(part);
      }
    });
  });

  describe('booleans', () => {
    beforeAll(async () => {
      await add('gauge', 'on', { name: 'switch', on: true });
      await add('gauge', 'off', { name: 'switch', on: false });
      await add('gauge', 'unset', { name: 'switch', on: null });
    });

    it.each(['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN', 'ANY'])('%s behaves as EQUALS', async (operator) => {
      const switches = text('name', 'EQUALS', 'switch');
      expect(await found('gauge', switches, text('on', operator, 'true'))).toEqual(['on']);
      expect(await found('gauge', switches, text('on', operator, ' False '))).toEqual(['off']);
    });
  });

  describe('references', () => {
    it('are compared by the id of the target', async () => {
      const [first, second] = [await add('person', 'first', {}), await add('person', 'second', {})];
      const one = await add('person', 'one', { nickname: 'x', boss: first, friends: [first, second] });
      await add('person', 'two', { nickname: 'x', boss: second, friends: [second] });
      expect(await found('person', text('boss', 'EQUALS', String(first)))).toEqual(['one']);
      expect(await found('person', text('boss', 'CONTAINS', ` ${second} `))).toEqual(['two']);
      expect(await found('person', text('boss', 'MORE_THAN', String(first)))).toEqual(['two']);
      expect(await found('person', text('friends', 'EQUALS', String(second)))).toEqual(['one', 'two']);
      expect(await found('person', text('friends', 'LESS_THAN', String(second)))).toEqual(['one']);
      expect(await found('person', text('friends', 'EQUALS', '999999'))).toEqual([]);
      expect(await found('person', text('id', 'EQUALS', String(one)), text('nickname', 'EQUALS', 'x'))).toEqual([
        'one',
      ]);
      const answer = await items.list('person', '', [text('boss', 'EQUALS', 'Ann'), text('friends', 'EQUALS', '0')]);
      expect([answer.status, answer.json.error.details.map((detail: { path: string }) => detail.path)]).toEqual([
        400,
        ['[0].value', '[1].value'],
      ]);
    });
  });

  describe('criteria together', () => {
    it('must all hold', async () => {
      const ids = [
        await items.created('event', { code: 'c1', name: 'Fair' }),
        await items.created('event', { code: 'c2', name: 'Fair' }),
      ];
      const both = [text('name', 'CONTAINS', 'fair'), text('code', 'EQUALS', 'c2')];
      expect(await found('event', ...both)).toEqual([String(ids[1])]);
      expect(await found('event', ...both, text('id', 'LESS_THAN', String(ids[1])))).toEqual([]);
    });

    it('that are skipped are named in meta, and the rest still counts', async () => {
      const criteria = [
        text('code', 'EQUALS', 'c1'),
        text('description', 'CONTAINS', 'x'),
        text('name', 'EQUALS', ' \t '),
        text('__proto__', 'EQUALS', 'x'),
        text('constructor', 'EQUALS', 'x'),
        text('hasOwnProperty', 'EQUALS', 'x'),
        text('version', 'EQUALS', 'no number'),
        text('\u0000\ud800', 'EQUALS', 'x'),
      ];
      const skipped = [
        { field: 'description', reason: 'NOT_SEARCHABLE' },
        { field: 'name', reason: 'BLANK_VALUE' },
        { field: '__proto__', reason: 'NOT_SEARCHABLE' },
        { field: 'constructor', reason: 'NOT_SEARCHABLE' },
        { field: 'hasOwnProperty', reason: 'NOT_SEARCHABLE' },
        { field: 'version', reason: 'NOT_SEARCHABLE' },
        { field: '\u0000\ud800', reason: 'NOT_SEARCHABLE' },
      ];
      const [listed, searched] = [await items.list('event', '', criteria), await items.search('event', criteria)];
      expect([listed.json.meta.skipped, listed.json.data.length]).toEqual([skipped, 1]);
      expect([searched.json.meta.skipped, searched.json.data.length]).toEqual([skipped, 1]);
      const none = await items.search('event', [text('code', 'EQUALS', 'absent'), text('name', 'EQUALS', '')]);
      expect(none.json).toEqual({ data: [], meta: { skipped: [{ field: 'name', reason: 'BLANK_VALUE' }] } });
    });

    it('are refused with strict=true where they would be skipped, or where the field lacks the operator', async () => {
      const criteria = [
        text('code', 'EQUALS', 'c1'),
        text('description', 'CONTAINS', 'x'),
        text('name', 'EQUALS', ' '),
        text('name', 'NOT_CONTAINS', 'x'),
        text('id', 'CONTAINS', '1'),
        { any: [text('name', 'equals', 'x')] },
      ];
      const problems = [
        '[1].field: UNKNOWN_FIELD',
        '[2].value: REQUIRED',
        '[3].operator: NOT_AN_OPTION',
        '[4].operator: NOT_AN_OPTION',
        '[5].any[0].operator: NOT_AN_OPTION',
      ];
      for (const path of ['items/event/list', 'items/event/search', 'exports/event']) {
        const answer = await sendJson(host.address, 'POST', `/api/cms/${path}?strict=true`, criteria);
        expect([answer.status, problemsOf(answer)]).toEqual([400, problems]);
        const fine = await sendJson(host.address, 'POST', `/api/cms/${path}?strict=true`, criteria.slice(0, 1));
        expect(fine.status).toBe(200);
      }
      const other = await items.list('event', '?strict=yes', []);
      expect([other.status, problemsOf(other)]).toEqual([400, ['strict: WRONG_TYPE']]);
    });

    it('may be a hundred, and no more', async () => {
      const many = Array.from({ length: 100 }, (_, index) => text('name', 'CONTAINS', `absent ${index}`));
      expect((await items.list('event', '', many)).json.data).toEqual([]);
      const { json } = await items.search('event', [...many, ...many]);
      expect(json.error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/100 .* 200 /) });
    });

    it.each([
      'null',
      '{}',
      '""',
      '1',
      'true',
      '[null]',
      '[[]]',
      '["a"]',
      '[{"field":["name"],"operator":"EQUALS","value":"x"}]',
      '[{"field":"name","operator":"EQUALS","value":5}]',
      '[{"field":"name","value":"x","extra":1}]',
      '[{"field":"name","value":"x","__proto__":1}]',
    ])('of another shape, %s, are a 400', async (body) => {
      for (const endpoint of ['list', 'search']) {
        const answer = await sendJson(host.address, 'POST', `/api/cms/items/event/${endpoint}`, body);
        expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      }
    });

    it('count as none when the body is absent', async () => {
      for (const endpoint of ['list', 'search']) {
        const answer = await send(host.address, `/api/cms/items/event/${endpoint}`, { method: 'POST' });
        expect([answer.status, answer.json.data.length]).toEqual([200, 2]);
      }
    });

    it('with very long values are answered', async () => {
      const answer = await items.list('gauge', '', [text('notes', 'CONTAINS', 'many words '.repeat(9_000))]);
      expect([answer.status, answer.json.data]).toEqual([200, []]);
    });

    it('with longer values are refused before any of them is read', async () => {
      const words = 'many words '.repeat(5_000);
      const answer = await items.search('gauge', [text('notes', 'CONTAINS', words), text('name', 'EQUALS', words)]);
      expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringMatching(/100000 .* 110000/)]);
    });
  });
}
