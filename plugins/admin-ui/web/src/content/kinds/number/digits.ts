import { numberText } from '../../../api/json';

/** Leaves out zeros after so many digits behind the point. Never rounds, and never adds what the value does not say. */
export function shownNumber(text: string, fraction: number | undefined): string {
  const parts = /^(-?\d+)\.(\d+)$/.exec(text);
  if (parts === null || fraction === undefined) return text;
  const [, whole = '', digits = ''] = parts;
  const kept = digits.slice(0, fraction) + digits.slice(fraction).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** The digits of a single number, without trailing zeros. */
export function plainNumber(text: string): string {
  return shownNumber(text, 0);
}

/** How many digits after the point a value needs. */
export function neededDigits(value: unknown): number {
  const digits = /^-?\d+\.(\d+)$/.exec(numberText(value) ?? '')?.[1] ?? '';
  return digits.replace(/0+$/, '').length;
}
