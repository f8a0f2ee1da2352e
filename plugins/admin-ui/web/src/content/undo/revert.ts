import { ApiError, messageOf } from '../../api/api-error';
import { restoreItem, versionOf } from '../../api/changes';
import { getItem, type Item } from '../../api/items';
import type { DoneItem } from './undo-store';

/**
 * Brings an item back to what it was.
 * @throws ApiError when the platform is unavailable; Error with the reason why this item cannot be restored
 */
export async function revert(type: string, { before, after }: DoneItem): Promise<void> {
  const { id } = before;
  const [version, current] = [versionOf(before), after === undefined ? undefined : versionOf(after)];
  // The value was the same before.
  if (after !== undefined && version === current) return;
  try {
    await restoreItem({ type, id, ...(after === undefined ? {} : { version, current }) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 400) throw new Error(restoreReason(error), { cause: error });
    if (error.status !== 412) throw error;
    // An attempt whose answer did not arrive may have restored it.
    if (isSame(await getItem(type, id), before)) return;
    throw new Error('It was changed again in the meantime. Restore it from its history.', { cause: error });
  }
}

/** Why an item was not restored: what the platform says of its fields. */
export function restoreReason(error: unknown): string {
  const details = error instanceof ApiError ? error.details : [];
  return details.length === 0 ? messageOf(error) : details.map(({ message }) => message).join(' ');
}

function isSame(now: Item, before: Item): boolean {
  return JSON.stringify(fieldsOf(now)) === JSON.stringify(fieldsOf(before));
}

function fieldsOf({ values }: Item): object {
  const { version: _version, updatedAt: _updatedAt, ...fields } = values;
  return fields;
}
