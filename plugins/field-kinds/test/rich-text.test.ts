import type { KindField, ParsedValue } from '@gantry/plugin-api';
import { richTextKind } from '@gantry/plugin-field-kinds';
import { Client } from 'pg';

const field: KindField = {
  name: 'story',
  displayName: 'Story',
  type: 'field-kinds.RichText',
  column: 'story',
  columnType: 'JSONB',
  required: false,
  searchable: true,
  editableOnUpdate: true,
  placeholder: '',
};
const kind = richTextKind.of('field-kinds');

const doc = (...content: readonly unknown[]) => ({ type: 'doc', content });
const text = (value: string, ...marks: readonly unknown[]) => ({
  type: 'text',
  text: value,
  ...(marks.length === 0 ? {} : { marks }),
});
const paragraph = (...content: readonly unknown[]) => ({ type: 'paragraph', content });
const item = (...content: readonly unknown[]) => ({ type: 'listItem', content });
const link = (href: unknown) => doc(paragraph(text('here', { type: 'link', attrs: { href } })));

const parse = (value: unknown, own: Partial<KindField> = {}): ParsedValue => kind.parse(value, { ...field, ...own });
const stored = (value: unknown): { readonly doc: unknown; readonly text: string } => {
  const result = parse(value);
  if (!result.ok) throw new Error(result.message);
  return JSON.parse(String(result.value)) as { doc: unknown; text: string };
};
/** Path and code of each problem. */
const problems = (value: unknown, own?: Partial<KindField>): readonly string[] => {
  const result = parse(value, own);
  if (result.ok) return [];
  return (result.problems ?? [{ path: '', ...result }]).map(({ path, code }) => `${path} ${code}`.trim());
};

const everything = doc(
  { type: 'heading', attrs: { level: 2 }, content: [text('A '), text('tale', { type: 'bold' }, { type: 'italic' })] },
  paragraph(text('First'), { type: 'hardBreak' }, text('sec', { type: 'underline' }), text('ond', { type: 'strike' })),
  { type: 'bulletList', content: [item(paragraph(text('one'))), item({ type: 'paragraph' })] },
  {
    type: 'orderedList',
    attrs: { start: 3 },
    content: [item(paragraph(text('three')), { type: 'blockquote', content: [paragraph(text('said'))] })],
  },
  { type: 'codeBlock', content: [text('<script>alert(1)</script>\n\tif')] },
  { type: 'horizontalRule' },
  paragraph(text('x()', { type: 'code' }), text('mail', { type: 'link', attrs: { href: 'MAILTO:ada@example.org' } })),
);

describe('a structured document', () => {
  it('is stored as it was sent, with its text beside it', () => {
    expect(stored(everything)).toEqual({
      doc: everything,
      text: 'A tale\nFirst\nsecond\none\nthree\nsaid\n<script>alert(1)</script>\n\tif\nx()mail',
    });
  });

  it('is the same JSON in rows, files and the history', () => {
    const value = JSON.stringify({ text: 'a', doc: doc(paragraph(text('a'))) });
    const document = JSON.stringify(doc(paragraph(text('a'))));
    expect([kind.toCell(value), kind.toFileJson(value)]).toEqual([document, document]);
    expect(kind.fromHistory(JSON.parse(value))).toEqual(JSON.parse(document));
    expect(kind.fromCell(document)).toMatchObject({ type: 'doc' });
    expect(kind.fromCell('<p>a</p>')).toBe('<p>a</p>');
  });

  it.each([
    ['<p>a</p>', 'WRONG_TYPE'],
    [7, 'WRONG_TYPE'],
    [[], 'WRONG_TYPE'],
    [{ html: '<p>a</p>' }, '.type NOT_AN_OPTION'],
    [{ type: 'paragraph' }, '.type NOT_AN_OPTION'],
    [{ type: 'doc' }, '.content WRONG_TYPE'],
    [doc(), '.content WRONG_TYPE'],
    [doc('a'), '.content[0] WRONG_TYPE'],
    [doc(null), '.content[0] WRONG_TYPE'],
    [doc(text('a')), '.content[0].type NOT_AN_OPTION'],
    [doc({ type: 'script', content: [text('a')] }), '.content[0].type NOT_AN_OPTION'],
    [doc({ type: 'constructor' }), '.content[0].type NOT_AN_OPTION'],
    [doc({ ...paragraph(), attrs: { onclick: 'x()' } }), '.content[0].attrs UNKNOWN_FIELD'],
    [{ ...doc(paragraph()), html: '' }, '.html UNKNOWN_FIELD'],
    [
      JSON.parse('{"type":"doc","content":[{"type":"paragraph","__proto__":1}]}'),
      '.content[0].__proto__ UNKNOWN_FIELD',
    ],
    [doc(paragraph(text(''))), '.content[0].content[0].text WRONG_TYPE'],
    [doc(paragraph({ type: 'text', text: 1 })), '.content[0].content[0].text WRONG_TYPE'],
    [doc(paragraph(text('a\u0000'))), '.content[0].content[0].text CHARACTER'],
    [doc(paragraph(text('a\u0007'))), '.content[0].content[0].text CHARACTER'],
    [doc(paragraph(text('\ud800'))), '.content[0].content[0].text CHARACTER'],
    [doc(paragraph(paragraph())), '.content[0].content[0].type NOT_AN_OPTION'],
    [doc({ type: 'heading' }), '.content[0].attrs WRONG_TYPE'],
    [doc({ type: 'heading', attrs: { level: 5 } }), '.content[0].attrs.level NOT_AN_OPTION'],
    [doc({ type: 'heading', attrs: { level: '1' } }), '.content[0].attrs.level NOT_AN_OPTION'],
    [doc({ type: 'heading', attrs: { level: NaN } }), '.content[0].attrs.level NOT_AN_OPTION'],
    [doc({ type: 'heading', attrs: { level: 1, id: 'x' } }), '.content[0].attrs.id UNKNOWN_FIELD'],
    [doc({ type: 'bulletList', content: [] }), '.content[0].content WRONG_TYPE'],
    [doc({ type: 'bulletList', content: [paragraph()] }), '.content[0].content[0].type NOT_AN_OPTION'],
    [
      doc({ type: 'bulletList', content: [item({ type: 'horizontalRule' })] }),
      '.content[0].content[0].content[0].type NOT_AN_OPTION',
    ],
    [
      doc({ type: 'orderedList', attrs: { start: -1 }, content: [item(paragraph())] }),
      '.content[0].attrs.start OUT_OF_RANGE',
    ],
    [doc({ type: 'codeBlock', content: [text('a', { type: 'bold' })] }), '.content[0].content[0].marks UNKNOWN_FIELD'],
    [doc({ type: 'horizontalRule', content: [] }), '.content[0].content UNKNOWN_FIELD'],
    [doc(paragraph(text('a', 'bold'))), '.content[0].content[0].marks[0].type NOT_AN_OPTION'],
    [doc(paragraph(text('a', { type: 'blink' }))), '.content[0].content[0].marks[0].type NOT_AN_OPTION'],
    [doc(paragraph(text('a', { type: 'bold' }, { type: 'bold' }))), '.content[0].content[0].marks[1] DUPLICATE'],
    [doc(paragraph(text('a', { type: 'bold' }, { type: 'code' }))), '.content[0].content[0].marks NOT_AN_OPTION'],
    [doc(paragraph(text('a', { type: 'bold', attrs: {} }))), '.content[0].content[0].marks[0].attrs UNKNOWN_FIELD'],
    [doc(paragraph(text('a', { type: 'link' }))), '.content[0].content[0].marks[0].attrs WRONG_TYPE'],
  ])('%j is refused at %s', (value, expected) => {
    expect(problems(value)).toEqual([expected]);
  });

  it.each(['http://example.org', 'HTTPS://example.org/?q=1#a', 'mailto:ada@example.org?subject=Hi'])(
    'has a link to %s',
    (href) => {
      expect(stored(link(href)).doc).toEqual(link(href));
    },
  );

  it.each([
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      ' javascript:x',
    ],
    ...['data:text/html,x', 'vbscript:x', '//example.org', '/path', 'https:example.org', 'https://a b.example.org'],
    ...['https://user:secret@example.org', 'https://\u202eexample.org', 'mailto:', 'file:///etc/passwd', '', 7, null],
  ])('has no link to %j', (href) => {
    expect(problems(link(href))[0]).toMatch(/^\.content\[0\]\.content\[0\]\.marks\[0\]\.attrs\.href /);
  });

  it('is as deep and as long as it may be, and no more', () => {
    const nested = (levels: number): unknown =>
      levels === 0 ? paragraph(text('a')) : { type: 'blockquote', content: [nested(levels - 1)] };
    expect(problems(doc(nested(21)))).toEqual([]);
    expect(problems(doc(nested(22)))[0]).toMatch(/OUT_OF_RANGE$/);
    expect(problems(doc(nested(1_000)))[0]).toMatch(/OUT_OF_RANGE$/);
    expect(problems(doc(paragraph(text('x'.repeat(999_000)))))).toEqual([]);
    expect(problems(doc(paragraph(text('x'.repeat(1_000_000)))))).toEqual(['TOO_LONG']);
    expect(problems(doc(paragraph(text('日'.repeat(400_000)))))).toEqual(['TOO_LONG']);
    expect(problems(doc(...Array.from({ length: 10_000 }, () => 1)))).toHaveLength(50);
  });

  it('has text where it is required', () => {
    const required = { required: true };
    expect(problems(doc({ type: 'paragraph' }), required)).toEqual(['REQUIRED']);
    expect(problems(doc(paragraph(text('  '))), required)).toEqual(['REQUIRED']);
    expect(problems(doc({ type: 'horizontalRule' }), required)).toEqual([]);
    expect(problems(doc({ type: 'paragraph' }))).toEqual([]);
  });

  it('has only what its field declares', () => {
    const settings = { nodes: ['heading'], marks: ['bold'], headingLevels: [2] };
    expect(kind.formMembers({ ...field, settings })).toEqual({
      valueType: 'object',
      document: { nodes: ['paragraph', 'heading'], marks: ['bold'], headingLevels: [2] },
    });
    expect(problems(doc({ type: 'heading', attrs: { level: 2 } }), { settings })).toEqual([]);
    expect(
      problems(
        doc({ type: 'heading', attrs: { level: 1 } }, { type: 'codeBlock' }, paragraph(text('a', { type: 'italic' }))),
        { settings },
      ),
    ).toEqual([
      '.content[0].attrs.level NOT_AN_OPTION',
      '.content[1].type NOT_AN_OPTION',
      '.content[2].content[0].marks[0].type NOT_AN_OPTION',
    ]);
  });

  it.each([
    [{ nodes: ['script'] }, / nodes .* heading/],
    [{ nodes: ['heading', 'heading'] }, / nodes /],
    [{ marks: 'bold' }, / marks .* bold/],
    [{ headingLevels: [0] }, / headingLevels .* 1, 2, 3, 4/],
    [{ other: 1 }, / setting other/],
  ])('is not declared with %j', (settings, expected) => {
    expect(richTextKind.checkSettings(settings)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('the migration of a text that becomes a document', () => {
  const client = new Client({ connectionString: process.env['GANTRY_TEST_DATABASE_URL'] });
  beforeAll(() => client.connect());
  afterAll(() => client.end());

  it.each([
    ['one line', doc(paragraph(text('one line')))],
    ['a\r\n\n"b\\n\'\n', doc(paragraph(text('a')), { type: 'paragraph' }, paragraph(text('"b\\n\'')))],
    [
      '\n,"content":[{"type":"text","text":""}]',
      doc({ type: 'paragraph' }, paragraph(text(',"content":[{"type":"text","text":""}]'))),
    ],
    ['cafe\u0301\tü', doc(paragraph(text('cafe\u0301\tü')))],
    [' \n ', null],
    ['', null],
  ])('%j gives what the platform would store', async (value, expected) => {
    const sql = richTextKind.takeOver('v.text', 'text') ?? '';
    const { rows } = await client.query<{ found: unknown }>(`SELECT ${sql} AS found FROM (VALUES ($1)) v (text)`, [
      value,
    ]);
    expect(rows[0]?.found).toEqual(expected === null ? null : stored(expected));
  });

  it('is none for a number', () => {
    expect(richTextKind.takeOver('v', 'bigint')).toBeUndefined();
  });
});
