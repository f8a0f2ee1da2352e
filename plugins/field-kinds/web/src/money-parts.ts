import type { FieldValue } from '@gantry/ui';
import { digitsOf, exactValue, typedNumber } from './json-value';

/** An amount as it is typed, and the code of its currency; empty where there is none. */
export interface MoneyParts {
  readonly amount: string;
  readonly currency: string;
}

export const noMoney: MoneyParts = { amount: '', currency: '' };

/** The parts of the text of a JSON value, with every digit that it has. */
export function readMoney(text: FieldValue): MoneyParts {
  const value = exactValue(text);
  if (typeof value !== 'object' || value === null) return noMoney;
  const { amount, currency } = value as Readonly<Record<string, unknown>>;
  return { amount: digitsOf(amount) ?? textOf(amount), currency: textOf(currency) };
}

function textOf(part: unknown): string {
  return typeof part === 'string' ? part : '';
}

/**
 * The text of the JSON; empty without both parts. With one part only, and for an amount that is no number, it is one that the platform
 * refuses with a reason: nothing that was entered is left out without a message.
 */
export function writeMoney({ amount, currency }: MoneyParts): string {
  const text = amount.trim();
  if (text === '' && currency === '') return '';
  return `{"amount":${typedNumber(text) ?? JSON.stringify(text)},"currency":${JSON.stringify(currency)}}`;
}

/**
 * The remedy for a part that is there without the other; undefined with both parts, and without any.
 * @param isRequired whether both parts must be there
 */
export function missingPart({ amount, currency }: MoneyParts, isRequired: boolean): string | undefined {
  const [hasAmount, hasCurrency] = [amount.trim() !== '', currency !== ''];
  if (hasAmount === hasCurrency) return undefined;
  if (hasAmount) return isRequired ? 'Choose a currency.' : 'Choose a currency, or clear the amount.';
  return isRequired ? 'Enter an amount.' : 'Enter an amount, or clear the currency.';
}

/** As readers write it, with every digit and at least those that are usual for the currency: `1,024.90 EUR`. */
export function moneyText({ amount, currency }: MoneyParts): string {
  const [whole, decimals = ''] = /^-?\d+(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) return [amount, currency].join(' ').trim();
  const digits = Math.max(decimals.length, usualDecimals(currency));
  const format = new Intl.NumberFormat(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // A text is formatted exactly; a number would lose digits.
  return `${format.format(amount as `${number}`)} ${currency}`;
}

function usualDecimals(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 0;
  const { minimumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return minimumFractionDigits ?? 0;
}

/** The currencies of ISO 4217 that the browser knows, and the given one. */
export function currencyOptions(current: string): readonly { readonly value: string; readonly label: string }[] {
  const codes = Intl.supportedValuesOf('currency');
  const all = current === '' || codes.includes(current) ? codes : [current, ...codes];
  return all.map((code) => ({ value: code, label: currencyLabel(code) }));
}

/** The code with the name in the language of the reader. */
export function currencyLabel(code: string): string {
  names ??= new Intl.DisplayNames(undefined, { type: 'currency', fallback: 'none' });
  const name = /^[A-Z]{3}$/.test(code) ? names.of(code) : undefined;
  return name === undefined ? code : `${code} – ${name}`;
}

let names: Intl.DisplayNames | undefined;
