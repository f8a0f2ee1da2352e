import type { BaseItem } from '@gantry/plugin-api';
import { literal, Op, type LOCK, type Transaction, type WhereOptions } from 'sequelize';
import { quoteIdentifier } from '@gantry/core-database';
import type { CompiledItemType } from '../compile/descriptor';
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
