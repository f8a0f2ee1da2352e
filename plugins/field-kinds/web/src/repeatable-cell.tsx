import type { CellProps } from '@gantry/ui';
import { jsonValue } from './json-value';

export function RepeatableCell({ value }: CellProps) {
  const entries = typeof value === 'string' ? jsonValue(value) : undefined;
  const count = Array.isArray(entries) ? entries.length : 0;
  return count === 0 ? null : <span>{count === 1 ? '1 entry' : `${count.toLocaleString()} entries`}</span>;
}
