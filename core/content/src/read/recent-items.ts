import type { HostDatabase } from '@gantry/core-database';
import type { Scope } from '../policy/scope';
import { recentStatement } from '../sql/recent-statement';

/** Items in the answer at most. */
const limit = 10;

/**
 * The items that were created or changed last, of all types that people write, the latest first.
 * @returns a JSON array, as text
 */
export async function recentItems(scope: Scope, database: Pick<HostDatabase, 'query'>): Promise<string> {
  const types = scope.policy.types
    .served()
    .map(({ descriptor }) => descriptor)
    .filter(({ readOnly }) => !readOnly);
  if (types.length === 0) return '[]';
  const rows = await database.query({ sql: recentStatement(types, limit) });
  return `[${rows.map(([json]) => String(json)).join(',')}]`;
}
