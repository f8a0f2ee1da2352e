import {
  accepted,
  commonOperators,
  defineFieldKind,
  exactNumberText,
  refused,
  type KindOperator,
  type ParsedValue,
} from '@gantry/plugin-api';
import { isSameJson, jsonText } from './json-text';

/** Contains: an object with at least these members, an array with at least these elements, or a part of a text in it. */
const contains: KindOperator = {
  bind(text) {
    const value = parse(text);
    if (value === undefined) return invalid;
    return accepted({ value: text, condition: (column, parameter) => `${column} @> ${parameter}::jsonb` });
  },
};

const invalid = refused('WRONG_TYPE', 'must be JSON, such as {"key":"value"}');

/** The text of a cell, which keeps the digits of its numbers. */
const cellText = Symbol('text');

/** A JSON object or array, with every digit. Keys are not kept in order. */
export const jsonKind = defineFieldKind({
  name: 'Json',
  column: 'JSONB',
  clientType: 'object',
  rowType: 'object',
  isListed: false,
  isSortable: true,
  operators: { ...commonOperators, CONTAINS: contains },
  parse: readJson,
  isSame: isSameJson,
  convert: (text) => (parse(text) === undefined ? invalid : accepted(text)),
  json: (column) => `${column}::text`,
  fromCell: (text) => (parse(text) === undefined ? text : { [cellText]: text }),
  toFileJson: (text) => text,
  jsonSchema: () => ({ type: ['object', 'array'] }),
  rowSchema: ({ displayName }) => ({ title: displayName }),
  describe: () => ['A JSON object or array of at most 256 kB.'],
  example: ({ required }) => (required ? { key: 'value' } : undefined),
});

/** A text is no JSON: it would be what somebody typed with an error in it. */
function readJson(value: unknown): ParsedValue<string> {
  if (typeof value !== 'object' || value === null || exactNumberText(value) !== undefined) return invalid;
  const { [cellText]: text } = value as { readonly [cellText]?: string };
  return text === undefined ? jsonText(value) : checkedText(text);
}

function checkedText(text: string): ParsedValue<string> {
  if (!/^\s*[[{]/.test(text)) return invalid;
  const hasHugeNumber = /\d[eE][+-]?\d{4,}|\d{1000,}/.test(text);
  if (hasHugeNumber) return refused('OUT_OF_RANGE', 'must not contain numbers of more than 1000 digits');
  // What can be stored is what can be written again.
  const written = jsonText(JSON.parse(text));
  return written.ok ? accepted(text) : written;
}

function parse(text: string): unknown {
  try {
    return text.includes('\u0000') || text.includes(String.raw`\u0000`) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
