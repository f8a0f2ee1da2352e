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

  it.each([
    ['CONTAINS', '{"a":1e2}', '{"a":100}'],
    ['CONTAINS', '["\\ud800"]', 'CHARACTER'],
    ['CONTAINS', nested(65), 'OUT_OF_RANGE'],
    ['NOT_EQUALS', nested(20_000), 'WRONG_TYPE'],
    ['IN', JSON.stringify(['["\\udfff"]']), 'CHARACTER'],
  ])('are searched by %s with what PostgreSQL can read; anything else is refused (%#)', (operator, text, expected) => {
    expect(bound(json, operator, text)).toBe(expected);
  });

  it('are searched by a key that PostgreSQL can read', () => {
    expect([bound(keyValue, 'CONTAINS', 'a=\ud800'), bound(keyValue, 'CONTAINS', 'a=b')]).toEqual([
      'WRONG_TYPE',
      '{"a":"b"}',
    ]);
  });

  it('are no order of lists, as a position in it may be longer than an address', () => {
    expect(json.isSortable).toBe(false);
  });
});
