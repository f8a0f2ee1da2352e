import type { FieldDescriptor } from '../compile/descriptor';
import type { Parsed } from '../kinds/field-kind';
import { checkStorable } from '../kinds/text-characters';

/** A value as the kind of the field reads it from text, if PostgreSQL can have the characters of both, whatever the kind accepts. */
export function convertText(field: FieldDescriptor, text: string): Parsed<string | boolean> {
  const storable = checkStorable(text);
  if (!storable.ok) return storable;
  const converted = field.kind.convert(text, field);
  return converted.ok && typeof converted.value === 'string' ? checkStorable(converted.value) : converted;
}
