import type { StoredValue } from '../kinds/field-kind';
import type { FieldDescriptor } from '../compile/descriptor';

/** Whether a sent value equals the stored one; for a number, `12.5` and `12.5000` are the same. */
export function isSameValue(field: FieldDescriptor, sent: StoredValue, stored: StoredValue): boolean {
  if (Array.isArray(sent) && Array.isArray(stored)) {
    return sent.length === stored.length && sent.every((id, index) => id === stored[index]);
  }
  if (sent === stored) return true;
  return sent !== null && stored !== null && field.kind.isSame(sent, stored);
}
