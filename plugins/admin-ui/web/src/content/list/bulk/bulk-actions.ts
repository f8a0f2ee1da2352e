import type { FormField, ItemMetadata } from '@gantry/contracts';
import { ApiError, isItemGone, messageOf } from '../../../api/api-error';
import { deleteItem, getItem, updateItem, type Item, type FormValue } from '../../../api/items';
import { payloadOf } from '../../form/form-values';

/** What is done with every item, and what came of it: the item as it is now, or undefined when it is gone. */
export type BulkAct = (item: Item, again: boolean) => Promise<Item | undefined>;

/** Deletes; what is gone already counts as deleted. */
export function deleting({ code }: ItemMetadata): BulkAct {
  return async (item, again) => {
    try {
      await deleteItem(code, again ? await getItem(code, item.id) : item);
    } catch (error) {
      if (!isItemGone(error)) throw error;
    }
    return undefined;
  };
}

/** Gives one field the same value everywhere. */
export function setting({ code }: ItemMetadata, field: FormField, value: FormValue): BulkAct {
  const payload = payloadOf([field], { [field.name]: value });
  return async (item, again) => updateItem(code, again ? await getItem(code, item.id) : item, payload);
}

/** Why an item was left as it is, in a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.status === 412) return 'It was changed after it was selected.';
  if (error instanceof ApiError && error.code === 'ITEM_REFERENCED') {
    return `It stays, because ${error.details.map(({ path, message }) => `${message} (${path})`).join(', ')}.`;
  }
  return messageOf(error);
}
