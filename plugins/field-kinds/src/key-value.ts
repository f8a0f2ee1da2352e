import {
  accepted,
  commonOperators,
  defineFieldKind,
  refused,
  type KindOperator,
  type ParsedValue,
} from '@gantry/plugin-api';
import { isSameJson, jsonText, parseJsonText } from './json-text';

const wrong = refused('WRONG_TYPE', 'must be an object of texts, such as {"colour":"green"}');

/** `key` or `key=value`: items that have the key, with that value if one is given. */
const has: KindOperator = {
  bind(text) {
    if (text.includes('\u0000') || !text.isWellFormed()) return wrong;
    const [key = '', ...rest] = text.split('=');
    if (rest.length === 0) {
      return accepted({
        value: text,
        condition: (column, parameter) => `jsonb_exists(${column}, ${parameter})`,
        variant: 'key',
      });
    }
    const value = JSON.stringify({ [key]: rest.join('=') });
    return accepted({ value, condition: (column, parameter) => `${column} @> ${parameter}::jsonb`, variant: 'value' });
  },
};

const { IN: _in, NOT_EQUALS: _notEquals, ...withoutComparisons } = commonOperators;

/** Keys with texts as values. */
export const keyValueKind = defineFieldKind({
  name: 'KeyValue',
  column: 'JSONB',
  clientType: 'Readonly<Record<string, string>>',
  rowType: 'object',
  isListed: false,
  operators: { ...withoutComparisons, EQUALS: has, CONTAINS: has, MORE_THAN: has, LESS_THAN: has },
  parse: readKeyValues,
  isSame: isSameJson,
  convert: (text) => accepted(text),
  json: (column) => `${column}::text`,
  fromCell: (text) => parseJsonText(text) ?? text,
  toFileJson: (text) => text,
  jsonSchema: () => ({
    type: 'object',
    maxProperties: 1_000,
    propertyNames: { minLength: 1, maxLength: 200 },
    additionalProperties: { type: 'string', maxLength: 10_000 },
  }),
  describe: () => ['Keys with texts as values, at most 1,000.'],
  example: ({ required }) => (required ? { colour: 'green' } : undefined),
});

function readKeyValues(value: unknown): ParsedValue<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong;
  const entries = Object.entries(value);
  if (entries.length > 1_000) return refused('TOO_MANY', 'must have at most 1000 keys');
  for (const [key, text] of entries) {
    if (typeof text !== 'string') return wrong;
    if (key.trim() === '' || key.length > 200) {
      return refused('PATTERN', 'must have keys of 1 to 200 characters that are not blank');
    }
    if (text.length > 10_000) return refused('TOO_LONG', 'must have values of at most 10000 characters');
  }
  return jsonText(value);
}
