import type { FieldKind, KindField } from '@gantry/plugin-api';
import { jsonKind, keyValueKind, moneyKind } from '@gantry/plugin-field-kinds';

const field: KindField = {
  name: 'value',
  displayName: 'Value',
  type: 'field-kinds.Json',
  column: 'value',
  columnType: 'JSONB',
  required: false,
  searchable: true,
  editableOnUpdate: true,
  placeholder: '',
};
const json = jsonKind.of('field-kinds');
const keyValue = keyValueKind.of('field-kinds');
const money = moneyKind.of('field-kinds');

const stored = (kind: FieldKind, cell: string): unknown => {
  const result = kind.parse(kind.fromCell(cell), field);
  return result.ok ? result.value : result.code;
};
const bound = (kind: FieldKind, operator: string, text: string): unknown => {
  const result = kind.operators[operator]?.bind(text, field, kind);
  return result?.ok ? result.value.value : result?.code;
};
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('values of JSON', () => {
  it.each([
    ['{"id":12345678901234567}', '{"id": 12345678901234568}', false],
    ['{"id":12345678901234567}', '{"id": 12345678901234567}', true],
    ['{"id":1.50,"b":[1e2]}', '{"b": [100], "id": 1.5}', true],
    ['{"id":-0.0}', '{"id": 0}', true],
    ['{"id":"1"}', '{"id": 1}', false],
    ['{"id":0.1}', { id: 0.1 }, true],
    ['{"id":0.1}', { id: 0.2 }, false],
  ])('%s is the same as %j: %s', (sent, current, expected) => {
    expect(json.isSame(sent, current as string)).toBe(expected);
  });

  it('are another amount of money when any digit differs', () => {
    expect(money.isSame('["EUR",999999999999999.9998]', '["EUR", 999999999999999.9999]')).toBe(false);
    expect(money.isSame('["EUR",24.9]', '["EUR", 24.90]')).toBe(true);
  });

  it.each([
    ['0.5 EUR', '["EUR",0.5]'],
    ['-0.50 EUR', '["EUR",-0.50]'],
    ['999999999999999 EUR', '["EUR",999999999999999]'],
    ['007 EUR', 'OUT_OF_RANGE'],
    ['007.5 EUR', 'OUT_OF_RANGE'],
    ['-00 EUR', 'OUT_OF_RANGE'],
    ['1.2.3 EUR', 'OUT_OF_RANGE'],
    ['.5 EUR', 'OUT_OF_RANGE'],
    ['1. EUR', 'OUT_OF_RANGE'],
  ])('are the amount of money %s in cells and criteria as PostgreSQL reads it, or refused: %s', (text, expected) => {
    const compared = money.convert(text, field);
    expect([stored(money, text), compared.ok ? compared.value : compared.code]).toEqual([expected, expected]);
  });

  it.each([
    ['{"commit":"7e48213","digits":"x"}', '{"commit":"7e48213","digits":"x"}'],
    [`{"text":"${'1'.repeat(1_500)}"}`, `{"text":"${'1'.repeat(1_500)}"}`],
    ['{"id": 12345678901234567890.10}', '{"id":12345678901234567890.10}'],
    ['{"a":1e3,"b":-1.25e-3,"c":"\\"1"}', '{"a":1000,"b":-0.00125,"c":"\\"1"}'],
    ['["\\\\u0000"]', '["\\\\u0000"]'],
    ['["\\u00001"]', 'WRONG_TYPE'],
    ['{"a":01}', 'WRONG_TYPE'],
    ['["\\ud800"]', 'CHARACTER'],
    ['[1e9999]', 'OUT_OF_RANGE'],
    [`[${'1'.repeat(1_500)}]`, 'OUT_OF_RANGE'],
    [nested(64), nested(64)],
    [nested(65), 'OUT_OF_RANGE'],
    [nested(100_000), 'WRONG_TYPE'],
  ])('of a cell are stored with every digit, or refused (%#)', (cell, expected) => {
    expect(stored(json, cell)).toBe(expected);
  });

  it('have a length that counts numbers as PostgreSQL writes them', () => {
    expect(stored(json, `[${Array.from({ length: 1_000 }, () => '1e999').join(',')}]`)).toBe('TOO_LONG');
  });

  it('take no longer than their text is worth, whatever their numbers', () => {
    const start = performance.now();
    expect(stored(json, `[${Array.from({ length: 50_000 }, () => '1e-1000').join(',')}]`)).toBe('TOO_LONG');
    const zeros = `[${Array.from({ length: 250 }, () => `1${'0'.repeat(998)}1`).join(',')}]`;
    expect(json.isSame(zeros, zeros)).toBe(true);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it.each([
    ['CONTAINS', '{"a":1e2}', '{"a":100}'],
    ['CONTAINS', '["\\ud800"]', 'CHARACTER'],
    ['CONTAINS', nested(65), 'OUT_OF_RANGE'],
    ['NOT_EQUALS', nested(20_000), 'WRONG_TYPE'],
    ['IN', JSON.stringify(['["\\udfff"]']), 'CHARACTER'],
  ])('are searched by %s with what PostgreSQL can read; anything else is refused (%#)', (operator, text, expected) => {
    expect(bound(json, operator, text)).toBe(expected);
  });

  it.each([
    ['a', 'a'],
    ['a=b', '{"a":"b"}'],
    ['a=b=c', '{"a":"b=c"}'],
    ['a=', '{"a":""}'],
    ['"a=b"', 'a=b'],
    ['{"a=b":"c"}', '{"a=b":"c"}'],
    ['{"a":"b","c":"d"}', '{"a":"b","c":"d"}'],
    ['{a', '{a'],
    ['{a=b', '{"{a":"b"}'],
    ['"a"b', '"a"b'],
    ['{}', 'WRONG_TYPE'],
    ['{"a":1}', 'WRONG_TYPE'],
    ['=b', 'PATTERN'],
    ['a\ud800', 'WRONG_TYPE'],
    ['a=\ud800', 'CHARACTER'],
    ['"\\ud800"', 'WRONG_TYPE'],
    ['{"a":"\\u0000"}', '{"a":"\\u0000"}'],
  ])('are searched by the key, or key and value, of %j', (text, expected) => {
    expect([bound(keyValue, 'EQUALS', text), bound(keyValue, 'CONTAINS', text)]).toEqual([expected, expected]);
  });

  it('are keys with values, which a required field has at least one of', () => {
    const required = { ...field, required: true };
    expect(keyValue.parse({}, field)).toEqual({ ok: true, value: '{}' });
    expect(keyValue.parse({}, required)).toMatchObject({ ok: false, code: 'REQUIRED' });
    expect(
      [keyValue.jsonSchema(field), keyValue.jsonSchema(required)].map((schema) => schema['minProperties']),
    ).toEqual([undefined, 1]);
    const empty = keyValue.operators['EMPTY']?.bind('true', field, keyValue);
    expect(empty?.ok && empty.value.condition('c', '')).toBe("(c IS NULL OR c = '{}')");
    expect(Object.keys(keyValue.operators)).toEqual(['EQUALS', 'CONTAINS', 'EMPTY']);
  });

  it('are no order of lists, as a position in it may be longer than an address', () => {
    expect(json.isSortable).toBe(false);
  });
});

describe('values of JSON with a schema', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    additionalProperties: false,
    properties: {
      a: { type: 'array', maxItems: 4, uniqueItems: true, items: { $ref: '#/$defs/size' } },
      'odd key': { enum: ['x', 'y'] },
    },
    $defs: { size: { type: 'number', maximum: 10 } },
  };
  const parse = (value: unknown) => json.parse(value, { ...field, settings: { schema } });
  const problems = (value: unknown): unknown => {
    const result = parse(value);
    if (result.ok) return [];
    return result.problems?.map(({ path, code }) => `${path} ${code}`);
  };

  it.each([
    [{ a: [1, 2.5] }, []],
    [{ a: [1, 2, '3', 11] }, ['.a[2] WRONG_TYPE', '.a[3] OUT_OF_RANGE']],
    [{}, ['.a REQUIRED']],
    [{ a: [], b: 1 }, ['.b UNKNOWN_FIELD']],
    [{ a: [], 'odd key': 'z' }, ['["odd key"] NOT_AN_OPTION']],
    [{ a: [1, 1] }, ['.a PATTERN']],
    [[], [' WRONG_TYPE']],
  ])('%j has the problems %j', (value, expected) => {
    expect(problems(value)).toEqual(expected);
  });

  it('name the options and the limit', () => {
    expect(parse({ a: [], 'odd key': 'z' })).toMatchObject({ message: expect.stringContaining('"x", "y"') });
    expect(parse({ a: [11] })).toMatchObject({ message: expect.stringContaining('10') });
  });

  it('have the digits that were sent', () => {
    expect(parse(json.fromCell('{"a":[1.50]}'))).toEqual({ ok: true, value: '{"a":[1.50]}' });
    expect(problems(json.fromCell('{"a":[1e400]}'))).toEqual(['.a[0] WRONG_TYPE']);
  });

  it('have at most fifty problems', () => {
    expect(problems({ a: Array.from({ length: 10_000 }, () => 'x') })).toHaveLength(50);
  });

  it.each([
    [{ schema: { type: 'objekt' } }, /no JSON Schema \(draft 2020-12\): schema is invalid: data\/type/],
    [{ schema: { minimun: 1 } }, /unknown keyword: "minimun"/],
    [{ schema: { $ref: 'https://example.org/other.json' } }, /no JSON Schema .*can't resolve reference/],
    [{ schema: { type: 'string', pattern: '(' } }, /no JSON Schema/],
    [{ schema: { $schema: 'http://json-schema.org/draft-07/schema#' } }, /no JSON Schema .*draft-07/],
    [{ schema: 'x' }, /needs settings/],
    [{ other: 1 }, /has the setting other/],
  ])('are not declared with %j', (settings, expected) => {
    expect(jsonKind.checkSettings(settings)).toEqual([expect.stringMatching(expected)]);
  });

  it.each([
    { properties: { a: { minimum: 1 } }, required: ['b'] },
    { type: ['object', 'array'], prefixItems: [{ type: 'string', format: 'unknown' }] },
  ])('are declared with %j, which is unusual', (unusual) => {
    expect(jsonKind.checkSettings({ schema: unusual })).toEqual([]);
  });

  it('are described by it unless it has references', () => {
    const described = (own: object) => json.jsonSchema({ ...field, settings: { schema: own } });
    expect(described({ maxProperties: 2 })).toEqual({ type: ['object', 'array'], allOf: [{ maxProperties: 2 }] });
    expect(described(schema)).toEqual({ type: ['object', 'array'] });
  });
});
