import { numberText } from '../../../api/json';

/** Leaves out zeros after so many digits behind the point. Never rounds, and never adds what the value does not say. */
export function shownNumber(text: string, fraction: number | undefined): string {
  const parts = /^(-?\d+)\.(\d+)$/.exec(text);
  if (parts === null || fraction === undefined) return text;
  const [, whole = '', digits = ''] = parts;
  const kept = digits.slice(0, fraction) + digits.slice(fraction).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

const formatted = new Intl.NumberFormat().formatToParts(-1_234_567.5);
const partOf = (type: Intl.NumberFormatPartTypes, fallback: string): string =>
  formatted.find((part) => part.type === type)?.value ?? fallback;
const separators = { group: partOf('group', ''), decimal: partOf('decimal', '.') };

/** A number with the separators of the reader's language; every digit stays as it is. */
export function localNumber(text: string, { group, decimal } = separators): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (parts === null) return text;
  const [, sign = '', whole = '', digits] = parts;
  // Four digits are read at a glance, and may be a year.
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  return `${sign}${grouped}${digits === undefined ? '' : `${decimal}${digits}`}`;
}

/**
 * The digits of a single number, with the zeros behind the point that the example of its field shows; further ones only reflect how
 * the value is stored.
 */
export function plainNumber(text: string, { placeholder } = { placeholder: '' }): string {
  return shownNumber(text, /^-?\d+\.(\d+)$/.exec(placeholder)?.[1]?.length ?? 0);
}

/** How many digits after the point a value needs. */
export function neededDigits(value: unknown): number {
  const digits = /^-?\d+\.(\d+)$/.exec(numberText(value) ?? '')?.[1] ?? '';
  return digits.replace(/0+$/, '').length;
}
