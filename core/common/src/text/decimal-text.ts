/** A number as units × 10^-scale, exact. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Beyond this many digits no column of PostgreSQL holds the number, and BigInt arithmetic would only burn time. */
export const maxDigits = 1000;

const zero: Decimal = { units: 0n, scale: 0 };

const pattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Whether the text is a number in decimal notation, of whatever size. */
export function isNumeral(text: string): boolean {
  return pattern.test(text);
}

/** Reads a number in JSON notation exactly; undefined for anything else, and for more digits than are reasonable. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (!/[1-9]/.test(whole + fraction)) return zero;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > maxDigits || whole.length + fraction.length > maxDigits) return undefined;
  return withoutTrailingZeros(sign + whole + fraction, fraction.length - exponent);
}

export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale);
  const difference = atScale(left, scale) - atScale(right, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Digits before the decimal point; 0 for a number below one. */
export function wholeDigits(value: Decimal): number {
  const digits = absolute(value.units).toString().length;
  return value.units === 0n ? 0 : Math.max(0, digits - value.scale);
}

/** Plain notation without exponent, for example `-0.0125`. */
export function formatDecimal(value: Decimal): string {
  const sign = value.units < 0n ? '-' : '';
  const digits = absolute(value.units)
    .toString()
    .padStart(value.scale + 1, '0');
  if (value.scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -value.scale)}.${digits.slice(-value.scale)}`;
}

/** Of the text: to divide a long number as often as it has zeros takes the square of their number. */
function withoutTrailingZeros(digits: string, scale: number): Decimal {
  if (scale <= 0) return { units: BigInt(digits) * 10n ** BigInt(-scale), scale: 0 };
  let zeros = 0;
  while (zeros < scale && digits[digits.length - 1 - zeros] === '0') zeros += 1;
  return { units: BigInt(digits.slice(0, digits.length - zeros)), scale: scale - zeros };
}

function atScale(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units;
}
