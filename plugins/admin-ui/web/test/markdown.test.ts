import { extensionsFor } from '../src/content/document/document-extensions';
import { formatOf } from '../src/content/document/markdown/document-format';
import { rulesOf } from '../src/content/document/document-frame';
import { markdownDocument } from '../src/content/document/markdown/markdown-document';

const field = {
  name: 'body',
  displayName: 'Body',
  type: 'TEXT',
  required: false,
  editableOnUpdate: true,
  placeholder: '',
  format: 'markdown',
} as const;
const format = formatOf(field, extensionsFor(rulesOf(field), undefined));
const rewritten = (text: string): string => format.write(format.read(text) ?? { type: 'doc' });

describe('the editor of Markdown', () => {
  it.each([
    'Plain text, with a line\nbreak, Q & A, 5_000, a < b, a > b, 2 * 3 and [x].',
    'See https://example.org/a_b or [this](https://example.org).',
    '# One\n\n## Two\n\nText **bold** *italic* ~~gone~~ `code`.',
    '- one\n- two\n  - inside\n\n1. first\n2. second',
    '> quoted\n>\n> twice\n\n```\ncode &amp; <b>\n```\n\n---',
  ])('gives back a text that it did not change: %j', (text) => {
    expect(format.keeps(text)).toBe(true);
    expect(rewritten(text)).toBe(text);
  });

  it('takes other ways to write the same', () => {
    for (const text of ['* one\n* two', 'one\r\n\r\n\r\ntwo\r\n', '']) expect(format.keeps(text)).toBe(true);
  });

  it.each([
    'a <b>b</b>',
    '<!-- note -->',
    '![drawing](a.png)',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
    '- [ ] to do',
    'Title\n=====',
  ])('leaves a text that it cannot show in full to be edited as text: %j', (text) => {
    expect(format.keeps(text)).toBe(false);
  });

  it('writes no text for a document of empty paragraphs', () => {
    expect(format.write({ type: 'doc', content: [{ type: 'paragraph' }, { type: 'paragraph', content: [] }] })).toBe(
      '',
    );
  });
});

describe('a text in Markdown', () => {
  it('is read as the document that the editor makes of it', () => {
    const text = '## Two\n\nA **b *c*** `d` [e](https://example.org) ~~f~~\n\n- g\n  - h\n\n3. i\n\n> j\n\n---';
    expect(markdownDocument(text)).toMatchObject({ type: 'doc', content: withoutNull(format.read(text)?.content) });
  });

  it('has what is no part of a document as text', () => {
    expect(markdownDocument('a <b>b</b> ![c](d.png) &amp;')).toEqual({
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          content: ['a ', '<b>', 'b', '</b>', ' ', '![c](d.png)', ' &'].map((text) => ({
            type: 'text',
            text,
            marks: [],
          })),
        },
      ],
    });
  });
});

/** Without attributes that the editor has in addition. */
function withoutNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => part ?? undefined);
}
