import { quoteIdentifier } from '../../database/identifiers';
import type { ItemTypeDescriptor } from '../compile/descriptor';

/**
 * The items of a type that its policy shows, to be selected from with an alias. PostgreSQL plans the condition with those of
 * the statement around it, as if it stood there.
 */
export function rowsOf({ table, rows }: Pick<ItemTypeDescriptor, 'table' | 'rows'>): string {
  const name = quoteIdentifier(table);
  return rows?.read === undefined ? name : `(SELECT t.* FROM ${name} t WHERE ${rows.read})`;
}

/** Parameters: id. One row, of whether the item meets each of the conditions; none when there is no such item, hidden or not. */
export function metStatement({ table }: Pick<ItemTypeDescriptor, 'table'>, conditions: readonly string[]): string {
  const met = conditions.map((condition) => `coalesce(${condition}, false)`);
  return `SELECT ARRAY[${met.join(', ')}]::boolean[] AS met FROM ${quoteIdentifier(table)} t WHERE t.id = $1::bigint`;
}
