import type { DeletionEffect, FormField, ItemMetadata } from '@gantry/contracts';
import { ApiError, isItemGone, messageOf } from '../../../api/api-error';
import { deleteItem, getItem, updateItem, type Item, type FormValue } from '../../../api/items';
import { deletionText } from '../../deletion-text';
import { payloadOf } from '../../form/fields/form-values';
import { numberText } from '../../../api/json';
import type { BulkFailure } from './bulk-run';

/** Result of an action on one item. */
export interface BulkResult {
  /** As it was before; undefined where the item was gone already. */
  readonly before: Item | undefined;
  /** As it is now; undefined when it is gone. */
  readonly after: Item | undefined;
}

/** Action on each item. */
export type BulkAct = (item: Item, again: boolean) => Promise<BulkResult>;

/**
 * Deletes; what is gone already counts as deleted.
 * @param confirmed by the id of an item, what of the others was confirmed to go or change with it
 */
export function deleting({ code }: ItemMetadata, confirmed: ReadonlyMap<string, string>): BulkAct {
  return async (item, again) => {
    try {
      const before = again ? await getItem(code, item.id) : item;
      await deleteItem(code, before, confirmed.get(item.id));
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
    return `Not deleted, because ${error.details.map(({ path, message }) => `${message} (${path})`).join(', ')}.`;
  }
  if (error instanceof ApiError && error.deletion !== undefined) {
    return `Not deleted, because ${deletionText(error.deletion)} with it.`;
  }
  return messageOf(error);
}

/** Effects that must be confirmed before failed deletions are tried again. */
export interface OpenDeletions {
  readonly count: number;
  /** By the id of the item. */
  readonly confirmations: ReadonlyMap<string, string>;
  /** Of all of them together; what refers to several of them is counted for each. */
  readonly effects: readonly DeletionEffect[];
}

/** Of failed deletions those that wait for a confirmation. */
export function openDeletions(failures: readonly BulkFailure[]): OpenDeletions {
  const confirmations = new Map<string, string>();
  const effects = new Map<string, DeletionEffect>();
  for (const { item, error } of failures) {
    if (!(error instanceof ApiError) || error.deletion === undefined) continue;
    confirmations.set(item.id, error.deletion.confirm);
    for (const effect of error.deletion.effects) {
      const key = `${effect.type} ${effect.action}`;
      effects.set(key, { ...effect, count: Number(numberText(effect.count)) + (effects.get(key)?.count ?? 0) });
    }
  }
  return { count: confirmations.size, confirmations, effects: [...effects.values()] };
}
