import type { HostDatabase } from '@gantry/core-database';
import type { ItemTypeDescriptor } from '../compile/descriptor';
import { metStatement } from '../sql/rows';

/** Which of the SQL conditions of a policy an item meets, also one that is hidden; undefined when there is no such item. */
export async function conditionsMet(
  database: Pick<HostDatabase, 'query'>,
  type: ItemTypeDescriptor,
  id: string,
  conditions: readonly string[],
): Promise<readonly boolean[] | undefined> {
  const [row] = await database.query({ sql: metStatement(type, conditions), values: [id] });
  return row?.[0] as readonly boolean[] | undefined;
}
