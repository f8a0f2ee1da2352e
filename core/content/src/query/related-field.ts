import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';

/** A reference, and the type of the items that it refers to as the policy shows it. */
export interface Relation {
  readonly field: FieldDescriptor;
  readonly target: ItemTypeDescriptor;
}

/** A field of the items that a reference refers to, and the name that it has there. */
export interface RelatedName extends Relation {
  readonly name: string;
}

/**
 * Reads a name such as `catalog.code`: no field has a point in its name. What a policy hides (the reference, its target, or the field of
 * that) is not among the types and fields that are looked through, and so is as good as unknown.
 */
export function relatedName(type: ItemTypeDescriptor, text: string, types: ItemTypes): RelatedName | undefined {
  const [reference, name, ...others] = text.split('.');
  if (name === undefined || others.length > 0) return undefined;
  const field = type.fields.find((candidate) => candidate.name === reference);
  const target = field?.reference === undefined ? undefined : types.find(field.reference.target)?.descriptor;
  return field === undefined || target === undefined ? undefined : { field, target, name };
}
