import { Client } from 'pg';
import type { TestHost } from '../../../support/platform';
import { itemsOf, type Answer } from '../../../support/rest-client';

/** Pages of lists. */
export function describePaging(host: TestHost): void {
  const items = itemsOf(host);

  const rows = 120;
  const longText = 'a very long text '.repeat(200);

  beforeAll(async () => {
    const client = new Client({ connectionString: host.databaseUrl });
    await client.connect();
    // Few distinct values and many nulls, so that pages begin and end within ties.
    await client.query(
      `INSERT INTO workbench_gauge (name, notes, colour, serial, picture, "on", small, rating, whole, long, price, exact, double, real, bounded, locked, created_at, updated_at)
     SELECT CASE WHEN n % 7 > 0 THEN chr(65 + n % 5) || chr(228) END,
            CASE WHEN n % 7 > 1 THEN $2 || (n % 4) || repeat('x', n % 3) END,
            CASE WHEN n % 3 > 0 THEN 'green' END, NULL, CASE WHEN n % 2 = 0 THEN '/' || n % 6 END,
            CASE n % 3 WHEN 0 THEN true WHEN 1 THEN false END,
            CASE WHEN n % 4 > 0 THEN n % 9 - 4 END, n % 5 + 1, n % 11, CASE WHEN n % 5 > 0 THEN 9007199254740990 + n % 8 END,
            CASE WHEN n % 6 > 0 THEN (n % 13) / 4.0 END, CASE WHEN n % 6 > 0 THEN (n % 5) / 3.0 END,
            CASE WHEN n % 6 > 0 THEN (n % 7) / 3.0::float8 END, CASE WHEN n % 6 > 0 THEN (n % 7) / 3.0::float4 END,
            NULL, 'same', now() - (n % 10) * interval '1 hour 1 millisecond', now() - (n % 3) * interval '1 day'
     FROM generate_series(1, $1::int) n`,
      [rows, longText],
    );
    await client.query(`INSERT INTO workbench_person (nickname) SELECT 'p' || n FROM generate_series(1, 40) n`);
    await client.query(`UPDATE workbench_person SET boss_id = 1 + id % 4 WHERE id % 3 > 0 AND id > 4`);
    await client.end();
  });

  /** All pages of a list, checked to be full and to end. */
  async function walk(type: string, query: string, limit: number): Promise<readonly Answer['json'][]> {
    const found: Answer['json'][] = [];
    let after = '';
    for (let page = 0; page < 500; page += 1) {
      const answer = await items.list(type, `?limit=${limit}${query}${after}`);
      if (answer.status !== 200) throw new Error(answer.text);
      const ids = new Set(found.map(({ id }) => id as number));
      expect(answer.json.data.filter(({ id }: { id: number }) => ids.has(id))).toEqual([]);
      found.push(...answer.json.data);
      const next = answer.json.meta.nextCursor as string | undefined;
      if (next === undefined) return found;
      expect(answer.json.data).toHaveLength(limit);
      after = `&after=${next}`;
    }
    throw new Error('The pages do not end.');
  }

  const sortable = [
    'id',
    'createdAt',
    'updatedAt',
    'name',
    'notes',
    'colour',
    'serial',
    'picture',
    'on',
    'small',
    'rating',
    'whole',
    'long',
    'price',
    'exact',
    'double',
    'real',
    'bounded',
    'locked',
  ];

  describe('walking all pages', () => {
    it.each(sortable.flatMap((name) => [[name], [`-${name}`]]))(
      'sorted by %s gives each row once, in the order of one big page',
      async (sort) => {
        const whole = (await items.list('gauge', `?limit=1000&sort=${sort}`)).json;
        const ids = whole.data.map((row: { id: number }) => row.id);
        expect([new Set(ids).size, whole.meta.nextCursor]).toEqual([rows, undefined]);
        expect((await walk('gauge', `&sort=${sort}`, 23)).map((row) => row.id)).toEqual(ids);
      },
    );

    it.each(['boss', '-boss', 'team', '-home'])('sorted by the reference %s does so too', async (sort) => {
      const ids = (await items.list('person', `?limit=1000&sort=${sort}`)).json.data.map(
        (row: { id: number }) => row.id,
      );
      expect((await walk('person', `&sort=${sort}`, 7)).map((row) => row.id)).toEqual(ids);
      expect(ids).toHaveLength(40);
    });

    it('keeps nulls last going up and first going down, ties by id in the same direction', async () => {
      const up = (await items.list('gauge', '?limit=1000&sort=small')).json.data.map((row: Answer['json']) => [
        row.values.small,
        row.id,
      ]);
      const down = (await items.list('gauge', '?limit=1000&sort=-small')).json.data.map((row: Answer['json']) => [
        row.values.small,
        row.id,
      ]);
      expect(down).toEqual(up.toReversed());
      const rank = (value: number | null): number => value ?? Infinity;
      const expected = up.toSorted(
        (a: [number, number], b: [number, number]) => rank(a[0]) - rank(b[0]) || a[1] - b[1],
      );
      expect(up).toEqual(expected);
    });

    it('continues in the right place although rows come and go between the pages', async () => {
      const first = (await items.list('person', '?limit=10&sort=-id')).json;
      const last = first.data.at(-1).id as number;
      await items.created('person', { nickname: 'new' });
      expect((await items.remove('person', last)).status).toBe(204);
      const second = (await items.list('person', `?limit=10&sort=-id&after=${first.meta.nextCursor}`)).json;
      expect(second.data[0].id).toBe(last - 1);
    });

    it('continues behind a long text whose row is gone', async () => {
      const texts = ['1', '2', '3'].map((end) => `zz ${longText}${end}`);
      const ids = await Promise.all(texts.map((notes) => items.created('gauge', { notes })));
      const criteria = [{ field: 'notes', operator: 'CONTAINS', value: 'zz ' }];
      for (const [sort, at] of [
        ['notes', 0],
        ['-notes', 2],
      ] as const) {
        const [page] = [(await items.list('gauge', `?limit=1&sort=${sort}`, criteria)).json];
        expect(page.data[0].id).toBe(ids[at]);
        await items.remove('gauge', ids[at] ?? 0);
        const rest = (await items.list('gauge', `?limit=5&sort=${sort}&after=${page.meta.nextCursor}`, criteria)).json;
        expect(rest.data.map((row: Answer['json']) => row.id)).toContain(ids[1]);
      }
    });
  });

  describe('a list', () => {
    it('has fifty rows, newest first, and no total unless asked', async () => {
      const { json } = await items.list('gauge');
      const ids = json.data.map((row: { id: number }) => row.id);
      expect([ids.length, ids]).toEqual([50, ids.toSorted((a: number, b: number) => b - a)]);
      expect(Object.keys(json.meta)).toEqual(['nextCursor']);
    });

    it('counts what the criteria match, not what the page holds', async () => {
      const criteria = [{ field: 'rating', operator: 'EQUALS', value: '3' }];
      const first = (await items.list('gauge', '?total=true&limit=5&sort=id', criteria)).json;
      expect([first.meta.total, first.data.length]).toEqual([rows / 5, 5]);
      const second = (await items.list('gauge', `?total=true&limit=5&sort=id&after=${first.meta.nextCursor}`, criteria))
        .json;
      expect(second.meta.total).toBe(rows / 5);
      expect((await items.list('gauge', '?total=false')).json.meta.total).toBeUndefined();
    });

    it('is an empty array where nothing matches', async () => {
      const answer = await items.list('gauge', '?total=true', [
        { field: 'id', operator: 'EQUALS', value: '999999999' },
      ]);
      expect(answer.text).toBe('{"data":[],"meta":{"total":0}}');
    });

    it.each([
      ['limit=-1', /^limit: .* 1 to 1000; "-1"/],
      ['limit=0', /^limit: /],
      ['limit=1e9', /^limit: /],
      ['limit=1001', /^limit: /],
      ['limit=1.5', /^limit: /],
      ['limit=', /^limit: /],
      ['limit=%00', /^limit: /],
      ['sort=', /sort by ""/],
      ['sort=nothing', /sort by "nothing"/],
      ['sort=__proto__', /sort by "__proto__"/],
      ['sort=name%3BDROP', /sort by "name;DROP"/],
      ['sort=%00', /sort by/],
      ['sort=%ZZ', /sort by "%ZZ"/],
      ['total=maybe', /^total: .*"maybe"/],
      ['after=', / after .*cursor/],
      ['after=AAAA', / after .*cursor/],
      ['limit=1&limit=2', /Repeated .*"limit"/],
      ['offset=5', /Unknown .*"offset"/],
      ['__proto__=1', /Unknown .*"__proto__"/],
      ['=x', /Unknown .*""/],
    ])('with ?%s is a 400 that names the parameter', async (query, named) => {
      const answer = await items.list('gauge', `?${query}`);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
      expect(answer.json.error.message).toMatch(named);
    });

    it.each([
      ['whole', '["whole","no number","1"]'],
      ['price', '["price","1e9999999","1"]'],
      ['on', '["on","perhaps","1"]'],
      ['createdAt', '["createdAt","yesterday at noon","1"]'],
      ['boss', '["boss","x","1"]'],
    ])('sorted by %s with the tampered cursor %s is a 400', async (sort, cursor) => {
      const after = Buffer.from(cursor).toString('base64url');
      const answer = await items.list(sort === 'boss' ? 'person' : 'gauge', `?sort=${sort}&after=${after}`);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('takes a question mark alone for no query', async () => {
      expect((await items.list('gauge', '?')).status).toBe(200);
    });
  });
}
