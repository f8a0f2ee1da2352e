import { changeFunctions } from '../changes/change-tables';
import { quoteIdentifier } from '../identifiers';
import { searchFunction } from '../search/search-tables';

/** A statement that drops the functions of the triggers that a table had. */
export function dropTriggerFunctions(table: string): string {
  const names = [searchFunction(table), ...Object.values(changeFunctions(table))];
  return `DROP FUNCTION IF EXISTS ${names.map((name) => `public.${quoteIdentifier(name)}()`).join(', ')}`;
}
