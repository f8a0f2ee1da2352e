import type { SearchField } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { metadataQuery } from '../../../api/queries';
import { targetType } from '../../target-type';
import { relatedParts, searchInputs } from './criteria-text';

/** The field that a criterion names, also of a referenced item, and what people call it. */
export function useFilterField(
  inputs: readonly SearchField[],
  fieldName: string,
): { readonly field: SearchField | undefined; readonly name: string } {
  const { reference, related } = relatedParts(fieldName);
  const input = inputs.find(({ name }) => name === reference);
  const fields = useRelatedFields(related === undefined ? undefined : input);
  if (related === undefined) return { field: input, name: input?.displayName ?? fieldName };
  const field = fields?.find(({ name }) => name === related);
  return { field, name: relatedName(input?.displayName ?? reference, field?.displayName ?? related) };
}

/** Fields of the target by which a reference can be compared; undefined while they are not known, or for other fields. */
export function useRelatedFields(input: SearchField | undefined): readonly SearchField[] | undefined {
  const target = targetType(input?.reference);
  const { data } = useQuery({ ...metadataQuery(target ?? ''), enabled: target !== undefined });
  return target === undefined || data === undefined ? undefined : searchInputs(data);
}

export function relatedName(reference: string, field: string): string {
  return `${reference}: ${field}`;
}
