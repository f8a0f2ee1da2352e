import {
  describeCondition,
  evaluateConditions,
  fieldsDecidingOn,
  type ConditionalField,
  type FieldCondition,
} from '../src/field-conditions';

const isMet = (condition: FieldCondition, value: unknown): boolean =>
  evaluateConditions([{ name: 'it', visibleIf: condition }], () => value).isVisible('it');

describe('a condition', () => {
  it.each<[FieldCondition, unknown, boolean]>([
    [{ field: 'a', equals: 'x' }, 'x', true],
    [{ field: 'a', equals: 'x' }, 'X', false],
    [{ field: 'a', equals: 'x' }, null, false],
    [{ field: 'a', notEquals: 'x' }, null, true],
    [{ field: 'a', notEquals: 'x' }, 'x', false],
    [{ field: 'a', in: ['x', 'y'] }, 'y', true],
    [{ field: 'a', in: ['x', 'y'] }, 'z', false],
    [{ field: 'a', equals: 12.5 }, '12.5000', true],
    [{ field: 'a', equals: 0 }, '', false],
    [{ field: 'a', equals: false }, false, true],
    [{ field: 'a', equals: true }, 'true', true],
    [{ field: 'a', equals: false }, undefined, false],
    [{ field: 'a', empty: true }, ' ', true],
    [{ field: 'a', empty: true }, [], true],
    [{ field: 'a', empty: false }, 0, true],
    [{ field: 'a', empty: false }, false, true],
    [
      {
        all: [
          { field: 'a', empty: false },
          { field: 'a', notEquals: 'x' },
        ],
      },
      'x',
      false,
    ],
    [
      {
        any: [
          { field: 'a', empty: true },
          { field: 'a', equals: 'x' },
        ],
      },
      'x',
      true,
    ],
    [{ all: [] }, 'x', true],
  ])('%j on %j is met: %s', (condition, value, expected) => {
    expect(isMet(condition, value)).toBe(expected);
  });

  it('takes a field that is not shown for one without a value', () => {
    const fields: readonly ConditionalField[] = [
      { name: 'kind' },
      { name: 'url', visibleIf: { field: 'kind', equals: 'LINK' } },
      { name: 'label', visibleIf: { field: 'url', empty: false }, requiredIf: { field: 'url', equals: '/' } },
    ];
    const on = (kind: string) => evaluateConditions(fields, (name) => (name === 'kind' ? kind : '/'));

    expect([on('LINK').isVisible('label'), on('LINK').isRequired('label')]).toEqual([true, true]);
    expect([on('TEXT').isVisible('label'), on('TEXT').isRequired('label')]).toEqual([false, false]);
    expect(fieldsDecidingOn(fields[2] as ConditionalField, fields)).toEqual(new Set(['url', 'kind']));
  });

  it('ends for fields that decide on each other', () => {
    const fields = [
      { name: 'a', visibleIf: { field: 'b', empty: false } },
      { name: 'b', visibleIf: { field: 'a', empty: false } },
    ];

    expect(evaluateConditions(fields, () => 'x').isVisible('a')).toBe(true);
  });

  it('can be read', () => {
    const condition: FieldCondition = {
      any: [
        {
          all: [
            { field: 'kind', equals: 'LINK' },
            { field: 'url', empty: false },
          ],
        },
        { field: 'size', in: [1, 2] },
        { field: 'size', notEquals: 3 },
        { field: 'note', empty: true },
      ],
    };

    expect(describeCondition(condition)).toBe(
      '(kind is LINK and url has a value) or size is one of 1, 2 or size is not 3 or note is empty',
    );
  });
});
