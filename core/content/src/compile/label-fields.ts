import type { FieldDescriptor, ItemTypeDescriptor } from './descriptor';

/** The fields that an item is recognised by (specification 4.5). */
export function labelFieldsOf(type: ItemTypeDescriptor): readonly FieldDescriptor[] {
  return type.labelFields.flatMap((name) => type.fields.find((field) => field.name === name) ?? []);
}

/** The label field that people look an item up by; undefined when none is named a code. */
export function codeFieldOf(type: ItemTypeDescriptor): FieldDescriptor | undefined {
  return labelFieldsOf(type).find(({ name }) => /code/i.test(name));
}
