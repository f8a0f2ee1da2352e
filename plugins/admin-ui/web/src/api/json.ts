import { LosslessNumber, parse, stringify } from 'lossless-json';

/** A JSON number as the pages hold it: a plain number where that keeps its text, otherwise every digit. */
export type JsonNumber = number | LosslessNumber;

/** Parses JSON without rounding: `24.90` and 20-digit numbers stay as they were written. */
export function parseJson(text: string): unknown {
  return browserKeepsDigits ? JSON.parse(text, reviveNumber) : parse(text, undefined, toJsonNumber);
}

/** JSON that somebody has typed: also without a key that occurs twice in an object, of which one value would be lost. */
export function parseTypedJson(text: string): unknown {
  return parse(text, undefined, toJsonNumber);
}

/** Newer browsers pass the source text of a number to a reviver, and parse several times as fast as a library. */
const browserKeepsDigits =
  JSON.parse('1.0', (_key, _value, context?: { readonly source?: string }) => context?.source) === '1.0';

function reviveNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? toJsonNumber(context?.source ?? String(value)) : value;
}

function toJsonNumber(digits: string): JsonNumber {
  return String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits);
}

export function toJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

/** The digits of a JSON number, or undefined for another value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return value instanceof LosslessNumber ? value.value : undefined;
}

/** An id, in all its digits. */
export function idText(id: unknown): string {
  return numberText(id) ?? String(id);
}

/** The number that a text writes, digit by digit; text that is no number stays text, so that the platform says what is wrong with it. */
export function toNumber(text: string): JsonNumber | string {
  const digits = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(digits) ? new LosslessNumber(digits) : text;
}
