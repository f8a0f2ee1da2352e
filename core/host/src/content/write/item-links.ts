import type { Sequelize, Transaction } from 'sequelize';
import type { FieldDescriptor, ItemTypeDescriptor } from '../compile/descriptor';
import { isLinked } from '../compile/is-linked';
import type { StoredValues } from '../kinds/field-kind';
import { linkStatement, linkedIdsStatement, unlinkStatement } from '../sql/link-statements';

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
