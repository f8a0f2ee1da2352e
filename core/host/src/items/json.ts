import { GantryError } from '@gantry/plugin-api';
import { isLosslessNumber, parse } from 'lossless-json';

/** A parsed JSON object: own properties only count, read them with Object.hasOwn. Numbers are LosslessNumber. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Deeper nesting has no use here and only costs stack. */
const maximumDepth = 64;

/**
 * Parses a request body without losing a digit of its numbers.
 * A key that stands twice in one object with different values is refused, as no one could say which one counts.
 * @param mostValues Values in objects and arrays, of which each takes many times the memory of its text
 * @throws GantryError BAD_REQUEST that says what is wrong and where.
 */
export function parseJson(text: string, mostValues = Infinity): unknown {
  const { depth, values } = measured(text);
  if (depth > maximumDepth) {
    throw new GantryError('BAD_REQUEST', `The JSON body is nested more than ${maximumDepth} levels deep.`);
  }
  if (values > mostValues) {
    throw new GantryError('BAD_REQUEST', `The JSON holds more than ${mostValues.toLocaleString('en')} values.`);
  }
  try {
    return parse(text);
  } catch (cause) {
    throw new GantryError('BAD_REQUEST', `The body is not valid JSON: ${describe(cause)}.`, { cause });
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The same value with ordinary numbers, for plugins' routes. */
export function withPlainNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withPlainNumbers(part)]));
}

function measured(text: string): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === backslash) index += 1;
      else if (code === quote) inText = false;
    } else if (code === quote) inText = true;
    else if (code === comma) values += 1;
    else if (code === openBrace || code === openBracket) deepest = Math.max(deepest, (depth += 1));
    else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return { depth: deepest, values };
}

const [quote, comma, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 44, 92, 123, 125, 91, 93];

function describe(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.length > 200 ? `${message.slice(0, 200)}…` : message;
}
