import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** All values of the look are in tokens.css: every other file names them. */
const source = join(__dirname, '../src');
const files = readdirSync(source, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const styles = files.filter((file) => file.endsWith('.css') && !file.endsWith('tokens.css'));
const components = files.filter((file) => file.endsWith('.tsx'));

interface Rule {
  readonly what: string;
  readonly property: RegExp;
  /** Values that the property must not contain. */
  readonly refused: RegExp;
}

const anyLength = /(?<![\w-])\d*\.?\d+(?:px|rem)\b/;
const rules: readonly Rule[] = [
  {
    what: 'colour',
    property: /^[\w-]+$/,
    refused:
      /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|light-dark)\(|--mantine-color-|(?<![\w-])(?:white|black|red|gray)(?![\w-])/i,
  },
  { what: 'radius', property: /^border(-[a-z-]+)?-radius$/, refused: /\d%|\d(?:px|rem)/ },
  { what: 'shadow', property: /^box-shadow$/, refused: /(?<![\w-])(?:[4-9]|\d{2,})px/ },
  { what: 'font size', property: /^font(-size)?$/, refused: anyLength },
  { what: 'font weight', property: /^font-weight$/, refused: /^\d+$/ },
  // A line of one pixel is a line, and what is wider than 99 is a column.
  {
    what: 'spacing',
    property: /^(padding|margin|gap|row-gap|column-gap)(-[a-z-]+)?$/,
    refused: /(?<![\w.-])(?!1px)\d{1,2}px/,
  },
  { what: 'duration', property: /^transition(-duration)?$/, refused: /\d+m?s\b/ },
];

/** The declarations of a style sheet with their lines, without comments. */
function declarationsOf(
  text: string,
): readonly { readonly line: number; readonly property: string; readonly value: string }[] {
  const plain = text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  return [...plain.matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+);/g)].map((match) => ({
    line: plain.slice(0, match.index).split('\n').length,
    property: match[1] ?? '',
    value: match[2] ?? '',
  }));
}

function problemsOf(name: string, text: string): readonly string[] {
  return declarationsOf(text).flatMap(({ line, property, value }) =>
    rules
      .filter((rule) => rule.property.test(property) && rule.refused.test(value))
      .map(({ what }) => `${name}:${line} ${property}: ${value} (${what}: name a token of tokens.css)`),
  );
}

describe('values of the look', () => {
  it.each([
    ['a { color: #fff; }', 'colour'],
    ['a { background: rgb(0 0 0 / 50%); }', 'colour'],
    ['a { border: 1px solid var(--mantine-color-gray-3); }', 'colour'],
    ['a { border-radius: 8px; }', 'radius'],
    ['a { box-shadow: 0 8px 24px var(--color-text); }', 'shadow'],
    ['a { font-size: 13px; }', 'font size'],
    ['a { font-weight: 700; }', 'font weight'],
    ['a { padding: 0 12px; }', 'spacing'],
    ['a { margin-inline-start: calc(-1 * 6px); }', 'spacing'],
    ['a { transition: opacity 100ms; }', 'duration'],
  ])('that are written out are found: %s', (text, what) => {
    expect(problemsOf('a.css', text)).toEqual([expect.stringContaining(`(${what}:`)]);
  });

  it('may be tokens, lines of one pixel, and nothing', () => {
    const text =
      'a { padding: 1px var(--spacing-xs) 0; border: 1px solid var(--color-line); box-shadow: inset 0 0 0 1px var(--color-line); }';
    expect(problemsOf('a.css', text)).toEqual([]);
  });

  it('are nowhere but in tokens.css', () => {
    expect(styles.length).toBeGreaterThan(10);
    expect(styles.flatMap((file) => problemsOf(relative(source, file), readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('that plugins may use are there', () => {
    const section = readFileSync(join(__dirname, '../../../../docs/writing-plugin-pages.md'), 'utf8')
      .split('## ')
      .find((part) => part.startsWith('Look'));
    const promised = [...(section ?? '').matchAll(/`(--[\w-]+\w)`/g)].map(([, name]) => name ?? '');
    const tokens = readFileSync(join(source, 'tokens.css'), 'utf8');
    expect(promised.length).toBeGreaterThan(25);
    expect(promised.filter((name) => !tokens.includes(`  ${name}: `))).toEqual([]);
  });

  it('are named in properties of components, too', () => {
    const written =
      /\s(?:p|m)[xytblr]?=\{\d+\}|\s(?:gap|spacing|radius|shadow|fz)=\{\d+\}|(?:color|background|c|bg)=["'](?:#|rgb)/;
    const found = components.filter((file) => written.test(readFileSync(file, 'utf8')));
    expect(found.map((file) => relative(source, file))).toEqual([]);
  });
});
