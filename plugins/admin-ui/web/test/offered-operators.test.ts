import type { SearchField } from '@gantry/contracts';
import { offeredOperators } from '../src/content/list/filter/filter-form';

const common = ['NOT_EQUALS', 'IN', 'EMPTY'];
const ordered = ['EQUALS', 'MORE_THAN', 'LESS_THAN', ...common];

const offered = (type: string, operators: readonly string[] | undefined, options?: readonly string[]) =>
  offeredOperators({ name: 'f', displayName: 'F', type, operators, options } as SearchField);

describe('the operators that are offered for a field', () => {
  it.each([
    ['field-kinds.money', ordered, 'EQUALS'],
    ['field-kinds.uuid', [...ordered, 'BETWEEN'], 'EQUALS'],
    ['field-kinds.keyvalue', ['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN', 'EMPTY'], 'CONTAINS'],
    ['geo.point', ['WITHIN', 'EMPTY'], 'WITHIN'],
    ['string', ['EQUALS', 'CONTAINS', 'MORE_THAN', 'LESS_THAN', ...common, 'BETWEEN', 'STARTS_WITH'], 'CONTAINS'],
    ['number', [...ordered, 'BETWEEN'], 'EQUALS'],
    ['boolean', ['EQUALS', ...common], 'EQUALS'],
    ['enum', ['EQUALS', ...common], 'EQUALS'],
    ['date', [...ordered, 'CONTAINS', 'BETWEEN', 'BEFORE', 'AFTER'], 'EQUALS'],
    ['datetime', [...ordered, 'BETWEEN', 'BEFORE', 'AFTER'], 'BEFORE'],
    ['unknown', ['LESS_THAN', 'EMPTY'], 'LESS_THAN'],
  ])('of the type %s are those of the metadata, each once, with a first one that helps', (type, operators, first) => {
    const found = offered(type, operators);
    expect(found.toSorted()).toEqual(operators.toSorted());
    expect(found[0]).toBe(first);
  });

  it('begin with the comparison where the field has options, whatever its type', () => {
    expect(offered('string', ['CONTAINS', 'EQUALS', 'IN'], ['A'])).toEqual(['EQUALS', 'CONTAINS', 'IN']);
    expect(offered('enum', ['EQUALS', 'IN'], ['A'])).toEqual(['EQUALS', 'IN']);
  });

  it('are those of the kind where the metadata has none, as for the id', () => {
    expect(offered('number', undefined)).toEqual(['EQUALS', 'MORE_THAN', 'LESS_THAN']);
  });
});
