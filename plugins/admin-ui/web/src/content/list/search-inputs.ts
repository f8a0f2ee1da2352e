import type { ItemMetadata, Operator, SearchField } from '@gantry/contracts';

/** The id can be searched for in every type (specification, section 4.4). */
const idField: SearchField = { name: 'id', displayName: 'Id', type: 'number' };

/** What the search bar offers: the searchable fields and the id. */
export function searchInputs(metadata: ItemMetadata): readonly SearchField[] {
  return [...metadata.searchable, idField];
}

/** Numbers can be compared, other fields searched (specification, section 4.5); where only one value can be meant, only EQUALS helps. */
export function operatorsFor(field: SearchField): readonly Operator[] {
  if (field.type === 'number') return ['EQUALS', 'MORE_THAN', 'LESS_THAN'];
  if (field.type === 'boolean' || field.type === 'reference' || field.options !== undefined) {
    return ['EQUALS', 'CONTAINS'];
  }
  return ['CONTAINS', 'EQUALS'];
}

export const operatorLabels: Readonly<Record<Operator, string>> = {
  CONTAINS: 'contains',
  EQUALS: 'equals',
  MORE_THAN: 'more than',
  LESS_THAN: 'less than',
};
