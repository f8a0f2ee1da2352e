import type { ErrorDetail } from '@gantry/contracts';
import { writtenFields } from '../../compile/author-fields';
import { isReadOnly, type FieldDescriptor, type ItemTypeDescriptor } from '../../compile/descriptor';
import type { StoredValue, StoredValues } from '../../kinds/field-kind';
import { attributeName } from '../../compile/link-models';

/** The values as attributes of the Sequelize model; links are written apart. */
export function attributesOf(type: ItemTypeDescriptor, values: StoredValues): Record<string, StoredValue> {
  const attributes: Record<string, StoredValue> = {};
  for (const field of writtenFields(type)) {
    const value = values.get(field.name);
    if (field.column !== '' && value !== undefined) attributes[attributeName(field)] = value;
  }
  return attributes;
}

/** Of the sent values those that differ from the current ones. */
export function changedValues(type: ItemTypeDescriptor, sent: StoredValues, current: StoredValues): StoredValues {
  return new Map(
    type.fields.flatMap((field) => {
      const value = sent.get(field.name);
      if (value === undefined || isSameValue(field, value, current.get(field.name) ?? null)) return [];
      return [[field.name, value] as const];
    }),
  );
}

/** A problem for every changed field that is set on create only. */
export function lockedFields(type: ItemTypeDescriptor, changed: StoredValues): readonly ErrorDetail[] {
  return type.fields
    .filter((field) => !field.editableOnUpdate && changed.has(field.name))
    .map((field) => ({
      path: field.name,
      code: 'NOT_EDITABLE',
      message: `${field.name} ${isReadOnly(field) ? 'cannot be set by you' : 'can be set on create only'}`,
    }));
}

/** Whether a sent value equals the stored one; for a number, `12.5` and `12.5000` are the same. */
function isSameValue(field: FieldDescriptor, sent: StoredValue, stored: StoredValue): boolean {
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((id, index) => id === stored[index]);
  }
  if (sent === stored) return true;
  return sent !== null && stored !== null && field.kind.isSame(sent, stored);
}
