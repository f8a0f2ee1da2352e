import type { Item } from '../../api/items';
import { neededDigits } from '../kinds/number/digits';
import { kindOf } from '../kinds/registry';
import type { TableColumn } from './columns';

/**
 * Columns of numbers with as many digits after the point as some value of the page needs. Zeros that follow them in every
 * value only reflect how the database stores the column.
 */
export function withFractions(columns: readonly TableColumn[], items: readonly Item[]): readonly TableColumn[] {
  return columns.map((column) =>
    kindOf(column.type).isNumeric
      ? { ...column, fraction: Math.max(0, ...items.map(({ values }) => neededDigits(values[column.name]))) }
      : column,
  );
}
