import type { Transaction } from 'sequelize';
import { addLinks } from './bulk-columns';
import type { BulkChange, BulkOutcome, BulkTransaction } from './bulk-write';
import { type CompiledItemType, isLinked } from '../../compile/descriptor';
import { attributesOf } from '../item-changes';
import { itemNotFound } from '../write-problems';
import type { StoredValues } from '../../kinds/field-kind';
import { isPlainModel } from '../plain-model';
import { unlinkAllStatement } from '../../sql/bulk-statements';

type Query = BulkTransaction['query'];

/** Whether items may be changed without their model, which adds nothing. */
export function isPlainToUpdate(type: CompiledItemType): boolean {
  const { model } = type;
  const hasHook = updateHooks.some((hook) => model.hasHook(hook) || (model.sequelize?.hasHook(hook) ?? false));
  return !hasHook && isPlainModel(type);
}

const updateHooks = ['beforeUpdate', 'afterUpdate'] as const;

/** Creates one item through its model, with hooks and validators. */
export async function createThroughModel(
  { descriptor, stored = descriptor, model }: CompiledItemType,
  values: StoredValues,
  query: Query,
  transaction: Transaction,
  given?: string,
): Promise<BulkOutcome> {
  const attributes = attributesOf(stored, values);
  const item = await model.create(given === undefined ? attributes : { ...attributes, id: given }, { transaction });
  const id = item.id;
  await addLinks(stored, [{ id, values }], query);
  return { status: 'written', id };
}

/** Changes one item through its model, with hooks and validators. */
export async function updateThroughModel(
  { descriptor, model }: CompiledItemType,
  { id, values }: BulkChange,
  query: Query,
  transaction: Transaction,
): Promise<BulkOutcome> {
  const item = await model.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (item === null) throw itemNotFound(descriptor, id);
  item.set(attributesOf(descriptor, values));
  // A change of links alone is a change of the item too: it must raise the version.
  item.changed('updatedAt', true);
  await item.save({ transaction });
  for (const field of descriptor.fields) {
    if (isLinked(field) && values.has(field.name)) await query(unlinkAllStatement(field), [[id]]);
  }
  await addLinks(descriptor, [{ id, values }], query);
  return { status: 'written', id };
}
