import { Readable } from 'node:stream';
import { openWorkshop, type Workshop } from './support/workshop';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
beforeEach(async () => {
  await workshop.empty();
  await workshop.import('shelf', '{"code":"s"}\n{"code":"t"}');
});
afterAll(() => workshop.close());

const csv = { format: 'csv' } as const;

describe('an import of CSV', () => {
  it('converts the text of cells by the kind of the field; an empty cell is null', async () => {
    const text = [
      'code,title,pages,price,stars,sold,used,cover,blurb,edition,shelf',
      'a,007,12,-0.50,1e3,9007199254740993,TRUE,/x.png,"two\nlines, ""quoted""",FINAL,s',
      'b,,,,,,,,,,s',
    ];
    const { problems } = await workshop.import('book', text.join('\n'), csv);

    expect(problems).toEqual([]);
    const columns = 'code, title, pages, price::text, stars, sold::text, used, cover, blurb, edition';
    expect(await workshop.rows(`SELECT ${columns} FROM workshop_book ORDER BY id`)).toEqual([
      {
        code: 'a',
        title: '007',
        pages: 12,
        price: '-0.5000',
        stars: 1000,
        sold: '9007199254740993',
        used: true,
        cover: '/x.png',
        blurb: 'two\nlines, "quoted"',
        edition: 'FINAL',
      },
      {
        code: 'b',
        title: null,
        pages: null,
        price: null,
        stars: null,
        sold: null,
        used: null,
        cover: null,
        blurb: null,
        edition: 'DRAFT',
      },
    ]);
  });

  it('reads whole numbers as criteria do: with zeros or a plus before them, and without digits after the point', async () => {
    const { problems } = await workshop.import('book', 'code,pages,shelf\na,0005,s\nb,+5,s\nc,5.0,s\n', csv);
    expect(problems).toEqual([]);
    expect(await workshop.rows('SELECT DISTINCT pages FROM workshop_book')).toEqual([{ pages: 5 }]);
  });

  it.each([';', '\t'])('says which delimiter the file seems to have: %j', async (delimiter) => {
    const imported = workshop.import('book', ['code', 'shelf'].join(delimiter), csv);
    await expect(imported).rejects.toMatchObject({
      message: expect.stringContaining('one column only'),
      requestRemedy: expect.stringContaining(`delimiter=${delimiter === ';' ? ';' : 'tab'}`),
    });
  });

  it('names the line on which a row begins, however many lines rows have', async () => {
    const text = 'code,blurb,pages,shelf\na,"1\n2\n3",1,s\n\nb,x,many,s\nc,"\n",0,s\nd,x,1.5,s\n';
    const { problems } = await workshop.import('book', text, csv);

    expect(problems.map(({ line, path, code }) => [line, path, code])).toEqual([
      [6, 'pages', 'WRONG_TYPE'],
      [7, 'pages', 'OUT_OF_RANGE'],
      [9, 'pages', 'WRONG_TYPE'],
    ]);
  });

  it('reports rows of another length, and reads on', async () => {
    const { outcome, problems } = await workshop.import('shelf', 'code,label\na\nb,x,y\n,z\n', csv);

    expect(problems.map(({ line, code, message }) => [line, code, message])).toEqual([
      [2, 'SYNTAX', expect.stringMatching(/ 1 values, .* 2 columns/)],
      [3, 'SYNTAX', expect.stringMatching(/ 3 values, .* 2 columns/)],
      [4, 'REQUIRED', expect.stringContaining('code')],
    ]);
    expect(outcome).toMatchObject({ items: 3, badItems: 3, kept: false });
  });

  it.each([
    ['something behind a closing quote', 'c,"x"y', / closing quote;/],
    ['a quote within a value', 'c,x"y', / quote is within a value;/],
    ['a quote that is never closed', '"c,d', / never closed/],
  ])('reads up to %s', async (_what, row, reason) => {
    const { outcome, problems } = await workshop.import('shelf', `code,label\n,z\n${row}\n`, csv);

    expect(problems[0]).toMatchObject({ line: 2, code: 'REQUIRED' });
    expect(problems[1]).toMatchObject({
      code: 'SYNTAX',
      message: expect.stringMatching(reason),
    });
    expect(outcome).toMatchObject({ badItems: 2, kept: false });
  });

  it('reads other delimiters, Windows line ends and a byte order mark', async () => {
    const { problems } = await workshop.import('shelf', '\ufeffcode;label\r\nu;"a;b"\r\n', { ...csv, delimiter: ';' });

    expect(problems).toEqual([]);
    expect(await workshop.rows("SELECT label FROM workshop_shelf WHERE code = 'u'")).toEqual([{ label: 'a;b' }]);
  });

  it.each([
    ['a header that ends as on Windows, rows as on Unix', 'label,code\r\nx,u\ny,v\n'],
    ['a header that ends as on Unix, rows as on Windows', 'label,code\nx,u\r\ny,v\r\n'],
    ['all three line ends', 'label,code\rx,u\r\ny,v\n'],
  ])('takes no part of a line end for a value, with %s', async (_what, text) => {
    const { problems } = await workshop.import('shelf', text, csv);

    expect(problems).toEqual([]);
    expect(await workshop.rows("SELECT code, label FROM workshop_shelf WHERE code > 't' ORDER BY id")).toEqual([
      { code: 'u', label: 'x' },
      { code: 'v', label: 'y' },
    ]);
  });

  it.each(['', 'a'])('keeps every character of a long text that begins with "%s"', async (beginning) => {
    const blurb = beginning + '\u{1F33B}'.repeat(20_000);
    const { problems } = await workshop.import('book', `code,shelf,blurb\na,s,${blurb}\n`, csv);

    expect(problems).toEqual([]);
    const [row] = await workshop.rows('SELECT blurb FROM workshop_book');
    expect(row?.['blurb'] === blurb).toBe(true);
  });

  it('lets the process serve other requests all the time, also when every row is wrong', async () => {
    // Problems that are reported in one turn of the event loop.
    let [inTurn, most] = [0, 0];
    const onProblem = (): void => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn += 1;
      most = Math.max(most, inTurn);
    };

    const { outcome } = await workshop.import('shelf', `code,label\n${'a\n'.repeat(15_000)}`, { ...csv, onProblem });

    expect(outcome.badItems).toBe(15_000);
    expect(most).toBeLessThanOrEqual(1_000);
  });

  it('refuses a row of more than ten thousand values, unless the header names more', async () => {
    const cells = (count: number): string => ','.repeat(count - 1);
    const { outcome, problems } = await workshop.import(
      'shelf',
      `code,label\nu,"${cells(20_000)}"\n${cells(10_000)}\n`,
      csv,
    );
    expect(outcome).toMatchObject({ created: 0, badItems: 2 });
    expect(problems.map(({ line, path, code }) => [line, path, code])).toEqual([
      [2, 'label', 'TOO_LONG'],
      [3, '', 'SYNTAX'],
    ]);

    await expect(workshop.import('shelf', `code,label\nv,"\n"\n${cells(10_001)}\n`, csv)).rejects.toMatchObject({
      message: expect.stringMatching(/ line 4 .* 10,000 values/),
      remedy: expect.stringContaining('delimiter'),
    });

    const columns = ['code', ...Array.from({ length: 11_000 }, (_column, index) => `c${index}`)];
    const wide = await workshop.import('shelf', `${columns.join(',')}\nw${cells(11_001)}\n`, {
      ...csv,
      ignoreUnknown: true,
    });
    expect(wide.outcome).toMatchObject({ created: 1, badItems: 0 });
  });

  it('says how to convert a file in UTF-16', async () => {
    const bytes = Readable.from([Buffer.from('\ufeffcode,label\nu,x\n', 'utf16le')]);

    await expect(workshop.importBytes('shelf', bytes, csv)).rejects.toMatchObject({
      message: expect.stringMatching(/UTF-16.* UTF-8/),
      remedy: expect.stringContaining('iconv -f UTF-16 -t UTF-8'),
    });
  });

  it('names the first of very many columns, and the beginning of a long one', async () => {
    const columns = ['x'.repeat(300_000), ...Array.from({ length: 20_000 }, (_column, index) => `c${index}`)];
    const refused = workshop.import('shelf', `${columns.join(',')}\n`, csv).then(String, String);

    // Not the whole text, which a failure would show.
    const text = await refused;
    expect(text.slice(0, 300)).toContain('…, c0, c1, c2, c3, c4, c5, c6, c7, c8 and 19,991 more.');
    expect(text.length).toBeLessThan(300);
  });

  it.each([
    ['a column that is no field', 'code,colour\n', {}, /^Shelf .* column colour\.$/],
    ['a required field without a column', 'label\n', {}, / no column for code, .*Shelf/],
    ['a column that is mapped but not there', 'code\n', { map: new Map([['Name', 'label']]) }, / no column Name\./],
    ['two columns for one field', 'code,Name\n', { map: new Map([['Name', 'code']]) }, /^Two columns .* code\.$/],
    ['a column that is named twice', 'code,code\n', {}, / column code twice/],
    ['a column without a name', 'code,\n', {}, /^Column 2 /],
    ['no header at all', '', {}, / no header line/],
  ])('refuses %s', async (_what, text, options, named) => {
    await expect(workshop.import('shelf', text, { ...csv, ...options })).rejects.toMatchObject({
      name: 'TransferError',
      message: expect.stringMatching(named),
      remedy: expect.stringMatching(/\.$/),
    });
  });

  it('leaves columns out that are no field when asked to', async () => {
    const { outcome } = await workshop.import('shelf', 'code,__proto__,colour\nu,x,red\n', {
      ...csv,
      ignoreUnknown: true,
    });

    expect(outcome).toMatchObject({ created: 1, kept: true });
  });
});

describe('an import of one JSON array', () => {
  const json = { format: 'json' } as const;

  it('reads the elements one by one, with the lines on which they begin', async () => {
    const text = '[\n  {"code": "u",\n   "label": "[{,\\"]"},\n  {"label": "x"},\n 7,\n\n {"code":"v"}\n]\n';
    const { problems } = await workshop.import('shelf', text, json);

    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [4, 'REQUIRED'],
      [5, 'SYNTAX'],
    ]);
  });

  it.each([
    ['an object', '{"code":"u"}', /not a JSON array/],
    ['nothing', ' \n', /not a JSON array/],
    ['an array that is cut off', '[{"code":"u"},\n{"co', / line 2 .*array/],
    ['something behind the array', '[]\n{"code":"u"}', / end of the array/],
  ])('refuses %s', async (_what, text, named) => {
    const message = expect.stringMatching(named);
    await expect(workshop.import('shelf', text, json)).rejects.toMatchObject({ name: 'TransferError', message });
  });

  it('reports a comma too many, and reads on', async () => {
    const { outcome, problems } = await workshop.import('shelf', '[{"code":"u"},,{"code":"v"},]', json);

    expect(problems).toMatchObject([
      { line: 1, code: 'SYNTAX' },
      { line: 1, code: 'SYNTAX' },
    ]);
    expect(outcome.items).toBe(4);
  });

  it('takes an empty array for no items', async () => {
    expect((await workshop.import('shelf', '[ ]', json)).outcome).toMatchObject({ items: 0, kept: true });
  });
});
