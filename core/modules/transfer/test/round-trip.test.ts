import { openWorkshop, type Workshop } from './support/workshop';

let workshop: Workshop;
let other: Workshop;
beforeAll(async () => {
  [workshop, other] = await Promise.all([openWorkshop(), openWorkshop()]);
});
beforeEach(() => Promise.all([workshop.empty(), other.empty()]));
afterAll(() => Promise.all([workshop.close(), other.close()]));

const awkward = [
  'plain',
  ' spaces ',
  'a,b;c',
  'say "hi"',
  'two  blanks',
  'no\u00a0break',
  '=1+1',
  "'=quoted",
  '-5',
  '@cmd',
  '#tag',
  'a|b',
  'a/b',
  'a\\|b',
  'ü€𝄞',
  '𝄞'.repeat(40),
  'null',
  'true',
  '007',
  '1e5',
];

/** A key has no space but U+0020. */
const keys = awkward.map((text) => text.replaceAll('\u00a0', ' '));

async function fill(): Promise<void> {
  // Ids differ from those of the other database, so that nothing that depends on them passes.
  await workshop.import('shelf', '{"code":"gone"}');
  await workshop.rows('DELETE FROM workshop_shelf');
  await workshop.import('shelf', '{"code":"s","label":"=SUM(A1)"}\n{"code":"t/u"}');
  await workshop.import('author', keys.map((name) => JSON.stringify({ name })).join('\n'));
  const books = awkward.map((title, index) => ({
    code: keys[index],
    title,
    blurb: `${['', 'two\nlines', 'cr\rhere', '\ttab', '\r\n'][index % 5]}${title}`,
    shelf: index % 2 === 0 ? 's' : 't/u',
    edition: index % 3 === 0 ? 'FINAL' : 'DRAFT',
    pages: index % 4 === 0 ? null : index,
    price: index % 4 === 0 ? null : -index,
    stars: index / 7,
    used: [true, false, null][index % 3],
    authors: keys.slice(0, index).toReversed(),
  }));
  const text = books.map((book) => JSON.stringify(book)).join('\n');
  const exact =
    '{"code":"exact","shelf":"s","price":123456789012345.6789,"sold":9223372036854775807,"sequel":{"code":"a/b","shelf":"s","edition":"FINAL"},"related":["a,b;c",{"code":"plain","shelf":"s","edition":"FINAL"}]}';
  const { problems } = await workshop.import('book', `${text}\n${exact}`);
  expect(problems).toEqual([]);
}

/** All books with their references by key, in the order in which they were made. */
function picture(of: Workshop) {
  const key = (alias: string) =>
    `${alias}.code || ' on ' || (SELECT s.code FROM workshop_shelf s WHERE s.id = ${alias}.shelf_id) || ' ' || ${alias}.edition`;
  return of.rows(
    `SELECT b.code, b.title, b.blurb, b.edition, b.pages, b.price::text, b.stars::text, b.sold::text, b.used, ${key('b')} AS place,
            (SELECT ${key('q')} FROM workshop_book q WHERE q.id = b.sequel_id) AS sequel,
            (SELECT json_agg(${key('r')} ORDER BY l.position) FROM workshop_book_related l JOIN workshop_book r ON r.id = l.target_id WHERE l.item_id = b.id) AS related,
            (SELECT json_agg(a.name ORDER BY l.position) FROM workshop_book_authors l JOIN workshop_author a ON a.id = l.target_id WHERE l.item_id = b.id) AS authors
     FROM workshop_book b ORDER BY b.id`,
  );
}

describe('an export', () => {
  it.each([
    ['JSON lines', { format: 'jsonl' }],
    ['one JSON array', { format: 'json' }],
    ['CSV', { format: 'csv' }],
    ['CSV with another delimiter', { format: 'csv', delimiter: '\t' }],
    ['CSV that is safe in a spreadsheet', { format: 'csv', safeCsv: true }],
  ] as const)('as %s can be imported into another database, and all is as it was', async (_name, options) => {
    await fill();
    for (const type of ['shelf', 'author', 'book']) {
      const { problems } = await other.import(type, await workshop.export(type, options), options);
      expect(problems).toEqual([]);
    }

    expect(await picture(other)).toEqual(await picture(workshop));
    expect(await picture(workshop)).toHaveLength(awkward.length + 1);
  });

  it.each([
    ['CSV', { format: 'csv', keepEmpty: true }],
    ['CSV that is safe in a spreadsheet', { format: 'csv', keepEmpty: true, safeCsv: true }],
    ['JSON lines', { format: 'jsonl' }],
  ] as const)('of items without a key keeps all values and references, as %s with ids', async (_name, options) => {
    await fill();
    await workshop.import('author', '{"mail":"x"}\n{"mail":""}\n{"name":"","mail":"y"}');
    await workshop.import(
      'note',
      ['', ' ', 'a"b', '""', '"', '\n', 'x,y', "'=", null].map((text) => JSON.stringify({ text })).join('\n'),
    );
    await workshop.import('memo', '{"note":9}\n{"note":null}\n{"note":1}');
    await workshop.rows("DELETE FROM workshop_note WHERE text = ' '");
    // The target has items already, of other types and once also of these.
    await other.import('note', '{"text":"gone"}');
    await other.rows('DELETE FROM workshop_note');
    for (const type of ['shelf', 'author', 'book', 'note', 'memo']) {
      const file = await workshop.export(type, { ...options, ids: true });
      const { problems } = await other.import(type, file, { ...options, keepIds: true });
      expect(problems).toEqual([]);
    }

    for (const table of ['shelf', 'author', 'book', 'note', 'memo', 'book_related', 'book_authors']) {
      const rows = (of: Workshop) =>
        of.rows(
          `SELECT to_jsonb(t) - 'created_at' - 'updated_at' AS row FROM workshop_${table} t ORDER BY to_jsonb(t)->>'id', t::text`,
        );
      expect(await rows(other)).toEqual(await rows(workshop));
    }
    await other.import('note', '{"text":"next"}');
    expect(await other.rows("SELECT count(*)::int AS n FROM workshop_note WHERE text = 'next'")).toEqual([{ n: 1 }]);
  });

  it('with ids changes the items that are there and creates the others, when they are matched by id', async () => {
    await workshop.import('note', '{"text":"a"}');
    const file = '{"id":1,"text":"b"}\n{"id":7,"text":"c"}';
    const { outcome } = await workshop.import('note', file, { keepIds: true, match: ['id'] });

    expect(outcome).toMatchObject({ created: 1, updated: 1, problems: 0 });
    expect(await workshop.rows('SELECT id, text FROM workshop_note ORDER BY id')).toEqual([
      { id: '1', text: 'b' },
      { id: '7', text: 'c' },
    ]);
  });

  it('with ids is refused where an id is taken, given twice, or missing', async () => {
    await workshop.import('note', '{"text":"a"}');
    const file =
      '{"id":1,"text":"b"}\n{"id":8,"text":"c"}\n{"id":8,"text":"d"}\n{"text":"e"}\n{"id":0}\n{"id":9223372036854775807}';
    const { problems } = await workshop.import('note', file, { keepIds: true });

    expect(problems.map(({ line, path, code }) => [line, path, code])).toEqual([
      [1, 'id', 'NOT_UNIQUE'],
      [3, 'id', 'NOT_UNIQUE'],
      [4, 'id', 'REQUIRED'],
      [5, 'id', 'WRONG_TYPE'],
      [6, 'id', 'OUT_OF_RANGE'],
    ]);
  });

  it('distinguishes empty text from no value, also in a file of one column', async () => {
    await workshop.import('note', '{"text":""}\n{"text":null}\n{"text":"x"}');
    const file = await workshop.export('note', { format: 'csv', keepEmpty: true });
    await other.import('note', file, { format: 'csv', keepEmpty: true });

    expect(file).toBe('text\n""\n\nx\n');
    expect(await other.rows('SELECT text FROM workshop_note ORDER BY id')).toEqual([
      { text: '' },
      { text: null },
      { text: 'x' },
    ]);
  });

  it('can be imported where it comes from, and changes nothing', async () => {
    await fill();
    for (const options of [
      { format: 'csv', match: ['code'] },
      { format: 'jsonl', ids: true, match: ['id'] },
    ] as const) {
      const { outcome } = await workshop.import('book', await workshop.export('book', options), options);
      expect(outcome).toMatchObject({ created: 0, updated: 0, unchanged: awkward.length + 1, problems: 0 });
    }
  });

  it('writes what a spreadsheet would run behind an apostrophe when it is to be safe', async () => {
    await workshop.import('shelf', '{"code":"=1+1","label":"\'=x"}\n{"code":"a","label":"plain \'text\'"}');

    expect(await workshop.export('shelf', { format: 'csv', safeCsv: true })).toBe(
      "code,label\n'=1+1,''=x\na,plain 'text'\n",
    );
    expect(await workshop.export('shelf', { format: 'csv' })).toBe("code,label\n=1+1,'=x\na,plain 'text'\n");
  });

  it('has the key of a reference as short as it is clear', async () => {
    await workshop.import('shelf', '{"code":"s"}\n{"code":"t"}');
    await workshop.import(
      'book',
      '{"code":"a","shelf":"s"}\n{"code":"b","shelf":"s","sequel":"a"}\n{"code":"c","shelf":"t","sequel":"a/s/DRAFT"}',
    );
    await workshop.import('review', '{"text":"good","book":"a","also":["b"]}');

    const books = (await workshop.export('book'))
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { sequel: unknown }).sequel);
    expect(books).toEqual([null, 'a', { code: 'a', shelf: 's', edition: 'DRAFT' }]);
    expect(await workshop.export('review', { format: 'csv' })).toBe('text,book,also\ngood,a/s/DRAFT,b/s/DRAFT\n');
    expect(await workshop.export('review', { format: 'csv', ids: true })).toBe('id,text,book,also\n1,good,1,2\n');
  });

  it('has only items for which all conditions hold, also on references by key', async () => {
    await workshop.import('shelf', '{"code":"s"}\n{"code":"t"}');
    await workshop.import(
      'book',
      '{"code":"a","shelf":"s","price":1}\n{"code":"b","shelf":"s","price":2}\n{"code":"c","shelf":"t","price":3}',
    );
    const codes = async (where: Parameters<Workshop['export']>[1]) =>
      [...(await workshop.export('book', where)).matchAll(/"code":"(.)"/g)].map((found) => found[1]);
    const on = (field: string, operator: 'EQUALS' | 'MORE_THAN' | 'CONTAINS', value: string) => ({
      field,
      operator,
      value,
    });

    expect(await codes({ where: [on('shelf', 'EQUALS', 's'), on('price', 'MORE_THAN', '1')] })).toEqual(['b']);
    expect(await codes({ where: [on('id', 'EQUALS', '3')] })).toEqual(['c']);
    await expect(codes({ where: [on('shelf', 'EQUALS', 'x')] })).rejects.toThrow('Shelf with the code x,');
    await expect(codes({ where: [on('colour', 'EQUALS', 'x')] })).rejects.toThrow(/^Book .* colour\.$/);
    await expect(codes({ where: [on('title', 'EQUALS', ' ')] })).rejects.toThrow(/ title .*no value/);
    await expect(codes({ where: [on('price', 'EQUALS', 'x')] })).rejects.toThrow('"x" for price');
  });

  it('refuses what could not be imported elsewhere: targets without a key', async () => {
    await workshop.import('note', '{"text":"x"}');
    await workshop.import('memo', '{"note":1}');
    await workshop.import('author', '{"mail":"x"}');
    await workshop.import('shelf', '{"code":"s"}');
    await workshop.import('book', '{"code":"a","shelf":"s","authors":[1]}');

    await expect(workshop.export('memo')).rejects.toMatchObject({
      name: 'TransferError',
      message: expect.stringMatching(/^note .* Note, .*no unique field/),
    });
    await expect(workshop.export('book')).rejects.toMatchObject({
      name: 'TransferError',
      message: expect.stringMatching(/^authors .* Author 1, .* no name /),
    });
    expect(await workshop.export('memo', { ids: true })).toBe('{"id":1,"note":1}\n');
  });

  it('of no items is a file of no items', async () => {
    expect(await workshop.export('shelf', { format: 'json' })).toBe('[\n]\n');
    expect(await workshop.export('shelf', { format: 'csv' })).toBe('code,label\n');
    expect(await workshop.export('shelf')).toBe('');
  });
});
