import type { FieldValue } from '@gantry/ui';

/** The value of a text of JSON; undefined for an empty text and for one that is no JSON. */
export function jsonValue(text: FieldValue): unknown {
  try {
    return typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** No text that the platform stores has it, so that a text that begins with it is a number. */
const numberMark = '\u0000';

/** The same, with each number as a text that {@link digitsOf} reads: JavaScript would round some and write others in another way. */
export function exactValue(text: FieldValue): unknown {
  // The text itself is what is checked: with numbers as texts, more would be JSON.
  if (typeof text !== 'string' || jsonValue(text) === undefined) return undefined;
  return JSON.parse(
    text.replaceAll(tokens, (token) => (token.startsWith('"') ? token : JSON.stringify(numberMark + token))),
  );
}

/** The text of the JSON of an exact value. */
export function exactText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0000([^"]+)"/g, '$1');
}

/** The digits of a number in an exact value; undefined for anything else. */
export function digitsOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(numberMark) ? value.slice(numberMark.length) : undefined;
}

/** A number that was typed as JSON writes it, with every digit; undefined for a text that is no number. */
export function typedNumber(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.$/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits) ? digits : undefined;
}
