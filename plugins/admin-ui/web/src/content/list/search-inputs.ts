import type { ItemMetadata, Operator, SearchField } from '@gantry/contracts';
import { numberKind } from '../kinds/number';
import { kindOf } from '../kinds/registry';

/** The id can be searched for in every type (specification, section 4.4). */
const idField: SearchField = {
  name: 'id',
  displayName: 'Id',
  type: numberKind.type.toLowerCase() as SearchField['type'],
};

/** What the search bar offers: the searchable fields and the id. */
export function searchInputs(metadata: ItemMetadata): readonly SearchField[] {
  return [...metadata.searchable, idField];
}

/** Of a choice, only one value can be meant. */
export function operatorsFor({ type, options }: SearchField): readonly Operator[] {
  return options === undefined ? kindOf(type).operators : ['EQUALS', 'CONTAINS'];
}

export const operatorLabels: Readonly<Record<Operator, string>> = {
  CONTAINS: 'contains',
  EQUALS: 'equals',
  MORE_THAN: 'more than',
  LESS_THAN: 'less than',
};
