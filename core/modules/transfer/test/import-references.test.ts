import { openWorkshop, type Workshop } from './support/workshop';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
beforeEach(async () => {
  await workshop.empty();
  await workshop.import('shelf', '{"code":"s"}\n{"code":"t"}');
  await workshop.import('author', '{"name":"Ann"}\n{"name":"Ben|Bo"}\n{"mail":"nameless"}');
});
afterAll(() => workshop.close());

const csv = { format: 'csv' } as const;

const books = (columns: string) =>
  workshop.rows(
    `SELECT b.code, ${columns} FROM workshop_book b JOIN workshop_shelf s ON s.id = b.shelf_id ORDER BY b.id`,
  );

const authorsOf = `(SELECT string_agg(a.id::text, ' ' ORDER BY l.position) FROM workshop_book_authors l JOIN workshop_author a ON a.id = l.target_id WHERE l.item_id = b.id) AS authors`;

describe('references of an imported file', () => {
  it('name their target by its unique field, or by id', async () => {
    const lines = [
      '{"code":"a","shelf":"s"}',
      '{"code":"b","shelf":2}',
      '{"code":"c","shelf":{"id":2,"label":"t"}}',
      '{"code":"d","shelf":{"code":"s"}}',
    ];
    const { problems } = await workshop.import('book', lines.join('\n'));

    expect(problems).toEqual([]);
    expect(await books('s.code AS shelf')).toEqual([
      { code: 'a', shelf: 's' },
      { code: 'b', shelf: 't' },
      { code: 'c', shelf: 't' },
      { code: 'd', shelf: 's' },
    ]);
  });

  it('keep the order of many, in JSON and in the cells of CSV', async () => {
    await workshop.import('book', '{"code":"a","shelf":"s","authors":["Ben|Bo",1]}');
    const { problems } = await workshop.import('book', 'code,shelf,authors\nb,s,Ben\\|Bo|Ann\nc,s,\n', csv);

    expect(problems).toEqual([]);
    expect(await books(authorsOf)).toEqual([
      { code: 'a', authors: '2 1' },
      { code: 'b', authors: '2 1' },
      { code: 'c', authors: null },
    ]);
  });

  it('are ids in CSV when asked for', async () => {
    const { problems } = await workshop.import('book', 'code,shelf,authors\na,2,3|1\nb,s,1\nc,9,\n', {
      ...csv,
      ids: true,
    });

    expect(problems).toMatchObject([
      { line: 3, path: 'shelf', code: 'WRONG_TYPE' },
      { line: 4, path: 'shelf', code: 'REFERENCE_NOT_FOUND', message: expect.stringContaining('Shelf 9,') },
    ]);
  });

  it.each([
    ['a key that no item has', '"shelf":"x"', 'REFERENCE_NOT_FOUND', 'Shelf with the code x,'],
    ['an id that no item has', '"shelf":77', 'REFERENCE_NOT_FOUND', 'Shelf 77,'],
    ['another value', '"shelf":true', 'WRONG_TYPE', 'code or id'],
    ['an object with something else', '"shelf":{"name":"s"}', 'WRONG_TYPE', 'code or id'],
    ['no list where many are expected', '"shelf":"s","authors":"Ann"', 'WRONG_TYPE', 'list with the name or id'],
    ['one target twice', '"shelf":"s","authors":["Ann",1]', 'DUPLICATE', ' 1 '],
    ['null for one that is required', '"shelf":null', 'REQUIRED', 'shelf'],
  ])('are refused for %s', async (_what, members, code, named) => {
    const { problems } = await workshop.import('book', `{"code":"a",${members}}`);

    const path = members.includes('authors') ? 'authors' : 'shelf';
    expect(problems).toMatchObject([{ line: 1, path, code, message: expect.stringContaining(named) }]);
  });

  it('can be ids alone where the target has no unique field', async () => {
    await workshop.import('note', '{"text":"x"}');

    expect((await workshop.import('memo', 'note\n1\n', csv)).problems).toEqual([]);
    expect((await workshop.import('memo', '{"note":"x"}')).problems).toMatchObject([{ code: 'WRONG_TYPE' }]);
  });
});

describe('references by a key that is unique only together with other fields', () => {
  beforeEach(async () => {
    const lines = [
      '{"code":"a","shelf":"s"}',
      '{"code":"a","shelf":"t"}',
      '{"code":"a","shelf":"t","edition":"FINAL"}',
      '{"code":"x/y","shelf":"s"}',
    ];
    await workshop.import('book', lines.join('\n'));
  });

  it('mean the item in the same place as the one that refers', async () => {
    const { problems } = await workshop.import(
      'book',
      'code,shelf,edition,sequel,related\nb,s,,a,\nb,t,,a,a\nb,t,FINAL,a,\n',
      csv,
    );

    expect(problems).toEqual([]);
    expect(await workshop.rows("SELECT sequel_id::int FROM workshop_book WHERE code = 'b' ORDER BY id")).toEqual([
      { sequel_id: 1 },
      { sequel_id: 2 },
      { sequel_id: 3 },
    ]);
  });

  it('are not found in another place', async () => {
    const { problems } = await workshop.import('book', '{"code":"b","shelf":"s","edition":"FINAL","sequel":"a"}');

    expect(problems).toMatchObject([
      {
        code: 'REFERENCE_NOT_FOUND',
        path: 'sequel',
        message: expect.stringMatching(/ code a and .* shelf and .* edition,/),
      },
    ]);
  });

  it('can be written in full', async () => {
    const text = 'code,shelf,sequel,related\nb,s,a/t/FINAL,a/t/DRAFT|a/s/DRAFT|x\\/y/s/DRAFT\n';
    const { problems } = await workshop.import('book', text, csv);

    expect(problems).toEqual([]);
    const links = await workshop.rows('SELECT target_id::int AS id FROM workshop_book_related ORDER BY position');
    expect(links).toEqual([{ id: 2 }, { id: 1 }, { id: 4 }]);
  });

  it('are unclear where the one that refers is in no place, and the candidates are named', async () => {
    const { problems } = await workshop.import(
      'review',
      '{"text":"good","book":"a"}\n{"text":"fine","book":"x/y"}\n{"text":"so","book":{"code":"a","shelf":"s"}}',
    );

    expect(problems).toEqual([
      {
        line: 1,
        path: 'book',
        code: 'REFERENCE_AMBIGUOUS',
        message: expect.stringContaining(': a/s/DRAFT, a/t/DRAFT, a/t/FINAL;'),
      },
    ]);
  });
});

describe('references within the file', () => {
  it('may point to lines above and below', async () => {
    const lines = [
      '{"code":"a","shelf":"s","sequel":"b","related":["c","b"]}',
      '{"code":"b","shelf":"s","sequel":"c"}',
      '{"code":"c","shelf":"s","related":["a"]}',
    ];
    const { problems, outcome } = await workshop.import('book', lines.join('\n'));

    expect(problems).toEqual([]);
    expect(outcome).toMatchObject({ created: 3, kept: true });
    expect(await books('sequel_id::int')).toEqual([
      { code: 'a', sequel_id: 2 },
      { code: 'b', sequel_id: 3 },
      { code: 'c', sequel_id: null },
    ]);
    const links = await workshop.rows(
      'SELECT item_id::int AS item, target_id::int AS target FROM workshop_book_related ORDER BY item_id, position',
    );
    expect(links).toEqual([
      { item: 1, target: 3 },
      { item: 1, target: 2 },
      { item: 3, target: 1 },
    ]);
  });

  it('may leave out parts of a key that are the same, also to lines below', async () => {
    const lines = [
      '{"code":"a","shelf":"s","edition":"FINAL","sequel":{"code":"b","edition":"DRAFT"}}',
      '{"code":"b","shelf":"t"}',
      '{"code":"b","shelf":"s"}',
    ];
    const { problems } = await workshop.import('book', lines.join('\n'));

    expect(problems).toEqual([]);
    expect(await books('sequel_id::int')).toMatchObject([{ sequel_id: 3 }, { sequel_id: null }, { sequel_id: null }]);
  });

  it('to lines below meet the conditions of required fields, of new items and of items that are there', async () => {
    const lines = [
      '{"code":"a","kind":"CHILD","parent":"c","reason":"x"}',
      '{"code":"b","kind":"CHILD","parent":"c"}',
      '{"code":"c","kind":"ROOT"}',
    ];
    const required = { path: 'reason', message: expect.stringContaining(' if parent has a value') };
    const before = '{"code":"a","kind":"ROOT"}\n{"code":"b","kind":"ROOT"}';
    for (const there of ['', before]) {
      await workshop.empty();
      await workshop.import('step', there);
      const refused = await workshop.import('step', lines.join('\n'), { match: ['code'] });
      expect(refused.problems).toMatchObject([{ line: 2, code: 'REQUIRED', ...required }]);
      lines[1] = '{"code":"b","kind":"CHILD","parent":"c","reason":"y"}';
      const { problems, outcome } = await workshop.import('step', lines.join('\n'), { match: ['code'] });
      expect([problems, outcome.kept]).toEqual([[], true]);
      lines[1] = '{"code":"b","kind":"CHILD","parent":"c"}';
    }
    expect(
      await workshop.rows(
        'SELECT s.code, p.code AS parent FROM workshop_step s LEFT JOIN workshop_step p ON p.id = s.parent_id ORDER BY 1',
      ),
    ).toEqual([
      { code: 'a', parent: 'c' },
      { code: 'b', parent: 'c' },
      { code: 'c', parent: null },
    ]);
    const missing = await workshop.import('step', '{"code":"d","kind":"CHILD","reason":"x"}', { match: ['code'] });
    expect(missing.problems).toMatchObject([{ line: 1, path: 'parent', code: 'REQUIRED' }]);
  });

  it('are reported with their line when nothing in the whole file has the key, or it is the item itself', async () => {
    const lines = ['{"code":"a","shelf":"s","sequel":"z"}', '{"code":"b","shelf":"s","sequel":"b"}'];
    const { problems, outcome } = await workshop.import('book', lines.join('\n'));

    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [1, 'REFERENCE_NOT_FOUND'],
      [2, 'SELF_REFERENCE'],
    ]);
    expect(outcome).toMatchObject({ badItems: 2, kept: false });
  });

  it.each(['"\\u0000"', '"\\ud800"', '{"code":"z","edition":"\\u0000"}'])(
    'are reported as missing where no item can have the key %s',
    async (key) => {
      const { problems } = await workshop.import('book', `{"code":"a","shelf":"s","sequel":${key}}`);

      expect(problems).toMatchObject([{ line: 1, path: 'sequel', code: 'REFERENCE_NOT_FOUND' }]);
    },
  );

  it.each([
    ['JSON', '{"code":"a","shelf":"s","related":[KEYS]}', '"z",', 45_000, {}],
    ['CSV', 'code,shelf,related\na,s,KEYS\n', 'z|', 90_000, { format: 'csv' }],
    ['a cell of megabytes', 'code,shelf,related\na,s,KEYS\n', 'z|', 500_000, { format: 'csv' }],
  ] as const)('are refused where one item has very many, in %s', async (_format, text, key, count, options) => {
    const keys = key.repeat(count).slice(0, -1);
    const { problems } = await workshop.import('book', text.replace('KEYS', keys), options);

    expect(problems).toEqual([
      { line: expect.any(Number), path: 'related', code: 'TOO_MANY', message: expect.stringContaining('1000') },
    ]);
  });

  it('are shortened in messages', async () => {
    const key = 'k'.repeat(100_000);
    const { problems } = await workshop.import('book', `{"code":"a","shelf":"${key}","sequel":"${key}"}`);

    expect(problems.map(({ path }) => path)).toEqual(['shelf']);
    expect(problems[0]?.message.length).toBeLessThan(200);
  });

  it('hold in a chain of a thousand lines that are in the wrong order', async () => {
    const lines = Array.from(
      { length: 1200 },
      (_line, index) => `{"code":"c${index}","shelf":"s","sequel":${index === 1199 ? 'null' : `"c${index + 1}"`}}`,
    );
    const { problems } = await workshop.import('book', lines.join('\n'));

    expect(problems).toEqual([]);
    expect(
      await workshop.rows(
        'SELECT count(*)::int AS n FROM workshop_book a JOIN workshop_book b ON a.sequel_id = b.id AND b.id = a.id + 1',
      ),
    ).toEqual([{ n: 1199 }]);
  });
});
