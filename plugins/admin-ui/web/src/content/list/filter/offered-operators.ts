import type { OperatorName, SearchField } from '@gantry/contracts';
import { kindOf } from '../../kinds/registry';

/**
 * The operators of a field as its metadata has them, the first of which is chosen until the reader chooses another one: what helps most,
 * then the others. A field without any in the metadata, such as the id, has those of its kind.
 */
export function offeredOperators({ type, options, operators }: SearchField): readonly OperatorName[] {
  const { operators: usual } = kindOf(type);
  if (operators === undefined) return usual;
  const helpful = (options === undefined ? usual : ofChoices).filter((one) => operators.includes(one));
  return [...helpful, ...operators.filter((one) => !helpful.some((known) => known === one))];
}

/** Of a choice, only one value can be meant, whatever its type. */
const ofChoices: readonly OperatorName[] = ['EQUALS', 'CONTAINS'];

/** Of an operator that takes another value than one of the field, its name; undefined for the others. */
export function differentValueOf(operator: string): 'EMPTY' | 'IN' | 'BETWEEN' | undefined {
  return (['EMPTY', 'IN', 'BETWEEN'] as const).find((one) => one === operator);
}
