import fc from 'fast-check';
import type { CriterionEntry } from '../src/api/items';
import { entryText, readEntry } from '../src/content/list/filter/criteria-address';
import { formatListState, parseListState } from '../src/content/list/list-state';

const name = fc.constantFrom('code', 'EQUALS', 'SKU', '$price', 'any', 'a_1');
const criterion = fc.record({
  field: fc.oneof(
    name,
    fc.tuple(name, name).map((names) => names.join('.')),
  ),
  operator: fc.constantFrom('EQUALS', 'IN', 'WITHIN', 'NOT_EQUALS'),
  value: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('EQUALS.x', '{"any":[]}', 'a.b\nc', '["A","B"]')),
});
const { entry } = fc.letrec<{ entry: CriterionEntry; group: CriterionEntry }>((tie) => ({
  entry: fc.oneof({ maxDepth: 2, depthIdentifier: 'group' }, criterion, tie('group')),
  group: fc
    .tuple(fc.boolean(), fc.array(tie('entry'), { minLength: 1, maxLength: 3, depthIdentifier: 'group' }))
    .map(([isAny, members]) => (isAny ? { any: members } : { all: members })),
}));

describe('the filters of an address', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (criteria) => {
        const state = parseListState(new URLSearchParams());
        const address = formatListState({ ...state, criteria });
        expect(parseListState(new URLSearchParams(address)).criteria).toEqual(criteria);
      }),
    );
  });

  it.each([
    ['name.CONTAINS.a.b', { field: 'name', operator: 'CONTAINS', value: 'a.b' }],
    ['catalog.code.EQUALS.A.b', { field: 'catalog.code', operator: 'EQUALS', value: 'A.b' }],
    ['name.EQUALS.EQUALS.x', { field: 'name', operator: 'EQUALS', value: 'EQUALS.x' }],
  ])('are short for a single one: %s', (text, read) => {
    expect(readEntry(text)).toEqual([read]);
    expect(entryText(read)).toBe(text);
  });

  it.each([
    ...[
      '',
      'a',
      'a.b',
      'a.b.c.EQUALS.x',
      'a.equals.x',
      '.EQUALS.x',
      '{',
      '{}',
      '{"any":[]}',
      '{"any":{}}',
      '{"any":["x"]}',
    ],
    ...['{"any":[null]}', '{"any":[{"field":"a","operator":"EQUALS","value":1}]}', '{"field":"a"}', '[]'],
    '{"any":[{"field":"a","operator":"EQUALS","value":"1"}],"all":[]}',
    `${'{"any":['.repeat(4)}{"field":"a","operator":"EQUALS","value":"1"}${']}'.repeat(4)}`,
    `${'{"any":['.repeat(5_000)}${']}'.repeat(5_000)}`,
  ])('that cannot be read are left out: %.60s', (text) => {
    expect(readEntry(text)).toEqual([]);
  });
});
