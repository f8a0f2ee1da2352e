import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import type { Scope } from '../policy/scope';

/** The values with the user who writes them; null for anything but a user who is signed in. */
export function withAuthor(
  { actor }: Scope,
  { hasAuthors }: ItemTypeDescriptor,
  action: 'create' | 'update',
  values: StoredValues,
): StoredValues {
  if (!hasAuthors) return values;
  const author = actor.kind === 'user' && /^\d+$/.test(actor.id) ? actor.id : null;
  return new Map([
    ...values,
    ...(action === 'create' ? [['createdBy', author] as const] : []),
    ['updatedBy', author] as const,
  ]);
}
