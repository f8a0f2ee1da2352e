import type { HostDatabase } from '../database/create-database';
import { quoteIdentifier } from '../database/identifiers';
import type { ItemTypeDescriptor } from './descriptor';

/** Whether there is an item of any of the types. One statement, which ends at the first that it finds. */
export async function hasItems(
  database: Pick<HostDatabase, 'query'>,
  types: readonly Pick<ItemTypeDescriptor, 'table'>[],
): Promise<boolean> {
  if (types.length === 0) return false;
  const found = types.map(({ table }) => `EXISTS (SELECT FROM ${quoteIdentifier(table)})`);
  const [row] = await database.query({ sql: `SELECT ${found.join(' OR ')}` });
  return row?.[0] === true;
}
