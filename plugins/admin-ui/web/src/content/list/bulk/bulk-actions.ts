import type { FormField, ItemMetadata } from '@gantry/contracts';
import { ApiError, isItemGone, messageOf } from '../../../api/api-error';
import { deleteItem, getItem, updateItem, type Item, type FormValue } from '../../../api/items';
import { deletionText } from '../../deletion-text';
import { payloadOf } from '../../form/form-values';

/** What came of an action on one item. */
export interface BulkResult {
  /** As it was before; undefined where the item was gone already. */
  readonly before: Item | undefined;
  /** As it is now; undefined when it is gone. */
  readonly after: Item | undefined;
}

/** What is done with every item. */
export type BulkAct = (item: Item, again: boolean) => Promise<BulkResult>;

/** Deletes; what is gone already counts as deleted. */
export function deleting({ code }: ItemMetadata): BulkAct {
  return async (item, again) => {
    try {
      const before = again ? await getItem(code, item.id) : item;
      await deleteItem(code, before);
      return { before, after: undefined };
    } catch (error) {
      if (!isItemGone(error)) throw error;
      return { before: undefined, after: undefined };
    }
  };
}

/** Gives one field the same value everywhere. */
export function setting({ code }: ItemMetadata, field: FormField, value: FormValue): BulkAct {
  const payload = payloadOf([field], { [field.name]: value });
  return async (item, again) => {
    const before = again ? await getItem(code, item.id) : item;
    return { before, after: await updateItem(code, before, payload) };
  };
}

/** Why an item was left as it is, in a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 412) return 'It was changed after it was selected.';
  if (error instanceof ApiError && error.code === 'ITEM_REFERENCED') {
    return `It stays, because ${error.details.map(({ path, message }) => `${message} (${path})`).join(', ')}.`;
  }
  if (error instanceof ApiError && error.deletion !== undefined) {
    return `It stays, because ${deletionText(error.deletion)} with it. Delete it on its own to confirm that.`;
  }
  return messageOf(error);
}
