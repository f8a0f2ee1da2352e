import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { testFieldKind, type FieldKindTestOptions } from '@gantry/plugin-api/testing';

const letters = (length: number): string => randomBytes(length).toString('hex').slice(0, length);
const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T;

const texts = ['', 'a', 'Ü\n"\\', '日本語 🌱', '{}', 'null', '\u2028'];
let turn = 0;
/** All of them, one after the other. */
const nextText = (): string => texts[(turn += 1) % texts.length] ?? '';

function randomJson(depth = 0): unknown {
  const kinds = depth > 3 ? 4 : 6;
  switch (randomInt(kinds)) {
    case 0:
      return nextText();
    case 1:
      return randomInt(-1_000_000, 1_000_000) / 1_000;
    case 2:
      return pick([true, false, null]);
    case 3:
      return letters(5);
    case 4:
      return Array.from({ length: randomInt(4) }, () => randomJson(depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: randomInt(4) }, () => [nextText() || letters(3), randomJson(depth + 1)]),
      );
  }
}

function randomParagraph() {
  const marks = pick([
    [],
    [{ type: 'bold' }],
    [{ type: 'link', attrs: { href: `https://example.org/${letters(3)}` } }],
  ]);
  return {
    type: 'paragraph',
    content: [
      { type: 'text', text: `${letters(4)}${nextText()}`, marks },
      pick([{ type: 'hardBreak' }, { type: 'text', text: '<b>&amp;' }]),
    ],
  };
}

const kinds: Readonly<Record<string, Pick<FieldKindTestOptions, 'value' | 'refused' | 'text' | 'field'>>> = {
  Email: {
    value: () => `${letters(6)}+${letters(2)}@${letters(4)}.example.org`,
    refused: [
      '',
      'ada',
      'ada@',
      '@example.org',
      'ada@example',
      'a b@example.org',
      'ada@example..org',
      `${'a'.repeat(65)}@example.org`,
    ].slice(1),
  },
  Url: {
    value: () => `https://${letters(5)}.example.org/${letters(3)}?q=${letters(2)}#${letters(2)}`,
    refused: [
      ...[
        'javascript:alert(1)',
        'JAVASCRIPT:alert(1)',
        'data:text/html,x',
        '//example.org',
        'http://',
        'https:example.org',
      ],
      ...[
        'https://user:secret@example.org',
        'https://exam ple.org',
        'https://example.org\\x',
        'java\nscript:alert(1)',
        'https://\u202eexample.org',
      ],
    ],
  },
  Color: {
    value: () => `#${letters(6)}${pick(['', '80'])}`,
    refused: ['red', '#12345', '#12345g', '123456', '#1234567'],
  },
  Uuid: { value: () => randomUUID(), refused: ['x', randomUUID().toUpperCase(), randomUUID().replaceAll('-', ''), 7] },
  Slug: { value: () => `${letters(5)}-${letters(3)}`, refused: ['-a', 'a-', 'a--b', 'A', 'ä', 'a b', 'a/b', '..'] },
  Json: {
    value: () => pick([{ any: randomJson(), more: [randomJson()] }, [randomJson()], {}, []]),
    refused: ['text', 7, true, { a: '\u0000' }, { '\u0000': 1 }, ['\ud800'], ['x'.repeat(300_000)]],
    text: (value) => JSON.stringify(value),
  },
  KeyValue: {
    value: () => ({ colour: letters(4), [letters(3)]: nextText() }),
    refused: [{ a: 1 }, ['a'], 'a', { '': 'x' }, { ' ': 'x' }, { a: null }, { a: '\u0000' }],
    text: (value) => `colour=${(value as { colour: string }).colour}`,
  },
  Money: {
    value: () => ({ amount: randomInt(-1_000_000, 1_000_000) / 100, currency: pick(['EUR', 'USD', 'JPY']) }),
    refused: [
      { amount: 1 },
      { currency: 'EUR' },
      { amount: '1', currency: 'EUR' },
      { amount: 1, currency: 'eur' },
      { amount: 1, currency: 'XYZ' },
      { amount: 1e16, currency: 'EUR' },
      { amount: 0.00001, currency: 'EUR' },
      { amount: 1, currency: 'EUR', x: 1 },
      5,
    ],
    text: (value) => `${(value as { amount: number }).amount} ${(value as { currency: string }).currency}`,
  },
  Repeatable: {
    field: {
      settings: {
        fields: {
          label: { displayName: 'Label', required: true },
          note: { displayName: 'Note', type: 'TEXT' },
          url: { displayName: 'Address', type: 'field-kinds.Url' },
          size: { displayName: 'Size', type: 'NUMBER', min: 0 },
          primary: { displayName: 'Primary', type: 'BOOLEAN' },
          since: { displayName: 'Since', type: 'DATE' },
          at: { displayName: 'At', type: 'DATETIME' },
          opens: { displayName: 'Opens', type: 'TIME' },
          kind: { displayName: 'Kind', type: 'ENUM', options: ['A', 'B'] },
        },
        maxItems: 10,
      },
    },
    value: () =>
      Array.from({ length: randomInt(1, 5) }, () => ({
        label: `${letters(3)}${pick(['', 'Ü "\\\\', '日本語 🌱'])}`,
        note: nextText(),
        size: randomInt(1_000_000) / 1_000,
        primary: pick([true, false]),
        ...pick([{ at: '2026-03-01T09:30:00.500Z' }, { opens: '23:59:59.5' }]),
        ...pick([{ kind: 'B' }, { since: '2024-02-29' }, { url: 'https://example.org/?q=%25' }, {}]),
      })),
    refused: [
      ...['a', 7, {}, [null], [[]], [{}], [{ label: '' }], [{ label: 'a', note: null }], [{ label: 'a', x: 1 }]],
      ...[[{ label: 'a\nb' }], [{ label: 'a\u0001' }], [{ label: 'a', note: '\u0001' }]],
      ...[[{ label: 'a', size: -1 }], [{ label: 'a', since: '2026-02-30' }], [{ label: 'a', kind: 'C' }]],
      ...[
        [{ label: 'a', at: '2026-03-01T09:30' }],
        [{ label: 'a', at: '2026-02-30T09:30Z' }],
        [{ label: 'a', opens: '24:00' }],
      ],
      Array.from({ length: 11 }, () => ({ label: 'a' })),
    ],
    text: (value) => JSON.stringify(value),
  },
  RichText: {
    value: () => ({
      type: 'doc',
      content: Array.from({ length: randomInt(1, 5) }, () =>
        pick<() => object>([
          randomParagraph,
          () => ({ type: 'heading', attrs: { level: randomInt(1, 5) }, content: [{ type: 'text', text: letters(5) }] }),
          () => ({ type: 'bulletList', content: [{ type: 'listItem', content: [randomParagraph()] }] }),
          () => ({ type: 'horizontalRule' }),
        ])(),
      ),
    }),
    refused: [
      ...['<p>a</p>', 7, [], { type: 'doc' }, { type: 'doc', content: [{ type: 'script' }] }],
      { type: 'doc', content: [{ type: 'paragraph', attrs: { style: 'color:red' } }] },
    ],
    text: (value) => JSON.stringify(value),
  },
};

describe('the field kinds of the plugin', () => {
  const folder = join(__dirname, '..');

  it('keep to the contract', async () => {
    const project = join(folder, '../..');
    const options = Object.entries(kinds).map(([name, values]): FieldKindTestOptions => {
      return { ...values, kind: `field-kinds.${name}`, count: 4, project };
    });
    const results = await testFieldKind(folder, options);
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results).toHaveLength(11 * options.length);
  });
});
