import type { Item } from '../../../api/items';
import { neededDigits } from '../../kinds/number/digits';
import { kindOf } from '../../kinds/registry';
import type { TableColumn } from '../columns/columns';

/**
 * Columns of numbers with as many digits after the point as nine of ten values of the page need. Zeros that follow them only
 * reflect how the database stores the column; a rare value with more digits is shown with all of them.
 */
export function withFractions(columns: readonly TableColumn[], items: readonly Item[]): readonly TableColumn[] {
  return columns.map((column) =>
    kindOf(column.type).isNumeric
      ? { ...column, fraction: commonDigits(items.map(({ values }) => neededDigits(values[column.name]))) }
      : column,
  );
}

/** The smallest number of digits that nine of ten values need at most. */
export function commonDigits(needed: readonly number[]): number {
  const sorted = needed.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0;
}
