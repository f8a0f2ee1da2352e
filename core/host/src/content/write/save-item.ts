import type { BaseItem } from '@gantry/plugin-api';
import { literal, Op, type LOCK, type Transaction, type WhereOptions } from 'sequelize';
import { quoteIdentifier } from '../../database/identifiers';
import type { CompiledItemType, ItemTypeDescriptor } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { attributesOf } from './item-changes';
import { replaceLinks } from './item-links';
import { withAuthor } from './with-author';
import type { WriteDependencies } from './write-dependencies';
import { itemNotFound } from './write-problems';

interface LockOptions {
  readonly transaction: Transaction;
  readonly lock: LOCK;
}

/** Reads an item, whatever a policy shows, and locks it until the end of the transaction. @throws GantryError ITEM_NOT_FOUND */
export function loadLocked(type: CompiledItemType, id: string, options: LockOptions): Promise<BaseItem> {
  return lockOne(type, id, { ...options, where: { id } });
}

/**
 * The same of an item that the policy of the type shows. The statement has its condition: an item that is hidden is not locked, and
 * its request runs the same statements as one for an id that does not exist, so that time shows no difference.
 * @throws GantryError ITEM_NOT_FOUND
 */
export function loadShown(type: CompiledItemType, id: string, options: LockOptions): Promise<BaseItem> {
  const { table, rows } = type.descriptor;
  if (rows?.read === undefined) return loadLocked(type, id, options);
  // Conditions are about the alias `t`; Sequelize has another one.
  const isShown = literal(
    `EXISTS (SELECT FROM ${quoteIdentifier(table)} t WHERE t.id = ${BigInt(id)} AND (${rows.read}))`,
  );
  return lockOne(type, id, { ...options, where: { [Op.and]: [{ id }, isShown] } });
}

async function lockOne(
  { descriptor, model }: CompiledItemType,
  id: string,
  options: LockOptions & { readonly where: WhereOptions },
): Promise<BaseItem> {
  const item = await model.findOne(options);
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
