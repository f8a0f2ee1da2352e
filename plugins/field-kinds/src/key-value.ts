import {
  accepted,
  defineFieldKind,
  emptyWhere,
  refused,
  type KindOperator,
  type ParsedValue,
} from '@gantry/plugin-api';
import { isSameJson, isStorable, jsonText, parseJsonText } from './json-text';

const wrong = refused('WRONG_TYPE', 'must be an object of texts, such as {"colour":"green"}');

/**
 * `key` or `key=value`: items that have the key, with that value if one is given. A key with `=` in it, or a quotation mark or brace
 * before it, is given as JSON: `"a=b"` for the key, `{"a=b":"c"}` for keys with their values.
 */
const has: KindOperator = {
  bind(text) {
    const wanted = readWanted(text);
    if (!wanted.ok) return wanted;
    const { key, values } = wanted.value;
    if (values === undefined) {
      return accepted({
        value: key,
        condition: (column, parameter) => `jsonb_exists(${column}, ${parameter})`,
        variant: 'key',
      });
    }
    return accepted({
      value: values,
      condition: (column, parameter) => `${column} @> ${parameter}::jsonb`,
      variant: 'value',
    });
  },
};

/** A key, or the JSON of keys with their values. */
interface Wanted {
  readonly key: string;
  readonly values?: string;
}

function readWanted(text: string): ParsedValue<Wanted> {
  const json = /^\s*["{]/.test(text) ? parseJsonText(text) : undefined;
  if (typeof json === 'string') return readKey(json);
  const position = text.indexOf('=');
  if (json === undefined && position < 0) return readKey(text);
  const values = json ?? { [text.slice(0, position)]: text.slice(position + 1) };
  const read = isEmptyObject(values) ? wrong : readKeyValues(values);
  return read.ok ? accepted({ key: '', values: read.value }) : read;
}

function readKey(key: string): ParsedValue<Wanted> {
  return isStorable(key) ? accepted({ key }) : wrong;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** No value, or no keys. */
const isEmpty = emptyWhere((column) => `(${column} IS NULL OR ${column} = '{}')`);

/** Keys with texts as values. */
export const keyValueKind = defineFieldKind({
  name: 'KeyValue',
  column: 'JSONB',
  clientType: 'Readonly<Record<string, string>>',
  rowType: 'object',
  isListed: false,
  operators: { EQUALS: has, CONTAINS: has, EMPTY: isEmpty },
  parse(value, { required }) {
    return required && isEmptyObject(value) ? refused('REQUIRED', 'is required and has no keys') : readKeyValues(value);
  },
  isSame: isSameJson,
  convert: (text) => accepted(text),
  json: (column) => `${column}::text`,
  fromCell: (text) => parseJsonText(text) ?? text,
  toFileJson: (text) => text,
  jsonSchema: ({ required }) => ({
    type: 'object',
    ...(required ? { minProperties: 1 } : {}),
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
