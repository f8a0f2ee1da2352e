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
