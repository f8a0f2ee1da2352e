import type { HostDatabase } from '@gantry/core-database';
import { mayDo, type Scope } from '../policy/scope';
import { rowsOf } from '../sql/rows';

/** Whether there is an item of any type that the scope can create. One statement, which ends at the first that it finds. */
export async function hasItems(scope: Scope, database: Pick<HostDatabase, 'query'>): Promise<boolean> {
  const types = scope.policy.types.served().filter((type) => mayDo(scope, 'create', type));
  if (types.length === 0) return false;
  const found = types.map(({ descriptor }) => `EXISTS (SELECT FROM ${rowsOf(descriptor)} t)`);
  const [row] = await database.query({ sql: `SELECT ${found.join(' OR ')}` });
  return row?.[0] === true;
}
