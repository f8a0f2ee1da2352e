import type { Transaction } from 'sequelize';
import { transactionStatements } from '../../database/transaction-statements';
import type { JsonObject } from '../../common/json';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { rowRightsOf, type RowRights } from './row-rights';
import type { WriteDependencies, WrittenRow } from './write-dependencies';
import { itemNotFound } from './write-problems';

export function sentFields({ fields }: ItemTypeDescriptor, payload: JsonObject): readonly string[] {
  return fields.flatMap(({ name }) => (Object.hasOwn(payload, name) ? [name] : []));
}

export function rightsOn(
  { sequelize }: WriteDependencies,
  type: ItemTypeDescriptor,
  id: string,
  transaction: Transaction,
): Promise<RowRights | undefined> {
  return rowRightsOf(type, id, async <R extends object>(sql: string, bind: readonly unknown[]) => {
    const [rows] = await sequelize.query(sql, { bind: [...bind], transaction });
    return rows as readonly R[];
  });
}

export async function readBack(
  dependencies: WriteDependencies,
  type: ItemTypeDescriptor,
  id: string,
  transaction: Transaction,
): Promise<WrittenRow> {
  const { runStatement } = transactionStatements(transaction);
  const row = await dependencies.repository.within(runStatement).get(dependencies.scope, type, id);
  if (row === undefined) throw itemNotFound(type, id);
  return { id, ...row };
}
