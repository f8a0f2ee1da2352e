import { Readable } from 'node:stream';
import { eventually } from '../../../../test/support/eventually';
import { openWorkshop, type Workshop } from './support/workshop';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
beforeEach(() => workshop.empty());
afterAll(() => workshop.close());

const counts = () => workshop.rows('SELECT count(*)::int AS n FROM workshop_shelf');

describe('an import of JSON lines', () => {
  it('creates an item from every line', async () => {
    const { outcome, problems } = await workshop.import('shelf', '{"code":"a","label":"First"}\n\n{"code":"b"}\n');

    expect(problems).toEqual([]);
    expect(outcome).toEqual({ items: 2, created: 2, updated: 0, unchanged: 0, badItems: 0, problems: 0, kept: true });
    expect(await workshop.rows('SELECT code, label, version FROM workshop_shelf ORDER BY id')).toEqual([
      { code: 'a', label: 'First', version: 1 },
      { code: 'b', label: null, version: 1 },
    ]);
  });

  it('names every bad line with its number, field and reason, in the order of the file, and writes nothing', async () => {
    const lines = [
      '{"code":"a"}',
      'oops',
      '{"label":"x"}',
      '[1]',
      '{"code":true}',
      '{"code":"a"}',
      '{"code":"c","colour":"red"}',
    ];
    const { outcome, problems } = await workshop.import('shelf', lines.join('\n'));

    expect(problems.map(({ line, path, code }) => [line, path, code])).toEqual([
      [2, '', 'SYNTAX'],
      [3, 'code', 'REQUIRED'],
      [4, '', 'SYNTAX'],
      [5, 'code', 'WRONG_TYPE'],
      [6, 'code', 'NOT_UNIQUE'],
      [7, 'colour', 'UNKNOWN_FIELD'],
    ]);
    expect(problems[4]?.message).toMatch(/ line 1$/);
    expect(outcome).toMatchObject({ items: 7, badItems: 6, problems: 6, kept: false });
    expect(await counts()).toEqual([{ n: 0 }]);
  });

  it('finds values that an item in the database has already', async () => {
    await workshop.import('shelf', '{"code":"a"}');
    const { problems } = await workshop.import('shelf', '{"code":"b"}\n{"code":"a"}');

    expect(problems).toEqual([
      {
        line: 2,
        path: 'code',
        code: 'NOT_UNIQUE',
        message: expect.stringMatching(/ item 1$/),
        value: 'a',
      },
    ]);
    expect(await counts()).toEqual([{ n: 1 }]);
  });

  it('checks all and writes nothing in a dry run', async () => {
    const { outcome } = await workshop.import('shelf', '{"code":"a"}\n{"code":"b"}', { dryRun: true });

    expect(outcome).toMatchObject({ created: 2, problems: 0, kept: false });
    expect(await counts()).toEqual([{ n: 0 }]);
  });

  it('reads lines and characters that are cut anywhere by the chunks they come in', async () => {
    const bytes = Buffer.from('{"code":"a","label":"Grün € 𝄞"}\r\n{"code":"b","label":"ё"}');
    const single = Array.from(bytes, (byte) => Buffer.from([byte]));
    const { problems } = await workshop.importBytes('shelf', Readable.from(single));

    expect(problems).toEqual([]);
    expect(await workshop.rows('SELECT label FROM workshop_shelf ORDER BY id')).toEqual([
      { label: 'Grün € 𝄞' },
      { label: 'ё' },
    ]);
  });

  it('names the line of bytes that are not UTF-8', async () => {
    const bytes = [
      Buffer.from('{"code":"a"}\n{"code":"b"}\n{"label":"Gr'),
      Buffer.from([0xfc, 0x6e]),
      Buffer.from('"}'),
    ];
    const failed = workshop.importBytes('shelf', Readable.from(bytes));

    await expect(failed).rejects.toMatchObject({
      name: 'TransferError',
      message: expect.stringMatching(/^Line 3 .*UTF-8/),
    });
    expect(await counts()).toEqual([{ n: 0 }]);
  });

  it('keeps every digit of numbers', async () => {
    await workshop.import('shelf', '{"code":"s"}');
    const book = '{"code":"b","shelf":"s","price":123456789012345.6789,"sold":9007199254740993,"stars":0.1}';
    const { problems } = await workshop.import('book', book);

    expect(problems).toEqual([]);
    expect(await workshop.rows('SELECT price::text, sold::text, stars FROM workshop_book')).toEqual([
      { price: '123456789012345.6789', sold: '9007199254740993', stars: 0.1 },
    ]);
  });

  it('takes a number for a text field as its digits, as programs that guess types write them', async () => {
    await workshop.import('shelf', '{"code":1984}');

    expect(await workshop.rows('SELECT code FROM workshop_shelf')).toEqual([{ code: '1984' }]);
  });

  it('brings keys to fields of another name, sets the same value for all, and leaves out what is no field when asked to', async () => {
    const { problems } = await workshop.import('shelf', '{"Name":"a","Colour":"red"}', {
      map: new Map([['Name', 'code']]),
      set: new Map([['label', 'same']]),
      ignoreUnknown: true,
    });

    expect(problems).toEqual([]);
    expect(await workshop.rows('SELECT code, label FROM workshop_shelf')).toEqual([{ code: 'a', label: 'same' }]);
  });

  it('takes no line that would fill the memory', async () => {
    const { problems } = await workshop.import(
      'shelf',
      `{"code":"a","label":[${'1,'.repeat(100_000)}1]}\n{"code":"b"}`,
    );

    expect(problems).toEqual([
      { line: 1, path: '', code: 'SYNTAX', message: expect.stringContaining(' 50,000 values') },
    ]);
  });

  it.each([
    ['jsonl', '{"code":"a"}\n{"code":"b","label":"LONG"}\n{"code":"c"}\n', /^Line 2 .* 1048576 bytes/],
    ['jsonl', '{"code":"a"}\n{"code":"b","label":"LONG"}', /^Line 2 .* 1048576 bytes/],
    ['json', '[{"code":"a"},\n\n{"code":"b","label":"LONG"},{"code":"c"}]', / line 3 .* 1048576 bytes/],
  ] as const)('refuses an item of more than 1 MiB with its line, in %s', async (format, text, named) => {
    // Bytes count: each of these has two.
    const failed = workshop.import('shelf', text.replace('LONG', 'é'.repeat(512 * 1024)), { format });

    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(named),
      remedy: expect.stringMatching(/ GANTRY_IMPORT_LINE_LIMIT, .* 16777216\.$/),
    });
  });

  it('refuses a row of more than 1 MiB with its line, in csv', async () => {
    const text = `code,label\na,x\nb,${'é'.repeat(513 * 1024)}\n`;
    const { problems } = await workshop.import('shelf', text, { format: 'csv' });

    expect(problems).toEqual([
      {
        line: 3,
        path: '',
        code: 'SYNTAX',
        message: expect.stringContaining(' 1048576 bytes') as string,
      },
    ]);
  });

  it('names the first hundred of very many unknown keys, and how many more there are', async () => {
    const keys = Array.from({ length: 150 }, (_key, index) => `"k${index}":1`);
    const { problems } = await workshop.import('shelf', `{"code":"a",${keys.join(',')}}`);

    expect(problems).toHaveLength(101);
    expect(problems[100]).toMatchObject({ path: '', message: expect.stringMatching(/ 50 .*Shelf/) });
  });

  it('refuses two keys for one field', async () => {
    const { problems } = await workshop.import('shelf', '{"Name":"a","code":"b"}', {
      map: new Map([['Name', 'code']]),
    });

    expect(problems).toMatchObject([{ line: 1, path: 'code', code: 'DUPLICATE' }]);
  });

  it('refuses a mapping to a field that there is none of', async () => {
    const failed = workshop.import('shelf', '{}', { map: new Map([['Name', 'cod']]) });

    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/ cod\.$/),
      remedy: expect.stringContaining('code, label'),
    });
  });

  it('refuses a type that only its plugin writes', async () => {
    await expect(workshop.import('locked', '{}')).rejects.toMatchObject({
      name: 'TransferError',
      message: expect.stringMatching(/^Locked is read-only.* workshop /),
    });
  });

  it('ends with nothing written when it is interrupted', async () => {
    const controller = new AbortController();
    async function* lines() {
      for (let index = 0; index < 5000; index += 1) yield Buffer.from(`{"code":"c${index}"}\n`);
      controller.abort(new Error('interrupted'));
      yield Buffer.from('{"code":"last"}\n');
    }

    await expect(workshop.importBytes('shelf', lines(), { signal: controller.signal })).rejects.toThrow('interrupted');
    expect(await counts()).toEqual([{ n: 0 }]);
  });

  it('reports what only the database refuses with the line that is at fault, and continues', async () => {
    await workshop.rows("ALTER TABLE workshop_shelf ADD CONSTRAINT house_rule CHECK (code <> 'bad')");
    try {
      const { problems } = await workshop.import('shelf', '{"code":"a"}\n{"code":"bad"}\n{"code":"c"}\n{"label":"x"}');

      expect(problems.map(({ line }) => line)).toEqual([2, 4]);
    } finally {
      await workshop.rows('ALTER TABLE workshop_shelf DROP CONSTRAINT house_rule');
    }
  });
});

describe('an import into a type with hooks and validators', () => {
  it('gives its hooks the ids of items as text', async () => {
    await workshop.import('guarded', '{"code":"type of id"}');
    const change = '{"code":"type of id","mail":"b@example.org"}';
    const { problems } = await workshop.import('guarded', change, { match: ['code'] });

    expect(problems).toEqual([]);
    expect(await workshop.rows('SELECT code FROM workshop_guarded')).toEqual([{ code: 'string' }]);
  });

  it('runs them for every item and reports what they refuse', async () => {
    const lines = ['{"code":"upper"}', '{"code":"forbidden"}', '{"code":"x","mail":"nowhere"}', '{"code":"UPPER"}'];
    const { problems } = await workshop.import('guarded', lines.join('\n'));

    expect(problems).toMatchObject([
      { line: 2, message: 'this code is forbidden by the house rules' },
      { line: 3, message: 'mail must be an address' },
      { line: 4, path: 'code', code: 'NOT_UNIQUE' },
    ]);
  });

  it('runs them for items that are changed', async () => {
    await workshop.import('guarded', '{"code":"a"}\n{"code":"b","mail":"b@example.org"}');
    const changes = '{"code":"a","mail":"a@example.org"}\n{"code":"b","mail":"b@example.org"}';
    const { outcome } = await workshop.import('guarded', changes, { match: ['code'] });

    expect(outcome).toMatchObject({ created: 0, updated: 1, unchanged: 1, kept: true });
    expect(await workshop.rows('SELECT code, mail, version FROM workshop_guarded ORDER BY code')).toEqual([
      { code: 'a', mail: 'a@example.org', version: 2 },
      { code: 'b', mail: 'b@example.org', version: 1 },
    ]);
  });
});

describe('an import at the same time as other writers', () => {
  it('lets go when it is interrupted while it waits for them', async () => {
    const controller = new AbortController();
    let release: (() => void) | undefined;
    const holding = workshop.hold(
      "INSERT INTO workshop_shelf (code) VALUES ('taken')",
      () => new Promise((resolve) => (release = resolve)),
    );
    await eventually(async () => release !== undefined);
    const importing = workshop.import('shelf', '{"code":"taken"}', { signal: controller.signal });
    const refused = expect(importing).rejects.toThrow('interrupted');
    await eventually(async () => (await workshop.rows(waitingImports)).length > 0);

    controller.abort(new Error('interrupted'));

    await refused;
    release?.();
    await holding;
    expect(await counts()).toEqual([{ n: 1 }]);
  });
});

const waitingImports =
  "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO \"workshop_shelf\"%'";
