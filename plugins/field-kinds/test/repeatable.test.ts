import type { KindField, ParsedValue } from '@gantry/plugin-api';
import { repeatableKind, type RepeatableSettings } from '@gantry/plugin-field-kinds';

const settings: RepeatableSettings = {
  fields: {
    label: { displayName: 'Label', required: true, maxLength: 10 },
    note: { displayName: 'Note', type: 'TEXT' },
    url: { displayName: 'Address', type: 'field-kinds.Url', help: 'With https' },
    size: { displayName: 'Size', type: 'NUMBER', min: 0, max: 100 },
    primary: { displayName: 'Primary', type: 'BOOLEAN' },
    since: { displayName: 'Since', type: 'DATE' },
    kind: { displayName: 'Kind', type: 'ENUM', options: ['A', 'B'], optionLabels: { A: 'First' } },
  },
  minItems: 1,
  maxItems: 3,
};
const field: KindField = {
  name: 'links',
  displayName: 'Links',
  type: 'field-kinds.Repeatable',
  column: 'links',
  columnType: 'JSONB',
  required: false,
  searchable: true,
  editableOnUpdate: true,
  placeholder: '',
  settings: { ...settings },
};
const kind = repeatableKind.of('field-kinds');

const parse = (value: unknown): ParsedValue => kind.parse(value, field);
const stored = (value: unknown): unknown => {
  const result = parse(value);
  return result.ok ? result.value : undefined;
};
/** Path and code of each problem. */
const problems = (value: unknown): unknown => {
  const result = parse(value);
  if (result.ok) return [];
  return (result.problems ?? [{ path: '', ...result }]).map(({ path, code }) => `${path} ${code}`.trim());
};

describe('a list of entries', () => {
  it('is stored with its entries in the order given and every digit', () => {
    expect(
      stored([
        { label: 'b', size: 1.5, primary: false },
        { kind: 'A', label: 'a', since: '2026-02-28', url: 'https://example.org/' },
      ]),
    ).toBe(
      '[{"label":"b","size":1.5,"primary":false},{"label":"a","url":"https://example.org/","since":"2026-02-28","kind":"A"}]',
    );
  });

  it.each([
    ['text', 'WRONG_TYPE'],
    [{ label: 'a' }, 'WRONG_TYPE'],
    [7, 'WRONG_TYPE'],
    [[], 'TOO_FEW'],
    [Array.from({ length: 4 }, () => ({ label: 'a' })), 'TOO_MANY'],
    [[null], '[0] WRONG_TYPE'],
    [[{ label: 'a' }, ['a']], '[1] WRONG_TYPE'],
    [['a'], '[0] WRONG_TYPE'],
    [[{}], '[0].label REQUIRED'],
    [[{ label: ' ' }], '[0].label REQUIRED'],
    [[{ label: null }], '[0].label REQUIRED'],
    [[{ label: 'a', note: null }], '[0].note WRONG_TYPE'],
    [[{ label: 'a'.repeat(11) }], '[0].label TOO_LONG'],
    [[{ label: '\u0000' }], '[0].label CHARACTER'],
    [[{ label: 'a\u0001' }], '[0].label CHARACTER'],
    [[{ label: 'a\nb' }], '[0].label CHARACTER'],
    [[{ label: 'a\u202e' }], '[0].label CHARACTER'],
    [[{ label: 'a', note: 'a\u0001' }], '[0].note CHARACTER'],
    [[{ label: 'a', note: '\ufffe' }], '[0].note CHARACTER'],
    [[{ label: '\u200b' }], '[0].label REQUIRED'],
    [[{ label: 'e\u0301'.repeat(11) }], '[0].label TOO_LONG'],
    [[{ label: 7 }], '[0].label WRONG_TYPE'],
    [[{ label: 'a', note: 'x'.repeat(1_000_000) }], '[0].note TOO_LONG'],
    [[{ label: 'a', url: 'javascript:alert(1)' }], '[0].url PATTERN'],
    [[{ label: 'a', size: -1 }], '[0].size OUT_OF_RANGE'],
    [[{ label: 'a', size: 100.5 }], '[0].size OUT_OF_RANGE'],
    [[{ label: 'a', size: 0.123_456_789_012_345_6 }], '[0].size OUT_OF_RANGE'],
    [[{ label: 'a', size: 1e-300 }], '[0].size OUT_OF_RANGE'],
    [[{ label: 'a', size: '1' }], '[0].size WRONG_TYPE'],
    [[{ label: 'a', primary: 'true' }], '[0].primary WRONG_TYPE'],
    [[{ label: 'a', since: '2026-02-30' }], '[0].since WRONG_TYPE'],
    [[{ label: 'a', kind: 'C' }], '[0].kind NOT_AN_OPTION'],
    [[{ label: 'a', other: 1 }], '[0].other UNKNOWN_FIELD'],
    [[JSON.parse('{"label":"a","__proto__":{"note":"x"}}')], '[0].__proto__ UNKNOWN_FIELD'],
    [[{ label: 'a', constructor: 1 }], '[0].constructor UNKNOWN_FIELD'],
  ])('is refused with the place of the problem (%#)', (value, expected) => {
    expect(problems(value)).toEqual([expected]);
  });

  it('has texts in the form in which fields store them, and is searched by that', () => {
    expect(stored([{ label: 'e\u0301'.repeat(10), note: 'u\u0308\n\t\u202e' }])).toBe(
      JSON.stringify([{ label: '\u00e9'.repeat(10), note: '\u00fc\n\t\u202e' }]),
    );
    const searched = kind.operators['CONTAINS']?.bind('e\u0301%', field, kind);
    expect(searched?.ok && searched.value.value).toBe(String.raw`%é\%%`);
    expect(kind.convert(String.raw`[{"label":"e\u0301"}]`, field)).toEqual({ ok: true, value: '[{"label":"é"}]' });
  });

  it('is refused with all problems of all entries, up to fifty', () => {
    expect(problems([{ label: 'a', size: -1, x: 1 }, {}])).toEqual([
      '[0].x UNKNOWN_FIELD',
      '[0].size OUT_OF_RANGE',
      '[1].label REQUIRED',
    ]);
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_x, index) => [`m${index}`, 1]));
    expect(problems([{ label: 'a', ...unknown }])).toHaveLength(50);
  });

  it('says in one sentence which members there are', () => {
    expect(parse([{ label: 'a', x: 1 }])).toMatchObject({
      message: expect.stringMatching(/ \[0\]\.x, .* label, note, url/),
    });
  });

  it.each([
    ['[{"label":"a","size":1e1}]', [{ label: 'a', size: 10 }]],
    ['[{"label":"a","label":"b"}]', 'WRONG_TYPE'],
    ['[{"label":"a:","note":"\\":"}]', [{ label: 'a:', note: '":' }]],
    ['[', 'WRONG_TYPE'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'WRONG_TYPE'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'WRONG_TYPE'],
  ])('is read from the JSON of a cell, or refused (%#)', (cell, expected) => {
    const result = parse(kind.fromCell(cell));
    expect(result.ok ? JSON.parse(String(result.value)) : result.code).toEqual(expected);
  });

  it('has amounts of money as a field has them', () => {
    const fees = { ...field, settings: { fields: { fee: { displayName: 'Fee', type: 'field-kinds.Money' } } } };
    const read = (fee: object) => kind.parse([{ fee }], fees);
    expect(read({ amount: 24.5, currency: 'EUR' })).toEqual({
      ok: true,
      value: '[{"fee":{"amount":24.5,"currency":"EUR"}}]',
    });
    expect(read({ amount: 24.5 })).toMatchObject({ problems: [{ path: '[0].fee', code: 'WRONG_TYPE' }] });
    expect(read({ amount: 24.5, currency: 'E' })).toMatchObject({
      problems: [{ path: '[0].fee', code: 'NOT_AN_OPTION' }],
    });
    expect(read({ amount: 1_234_567_890_123.25, currency: 'EUR' })).toMatchObject({ ok: true });
    expect(kind.parse(kind.fromCell('[{"fee":{"amount":1234567890123.456,"currency":"EUR"}}]'), fees)).toMatchObject({
      problems: [{ path: '[0].fee', code: 'OUT_OF_RANGE' }],
    });
    expect(kind.formMembers(fees).fields).toMatchObject([{ name: 'fee', valueType: 'object' }]);
  });

  it('is the same whatever the order of members, not of entries', () => {
    expect(kind.isSame('[{"a":1,"b":2}]', '[{"b": 2, "a": 1}]')).toBe(true);
    expect(kind.isSame('[{"a":1},{"a":2}]', '[{"a": 2}, {"a": 1}]')).toBe(false);
  });

  it('is described with its members to forms and to clients', () => {
    expect(kind.formMembers(field)).toMatchObject({
      valueType: 'array',
      minItems: 1,
      maxItems: 3,
      fields: expect.arrayContaining([
        expect.objectContaining({ name: 'url', displayName: 'Address', type: 'field-kinds.Url', help: 'With https' }),
        expect.objectContaining({ name: 'kind', type: 'ENUM', options: ['A', 'B'], optionLabels: { A: 'First' } }),
      ]),
    });
    expect(kind.jsonSchema(field)).toMatchObject({
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        additionalProperties: false,
        required: ['label'],
        properties: {
          label: { type: 'string', maxLength: 10, minLength: 1 },
          size: { type: 'number', minimum: 0, maximum: 100 },
          primary: { type: 'boolean' },
          since: { type: 'string', format: 'date' },
          kind: { enum: ['A', 'B'] },
        },
      },
    });
  });
});

describe('the settings of a list', () => {
  const label = { displayName: 'Label' };

  it('may be as the types say', () => {
    expect(repeatableKind.checkSettings({ ...settings })).toEqual([]);
  });

  it.each([
    [{}, /needs settings/],
    [{ fields: {} }, /needs settings/],
    [{ fields: [label] }, /needs settings/],
    [{ fields: { label }, max: 3 }, /the setting max/],
    [{ fields: { label }, minItems: 5, maxItems: 3 }, /minItems and maxItems/],
    [{ fields: { label }, maxItems: 1e9 }, /minItems and maxItems/],
    [{ fields: { 'a.b': label } }, /the member "a.b"/],
    [{ fields: { id: label } }, /the member "id"/],
    [{ fields: { label: null } }, /label without an object/],
    [{ fields: { label: {} } }, /label without displayName/],
    [{ fields: { label: { ...label, type: 'REFERENCE' } } }, /label .*"REFERENCE": .*foreign key/],
    [{ fields: { label: { ...label, type: 'constructor' } } }, /label .*"constructor"; .* STRING/],
    [{ fields: { label: { ...label, min: 1 } } }, /label with min/],
    [{ fields: { label: { ...label, maxLength: 0 } } }, /maxLength/],
    [{ fields: { label: { ...label, required: 'yes' } } }, /required/],
    [{ fields: { label: { ...label, type: 'NUMBER', min: 3, max: 1 } } }, /min and max/],
    [{ fields: { label: { ...label, type: 'ENUM' } } }, /without options/],
    [{ fields: { label: { ...label, type: 'ENUM', options: ['A', 'A'] } } }, /without options, .*different/],
  ])('are refused with the reason (%#)', (given, expected) => {
    expect(repeatableKind.checkSettings(given)).toEqual([expect.stringMatching(expected)]);
  });
});
