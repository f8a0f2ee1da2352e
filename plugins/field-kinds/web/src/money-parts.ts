import type { FieldValue } from '@gantry/ui';

/** An amount as it is typed, and the code of its currency; empty where there is none. */
export interface MoneyParts {
  readonly amount: string;
  readonly currency: string;
}

const none: MoneyParts = { amount: '', currency: '' };

/** The parts of the text of a JSON value, with every digit that it has. */
export function readMoney(text: FieldValue): MoneyParts {
  const value = parsed(text);
  if (value === undefined) return none;
  const [, digits] = /"amount"\s*:\s*(-?\d+(?:\.\d+)?)\s*[,}]/.exec(String(text)) ?? [];
  const { amount = '', currency } = value;
  return { amount: digits ?? String(amount), currency: typeof currency === 'string' ? currency : '' };
}

/** The text of the JSON; empty without an amount. What is no number stays text, which the platform refuses with a reason. */
export function writeMoney({ amount, currency }: MoneyParts): string {
  const digits = amount.trim();
  if (digits === '') return '';
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(digits);
  return `{"amount":${isNumber ? digits : JSON.stringify(digits)},"currency":${JSON.stringify(currency)}}`;
}

/** As readers write it, with every digit: `1,024.90 EUR`. */
export function moneyText(parts: MoneyParts): string {
  const { amount, currency } = parts;
  const [, decimals = ''] = /^-?\d+(?:\.(\d+))?$/.exec(amount) ?? [];
  const digits = { minimumFractionDigits: decimals.length, maximumFractionDigits: decimals.length };
  // A text is formatted exactly; a number would lose digits.
  const shown = new Intl.NumberFormat(undefined, digits).format(amount as `${number}`);
  return amount === '' ? '' : `${shown} ${currency}`;
}

/** The currencies of ISO 4217 that the browser knows, and the given one. */
export function currencyOptions(current: string): readonly { readonly value: string; readonly label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency', fallback: 'none' });
  const codes = Intl.supportedValuesOf('currency');
  return [...(current === '' || codes.includes(current) ? [] : [current]), ...codes].map((code) => {
    const name = /^[A-Z]{3}$/.test(code) ? names.of(code) : undefined;
    return { value: code, label: name === undefined ? code : `${code} – ${name}` };
  });
}

function parsed(text: FieldValue): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
