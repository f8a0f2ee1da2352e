import { quoteIdentifier } from '@gantry/core-database';
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
  return `SELECT ${metBy(conditions)} AS met FROM ${quoteIdentifier(table)} t WHERE t.id = $1::bigint`;
}

/** An array of whether the row `t` meets each of the conditions. */
export function metBy(conditions: readonly string[]): string {
  return `ARRAY[${conditions.map((condition) => `coalesce(${condition}, false)`).join(', ')}]::boolean[]`;
}

/** Parameters: id. Fails unless the item meets the condition, so that nothing after it is run. */
export function failUnlessStatement({ table }: Pick<ItemTypeDescriptor, 'table'>, condition: string): string {
  return `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END FROM ${quoteIdentifier(table)} t WHERE t.id = $1::bigint`;
}
