import type { FieldKind } from './field-kind';
import type { FieldRules } from './field-rules';

type Field = FieldRules & { readonly kind: FieldKind };

/** The fields that the value of a new item is made from; none where it is not. */
export function sourcesOf(field: Field): readonly string[] {
  return field.kind.derivation?.from(field) ?? [];
}

/** Whether a new item must be given the value: it gets none by itself. */
export function mustBeGiven(field: Field): boolean {
  return field.required && field.default === undefined && sourcesOf(field).length === 0;
}
