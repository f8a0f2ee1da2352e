import { originSeparator } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import type { Actor, Scope } from './scope';

/** By which way an item is changed. Migrations, and SQL that is not the platform's, need no setting. */
export type WriteSource = 'rest' | 'import' | 'plugin' | 'system';

/** The value of the setting by which triggers learn who changes items, and of which version a restored item is. */
export function changeOrigin(
  scope: Scope,
  source: WriteSource = sourceOf(scope.actor),
  restoredVersion?: number,
): string {
  const { actor, requestId, tokenId } = scope;
  const request = requestId === 'none' ? '' : requestId;
  const parts = [actorText(actor), source, request, tokenId ?? '', restoredVersion ?? ''];
  return parts.map((part) => String(part).replaceAll(unusual, '')).join(originSeparator);
}

/** As in the audit log. */
function actorText(actor: Actor): string {
  if (actor.kind === 'system') return 'system';
  return /^\d+$/.test(actor.id) || actor.kind === 'plugin' ? `${actor.kind}:${actor.id}` : actor.id;
}

function sourceOf({ kind }: Actor): WriteSource {
  return kind === 'user' ? 'rest' : kind;
}

/** Control characters, which separate the parts or cannot be stored. */
const unusual = /[\u0000-\u001f]/g;

/** The values with the user who writes them; null for anything but a user who is signed in. */
export function withAuthor(
  { actor }: Scope,
  { hasAuthors }: ItemTypeDescriptor,
  action: 'create' | 'update',
  values: StoredValues,
): StoredValues {
  if (!hasAuthors) return values;
  const author = actor.kind === 'user' && /^\d+$/.test(actor.id) ? actor.id : null;
  const signed = new Map(values);
  if (action === 'create') signed.set('createdBy', author);
  return signed.set('updatedBy', author);
}
