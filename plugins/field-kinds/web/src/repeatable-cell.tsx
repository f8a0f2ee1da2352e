import type { CellProps } from '@gantry/ui';

export function RepeatableCell({ value }: CellProps) {
  const count = typeof value === 'string' ? countOf(value) : 0;
  return count === 0 ? null : <span>{count === 1 ? '1 entry' : `${count.toLocaleString()} entries`}</span>;
}

function countOf(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0;
  }
}
