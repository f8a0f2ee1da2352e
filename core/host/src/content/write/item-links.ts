import type { Sequelize, Transaction } from 'sequelize';
import { type FieldDescriptor, type ItemTypeDescriptor, isLinked } from '../compile/descriptor';
import type { StoredValues } from '../kinds/field-kind';
import { quoteIdentifier } from '../../database/identifiers';

/** Where links are written: in the transaction of their item. */
interface LinkDependencies {
  readonly sequelize: Sequelize;
}

/** Writes the MULTIPLE references among the values, in their order, and removes those before. */
export async function replaceLinks(
  dependencies: LinkDependencies,
  type: ItemTypeDescriptor,
  id: string,
  values: StoredValues,
  transaction: Transaction,
): Promise<void> {
  for (const field of type.fields) {
    const ids = values.get(field.name);
    if (!isLinked(field) || !Array.isArray(ids)) continue;
    await dependencies.sequelize.query(unlinkStatement(field), { bind: [id], transaction });
    if (ids.length > 0) await dependencies.sequelize.query(linkStatement(field), { bind: [id, ids], transaction });
  }
}

/** The ids that a MULTIPLE reference lists, in order. */
export async function linkedIds(
  dependencies: LinkDependencies,
  field: FieldDescriptor,
  id: string,
  transaction: Transaction,
): Promise<readonly string[]> {
  const [rows] = await dependencies.sequelize.query(linkedIdsStatement(field), { bind: [id], transaction });
  return (rows as readonly { readonly target_id: string }[]).map((row) => String(row.target_id));
}

/** Parameters: id of the item. */
function unlinkStatement(field: FieldDescriptor): string {
  return `DELETE FROM ${linkTable(field)} WHERE item_id = $1::bigint`;
}

/** Parameters: id of the item, ids of the targets in order. */
function linkStatement(field: FieldDescriptor): string {
  return (
    `INSERT INTO ${linkTable(field)} (item_id, target_id, position)` +
    ` SELECT $1::bigint, u.target, u.position FROM unnest($2::bigint[]) WITH ORDINALITY AS u(target, position)`
  );
}

/** Parameters: id of the item. */
function linkedIdsStatement(field: FieldDescriptor): string {
  return `SELECT target_id FROM ${linkTable(field)} WHERE item_id = $1::bigint ORDER BY position`;
}

function linkTable(field: FieldDescriptor): string {
  return quoteIdentifier(field.reference?.linkTable ?? '');
}
