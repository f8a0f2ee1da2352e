import type { BaseItem } from '@gantry/plugin-api';
import type { LOCK, Transaction } from 'sequelize';
import type { CompiledItemType, ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { attributesOf } from './item-changes';
import { replaceLinks } from './item-links';
import { withAuthor } from './with-author';
import type { WriteDependencies } from './write-dependencies';
import { itemNotFound } from './write-problems';

/** Reads an item and locks it until the end of the transaction. @throws GantryError ITEM_NOT_FOUND */
export async function loadLocked(
  { descriptor, model }: CompiledItemType,
  id: string,
  { transaction, lock }: { readonly transaction: Transaction; readonly lock: LOCK },
): Promise<BaseItem> {
  const item = await model.findByPk(id, { transaction, lock });
  if (item === null) throw itemNotFound(descriptor, id);
  return item;
}

/** Stores changed values through the model of the item, as its next version. */
export async function saveChanges(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  item: BaseItem,
  changed: StoredValues,
  transaction: Transaction,
): Promise<void> {
  item.set(attributesOf(type, withAuthor(dependencies.scope, type, 'update', changed)));
  // A change of links alone is a change of the item too: it must raise the version.
  item.changed('updatedAt', true);
  await item.save({ transaction });
  await replaceLinks(dependencies, type, item.id, changed, transaction);
}
