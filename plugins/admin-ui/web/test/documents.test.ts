import { documentText, parseDocument } from '../src/api/platform/document';
import { itemLabel } from '../src/api/label';
import { isEditable } from '../src/content/document/known-parts';
import { withoutAttributes } from '../src/content/document/markdown/pasted-html';
import { safeAddress } from '../src/content/document/links/safe-address';
import { findJsonProblem, formattedJson } from '../src/content/json/json-text';

const paragraph = (...texts: readonly string[]) => ({
  type: 'paragraph',
  content: texts.map((text) => ({ type: 'text', text })),
});
const doc = (...content: readonly object[]) => ({ type: 'doc', content });

describe('the text of a document', () => {
  it('has a line for each block and line break', () => {
    const list = { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('b', 'c')] }] };
    const broken = { type: 'paragraph', content: [{ type: 'text', text: 'd' }, { type: 'hardBreak' }] };
    const document = doc(paragraph('a'), list, { type: 'horizontalRule' }, broken);
    expect([documentText(document), documentText(JSON.stringify(document))]).toEqual(['a\nbc\nd\n', 'a\nbc\nd\n']);
  });

  it('ends soon where no more is shown', () => {
    expect(documentText(doc(...Array.from({ length: 1_000 }, () => paragraph('abcdefghi'))), 25)).toHaveLength(29);
  });

  it.each([null, undefined, 7, {}, [], { type: 'paragraph' }])('is empty for %j', (value) => {
    expect(documentText(value)).toBe('');
  });

  it('is what was typed for a text that is no document', () => {
    expect(documentText('{"type"')).toBe('{"type"');
    expect(parseDocument('"a"')).toBeUndefined();
  });
});

it('an item is named by the text of a document, not by its JSON', () => {
  expect(itemLabel({ id: '7', values: { subtitle: doc(paragraph('a'), paragraph('b')), code: '{"type":"doc"' } })).toBe(
    'a b',
  );
  expect(itemLabel({ id: '7', values: { title: doc({ type: 'paragraph' }), code: '{"type":"doc"}' } })).toBe(
    '{"type":"doc"}',
  );
});

it.each([
  [doc(paragraph('a')), true],
  [doc({ type: 'table' }), false],
  [doc({ type: 'paragraph', content: [{ type: 'text', text: 'a', marks: [{ type: 'blink' }] }] }), false],
])('a document is edited only where the editor keeps all of it: %j', (document, expected) => {
  expect(isEditable(parseDocument(document))).toBe(expected);
});

it.each([
  ['https://example.org/a', true],
  ['mailto:ada@example.org', true],
  ['JavaScript:alert(1)', false],
  ['java\nscript:alert(1)', false],
  ['\u0001https://example.org', false],
  ['//example.org', false],
  ['/path', false],
  [undefined, false],
])('%j may be followed: %s', (address, expected) => {
  expect(safeAddress(address) === address && address !== undefined).toBe(expected);
});

it.each([
  ['<p style="a>b" class=x>a<!-- <b> --></p>', '<p>a</p>'],
  [`<a title='>' HREF="https://example.org/" onclick=x()>b</a>`, '<a HREF="https://example.org/">b</a>'],
  ['<ol start=3><li data-x>1 < 2</li></ol><br/>', '<ol start=3><li>1 < 2</li></ol><br>'],
  ['<div data-pm-slice="1 1 []">c</div>', '<div data-pm-slice="1 1 []">c</div>'],
])('of pasted HTML %s is left %s', (html, expected) => {
  expect(withoutAttributes(html)).toBe(expected);
});

describe('the text of JSON', () => {
  it.each([
    ['{"a":1}', undefined],
    ['{"a":1,}', [1, 8]],
    ['{\n  "a": [1,, 2]\n}', [2, 11]],
    ['{\n  "a": 1\n', [3, 1]],
    ['{"a":1,"a":2}', [1, 9]],
    ['[1] x', [1, 5]],
    ['[01]', [1, 3]],
    ['', [1, 1]],
  ])('%j has a problem at %j', (text, expected) => {
    const problem = findJsonProblem(text);
    expect(problem && [problem.line, problem.column]).toEqual(expected);
  });

  it('keeps every digit where it is formatted', () => {
    expect(formattedJson('{"a":[1.0,12345678901234567890]}')).toBe(
      '{\n  "a": [\n    1.0,\n    12345678901234567890\n  ]\n}',
    );
    expect(formattedJson('{"a"')).toBe('{"a"');
  });
});
