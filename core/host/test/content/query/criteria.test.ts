import { isGantryError } from '@gantry/plugin-api';
import { isComparison, parseCriteria, type ParsedCriteria } from '../../../src/content/query/criteria';
import { parseJson } from '../../../src/common/json';
import { compileFields } from '../support/declare-type';

const type = compileFields({
  name: { searchable: true },
  size: { type: 'NUMBER', column: 'INTEGER', searchable: true },
  on: { type: 'BOOLEAN', searchable: true },
  owner: { type: 'REFERENCE', targetEntity: 'other.Thing', searchable: true },
  owners: { type: 'REFERENCE', targetEntity: 'other.Thing', searchable: true, cardinality: 'MULTIPLE' },
  secret: {},
});

function parse(criteria: unknown): ParsedCriteria {
  return parseCriteria(type, parseJson(JSON.stringify(criteria)));
}

function bound(criteria: unknown): readonly unknown[] {
  return parse(criteria)
    .criteria.filter(isComparison)
    .map(({ field, operator, value }) => [field.name, operator, value]);
}

function refusal(criteria: unknown): unknown {
  try {
    parse(criteria);
    return undefined;
  } catch (error) {
    return isGantryError(error) ? { code: error.code, message: error.message, details: error.details } : error;
  }
}

describe('criteria', () => {
  it.each([
    ['name', 'EQUALS', ' a ', [['name', 'EQUALS', ' a ']]],
    ['name', 'CONTAINS', 'a', [['name', 'CONTAINS', 'a']]],
    ['name', 'MORE_THAN', 'a', [['name', 'MORE_THAN', 'a']]],
    ['name', 'LIKE', 'a', [['name', 'CONTAINS', 'a']]],
    ['name', 'equals', 'a', [['name', 'CONTAINS', 'a']]],
    ['name', '', 'a', [['name', 'CONTAINS', 'a']]],
    ['name', 'constructor', 'a', [['name', 'CONTAINS', 'a']]],
    ['size', 'CONTAINS', '5', [['size', 'EQUALS', '5']]],
    ['size', 'LIKE', '5', [['size', 'EQUALS', '5']]],
    ['size', 'LESS_THAN', ' 5.0 ', [['size', 'LESS_THAN', '5']]],
    ['on', 'MORE_THAN', 'TRUE', [['on', 'EQUALS', true]]],
    ['on', 'CONTAINS', 'false', [['on', 'EQUALS', false]]],
    ['owner', 'CONTAINS', '7', [['owner', 'EQUALS', '7']]],
    ['owner', 'MORE_THAN', '7', [['owner', 'MORE_THAN', '7']]],
    ['owners', 'CONTAINS', '7', [['owners', 'EQUALS', '7']]],
    ['id', 'CONTAINS', '7', [['id', 'EQUALS', '7']]],
  ])('%s %s %j is understood as %j', (field, operator, value, expected) => {
    expect(bound([{ field, operator, value }])).toEqual(expected);
  });

  it('find by NOT_EQUALS what EQUALS does not, also with blanks around a key', () => {
    const keyed = compileFields({ code: { searchable: true } }, { unique: [['code']] });
    const { criteria } = parseCriteria(keyed, [{ field: 'code', operator: 'NOT_EQUALS', value: ' A ' }]);
    expect(criteria).toMatchObject([{ operator: 'OWN', value: 'A' }]);
  });

  it('have a bound on the length of their values together', () => {
    const long = (length: number, count: number) =>
      Array.from({ length: count }, () => ({ field: 'name', operator: 'EQUALS', value: 'x'.repeat(length) }));

    expect(bound(long(1_000, 100))).toHaveLength(100);
    expect(refusal([...long(1_000, 99), ...long(1_001, 1)])).toEqual({
      code: 'BAD_REQUEST',
      message:
        'The values of all criteria must have at most 100000 characters together; they have 100001. Send shorter values.',
      details: undefined,
    });
    expect(refusal([{ field: 'secret', value: 'x'.repeat(100_001) }])).toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('compare with text in the form in which it is stored, that of a key without blanks at its ends', () => {
    const keyed = compileFields(
      { code: { searchable: true }, name: { searchable: true }, note: { searchable: true, trim: true } },
      { unique: [['code']] },
    );
    const criteria = [
      { field: 'code', operator: 'EQUALS', value: ' e\u0301 ' },
      { field: 'code', operator: 'CONTAINS', value: 'e\u0301 ' },
      { field: 'note', operator: 'EQUALS', value: ' x' },
      { field: 'name', operator: 'EQUALS', value: ' e\u0301\u200b' },
    ];

    expect(
      parseCriteria(keyed, criteria)
        .criteria.filter(isComparison)
        .map(({ value }) => value),
    ).toEqual(['é', 'é ', 'x', ' é\u200b']);
  });

  it('may leave out the operator', () => {
    expect(bound([{ field: 'name', value: 'a' }])).toEqual([['name', 'CONTAINS', 'a']]);
  });

  it('are skipped, and named, when the field is not searchable or the value blank', () => {
    const fields = ['secret', 'nothing', '__proto__', 'constructor', 'createdAt', ''];
    const { criteria, skipped } = parse([
      ...fields.map((field) => ({ field, operator: 'EQUALS', value: 'x' })),
      { field: 'name', operator: 'EQUALS', value: ' \t\n\u3000' },
      { field: 'size', operator: 'EQUALS', value: '' },
      { field: 'id', operator: 'EQUALS' },
      { field: 'on', operator: 'EQUALS', value: null },
    ]);
    expect(criteria).toEqual([]);
    expect(skipped).toEqual([
      ...fields.map((field) => ({ field, reason: 'NOT_SEARCHABLE' })),
      ...['name', 'size', 'id', 'on'].map((field) => ({ field, reason: 'BLANK_VALUE' })),
    ]);
  });

  it('with values that cannot be converted are refused all at once, with field and value', () => {
    expect(
      refusal([
        { field: 'size', operator: 'EQUALS', value: 'many' },
        { field: 'name', operator: 'EQUALS', value: 'fine' },
        { field: 'on', operator: 'EQUALS', value: 'perhaps' },
        { field: 'id', operator: 'EQUALS', value: '9223372036854775808' },
        { field: 'name', operator: 'CONTAINS', value: 'a\u0000b' },
      ]),
    ).toEqual({
      code: 'BAD_REQUEST',
      message:
        'the value "many" for size must be a whole number; the value "perhaps" for on must be true or false; ' +
        'the value "9223372036854775808" for id must be between -9223372036854775808 and 9223372036854775807; ' +
        'the value "a\\u0000b" for name must not contain the character U+0000',
      details: [
        { path: '[0].value', code: 'WRONG_TYPE', message: 'the value "many" for size must be a whole number' },
        { path: '[2].value', code: 'WRONG_TYPE', message: 'the value "perhaps" for on must be true or false' },
        expect.objectContaining({ path: '[3].value', code: 'OUT_OF_RANGE' }),
        expect.objectContaining({ path: '[4].value', code: 'CHARACTER' }),
      ],
    });
  });

  it.each([
    [null, 'The body must be a JSON array of criteria { field, operator, value }.'],
    [{}, 'The body must be a JSON array of criteria { field, operator, value }.'],
    ['text', 'The body must be a JSON array of criteria { field, operator, value }.'],
    [[1], '[0] must be an object { field, operator, value }'],
    [[null, []], '[0] must be an object { field, operator, value }; [1] must be an object { field, operator, value }'],
    [[{}], '[0].field must be the name of a field, as text'],
    [
      [{ field: 1, value: 2, operator: 3 }],
      expect.stringMatching(/^\[0\]\.field .*; \[0\]\.operator .*; \[0\]\.value must be text, also for numbers$/),
    ],
    [
      [{ field: 'name', value: 'a', fuzzy: true }],
      '[0].fuzzy is not a member of a criterion; known are field, operator, value',
    ],
    [
      JSON.parse('[{"field":"name","value":"a","__proto__":{}}]'),
      '[0].__proto__ is not a member of a criterion; known are field, operator, value',
    ],
    [
      Array.from({ length: 101 }, () => ({ field: 'name', value: 'a' })),
      'At most 100 criteria are accepted; 101 were sent.',
    ],
  ])('in another shape, %j, are refused', (criteria, message) => {
    expect(refusal(criteria)).toMatchObject({ code: 'BAD_REQUEST', message });
  });

  it('name no more than ten unknown members, and no more than the beginning of a long one', () => {
    const unknown = Array.from({ length: 2000 }, (_member, index) => [`${index}${'x'.repeat(500)}`, 1]);
    const { message } = refusal([Object.fromEntries(unknown)]) as { readonly message: string };

    expect(message.match(/is not a member of a criterion/g)).toHaveLength(10);
    expect(message.length).toBeLessThan(3000);
  });

  it('do not read members that every object inherits', () => {
    const inherited = Object.create({ field: 'name', value: 'a' }) as object;
    expect(() => parseCriteria(type, [inherited])).toThrow('[0].field must be the name of a field');
  });
});
