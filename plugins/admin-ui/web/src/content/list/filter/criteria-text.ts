import type { Criterion, ItemMetadata, SearchField } from '@gantry/contracts';
import type { CriterionEntry } from '../../../api/items';
import { numberType } from '../../kinds/number';

export function isCriterion(entry: CriterionEntry): entry is Criterion {
  return 'field' in entry;
}

/** The field of a referenced item that a criterion names, as `catalog.code`. */
export function relatedParts(name: string): { readonly reference: string; readonly related: string | undefined } {
  const [reference = '', related] = name.split('.', 2);
  return { reference, related };
}

export function isSame(left: Criterion, right: Criterion): boolean {
  return left.field === right.field && left.operator === right.operator && left.value === right.value;
}

/** The id can be searched for in every type (specification, section 4.4). */
const idField: SearchField = {
  name: 'id',
  displayName: 'Id',
  type: numberType.toLowerCase() as SearchField['type'],
};

/** Fields of filters: the searchable fields and the id. */
export function searchInputs(metadata: ItemMetadata): readonly SearchField[] {
  return [...metadata.searchable, idField];
}

export function operatorLabel(operator: string): string {
  return operatorLabels[operator] ?? operator.toLowerCase().replaceAll('_', ' ');
}

const operatorLabels: Readonly<Record<string, string>> = {
  CONTAINS: 'contains',
  EQUALS: 'equals',
  MORE_THAN: 'more than',
  LESS_THAN: 'less than',
  NOT_EQUALS: 'is not',
  IN: 'is one of',
  EMPTY: 'is empty',
};

/** The values of the JSON array that a criterion has; undefined for anything else, which an address may have. */
export function textsOf(value: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) && list.every(isPlain) ? list.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
