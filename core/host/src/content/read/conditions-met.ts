import type { HostDatabase } from '../../database/create-database';
import { quoteIdentifier } from '../../database/identifiers';
import type { ItemTypeDescriptor } from '../compile/descriptor';

/** Which of the SQL conditions of a policy an item meets, also one that is hidden; undefined when there is no such item. */
export async function conditionsMet(
  database: Pick<HostDatabase, 'query'>,
  type: ItemTypeDescriptor,
  id: string,
  conditions: readonly string[],
): Promise<readonly boolean[] | undefined> {
  const columns = ['true', ...conditions.map((condition) => `coalesce(${condition}, false)`)];
  const [row] = await database.query({
    sql: `SELECT ${columns.join(', ')} FROM ${quoteIdentifier(type.table)} t WHERE t.id = $1::bigint`,
    values: [id],
  });
  return row?.slice(1).map((met) => met === true);
}
