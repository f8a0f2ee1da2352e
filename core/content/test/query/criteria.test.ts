import { isGantryError, type GantryError } from '@gantry/plugin-api';
import { isComparison, parseCriteria, type ParsedCriteria } from '../../src/query/criteria';
import { parseJson } from '@gantry/core-common';
import { compileFields } from '../../../../test/support/content/declare-type';

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

function refusal(criteria: unknown): Pick<GantryError, 'code' | 'message' | 'details'> {
  try {
    parse(criteria);
  } catch (error) {
    if (isGantryError(error)) return { code: error.code, message: error.message, details: error.details };
    throw error;
  }
  throw new Error('The criteria were accepted.');
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
      message: expect.stringMatching(/100000 .* 100001/),
      details: [{ path: '', code: 'TOO_LONG', message: expect.any(String) }],
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
    const { code, message, details } = refusal([
      { field: 'size', operator: 'EQUALS', value: 'many' },
      { field: 'name', operator: 'EQUALS', value: 'fine' },
      { field: 'on', operator: 'EQUALS', value: 'perhaps' },
      { field: 'id', operator: 'EQUALS', value: '9223372036854775808' },
      { field: 'name', operator: 'CONTAINS', value: 'a\u0000b' },
    ]);
    expect([code, details]).toEqual([
      'BAD_REQUEST',
      [
        { path: '[0].value', code: 'WRONG_TYPE', message: expect.stringMatching(/"many" for size/) },
        { path: '[2].value', code: 'WRONG_TYPE', message: expect.stringMatching(/"perhaps" for on/) },
        { path: '[3].value', code: 'OUT_OF_RANGE', message: expect.stringMatching(/ for id .* 9223372036854775807$/) },
        { path: '[4].value', code: 'CHARACTER', message: expect.stringMatching(/"a\\u0000b" for name .*U\+0000/) },
      ],
    ]);
    expect(message).toBe(details?.map((problem) => problem.message).join('; '));
  });

  it.each([
    [[1], ['[0]']],
    [
      [null, []],
      ['[0]', '[1]'],
    ],
    [[{}], ['[0].field']],
    [[{ field: 1, value: 2, operator: 3 }], ['[0].field', '[0].operator', '[0].value']],
    [[{ field: 'name', value: 'a', fuzzy: true }], ['[0].fuzzy']],
    [JSON.parse('[{"field":"name","value":"a","__proto__":{}}]'), ['[0].__proto__']],
  ])('in another shape, %j, are refused', (criteria, paths) => {
    const { code, details } = refusal(criteria);
    expect([code, details?.map((problem) => [problem.path, problem.code])]).toEqual([
      'BAD_REQUEST',
      paths.map((path) => [path, 'CRITERION']),
    ]);
  });

  it.each([[null], [{}], ['text']])('are an array; %j is refused', (criteria) => {
    const { code, details } = refusal(criteria);
    expect([code, details]).toEqual(['BAD_REQUEST', [{ path: '', code: 'WRONG_TYPE', message: expect.any(String) }]]);
  });

  it('are at most a hundred', () => {
    const many = Array.from({ length: 101 }, () => ({ field: 'name', value: 'a' }));
    expect(refusal(many)).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/100 .* 101 /) });
  });

  it('name no more than ten unknown members, and no more than the beginning of a long one', () => {
    const unknown = Array.from({ length: 2000 }, (_member, index) => [`${index}${'x'.repeat(500)}`, 1]);
    const { message, details } = refusal([Object.fromEntries(unknown)]);

    expect(details?.filter(({ path }) => path !== '[0].field')).toHaveLength(10);
    expect(message.length).toBeLessThan(3000);
  });

  it('do not read members that every object inherits', () => {
    const inherited = Object.create({ field: 'name', value: 'a' }) as object;
    expect(refusal([inherited]).details).toMatchObject([{ path: '[0].field', code: 'CRITERION' }]);
  });
});
