import type { Item } from '../../api/items';
import { numberText } from '../../api/json';
import type { TableColumn } from './columns';

/**
 * Columns of numbers with as many digits after the point as some value of the page needs. Zeros that follow them in every
 * value tell nothing but how the database keeps the column.
 */
export function withFractions(columns: readonly TableColumn[], items: readonly Item[]): readonly TableColumn[] {
  return columns.map((column) =>
    column.type === 'NUMBER'
      ? { ...column, fraction: Math.max(0, ...items.map(({ values }) => neededDigits(values[column.name]))) }
      : column,
  );
}

/** Leaves out zeros after so many digits behind the point. Never rounds, and never adds what the value does not say. */
export function shownNumber(text: string, fraction: number | undefined): string {
  const parts = /^(-?\d+)\.(\d+)$/.exec(text);
  if (parts === null || fraction === undefined) return text;
  const [, whole = '', digits = ''] = parts;
  const kept = digits.slice(0, fraction) + digits.slice(fraction).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** The digits of one number that stands alone: zeros that end it tell nothing. */
export function plainNumber(text: string): string {
  return shownNumber(text, 0);
}

function neededDigits(value: unknown): number {
  const digits = /^-?\d+\.(\d+)$/.exec(numberText(value) ?? '')?.[1] ?? '';
  return digits.replace(/0+$/, '').length;
}
