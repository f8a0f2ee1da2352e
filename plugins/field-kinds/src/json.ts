import {
  accepted,
  commonOperators,
  defineFieldKind,
  exactNumberText,
  refused,
  type KindField,
  type KindOperator,
  type ParsedValue,
} from '@gantry/plugin-api';
import { embeddableSchema, fitted, schemaOf, settingsProblems } from './json-schema';
import { isSameJson, jsonText, parseJsonText } from './json-text';

/** Contains: an object with at least these members, an array with at least these elements, or a part of a text in it. */
const contains: KindOperator = {
  bind(text) {
    const read = readText(text);
    if (!read.ok) return read;
    return accepted({ value: read.value, condition: (column, parameter) => `${column} @> ${parameter}::jsonb` });
  },
};

const invalid = refused('WRONG_TYPE', 'must be JSON, such as {"key":"value"}');

/** A JSON object or array, with every digit, that fits the JSON Schema of its field. Keys are not kept in order. */
export const jsonKind = defineFieldKind({
  name: 'Json',
  column: 'JSONB',
  clientType: 'object',
  rowType: 'object',
  isListed: false,
  operators: { ...commonOperators, CONTAINS: contains },
  checkSettings: settingsProblems,
  parse: readJson,
  isSame: isSameJson,
  convert: readText,
  json: (column) => `${column}::text`,
  fromCell: (text) => parseJsonText(text) ?? text,
  toFileJson: (text) => text,
  jsonSchema(field) {
    const schema = embeddableSchema(field);
    return { type: ['object', 'array'], ...(schema === undefined ? {} : { allOf: [schema] }) };
  },
  rowSchema: ({ displayName }) => ({ title: displayName }),
  describe: () => ['A JSON object or array of at most 256 kB.'],
  example: (field) => (field.required && schemaOf(field) === undefined ? { key: 'value' } : undefined),
});

/** A text is no JSON: it would be what somebody typed with an error in it. */
function readJson(value: unknown, field: KindField): ParsedValue<string> {
  if (typeof value !== 'object' || value === null || exactNumberText(value) !== undefined) return invalid;
  const text = jsonText(value);
  if (!text.ok) return text;
  const fit = fitted(value, field);
  return fit.ok ? text : fit;
}

function readText(text: string): ParsedValue<string> {
  const value = parseJsonText(text);
  return value === undefined ? invalid : jsonText(value);
}
