import type { Cardinality } from '@gantry/contracts';
import { DataType } from 'sequelize-typescript';
import type { FieldRules } from '../field-rules';
import { isJsonObject, numberText } from '@gantry/core-common';
import { exactNumber } from '../number';
import { parsed, plainKind, refused, type FieldKind, type JsonSchema, type Parsed, type Refused } from '../field-kind';

/** Ids an item may list in one MULTIPLE reference. */
export const maximumReferences = 1000;

/** A SINGLE reference: the raw id of the target. */
export const referenceKind: FieldKind = {
  ...plainKind,
  name: 'reference',
  type: 'REFERENCE',
  exact: true,
  unordered: false,
  index: 'order',
  isEmptyTextNone: true,
  isLabel: false,
  clientType: 'ItemReference',
  parse: parseId,
  convert: (text) => readId(text.trim()),
  cast: (value) => `${value}::bigint`,
  arrayType: 'bigint[]',
  modelType: () => DataType.BIGINT,
  json: (column) => `${column}::text`,
  fromModel: exactNumber,
  toModel: idOf,
  formMembers: (field) => ({
    reference: targetOf(field),
    referenceCardinality: cardinalityOf(field),
  }),
  searchMembers: (field) => ({ reference: targetOf(field) }),
  jsonSchema: (field) => orEmptyText(idSchema, field),
  rowSchema: ({ required }) => schemaNamed(required ? 'ItemReference' : 'OptionalItemReference'),
  describe: ({ reference }) => (reference?.target ? [`Id of ${reference.target}.`] : []),
  example: ({ required }) => (required ? 1 : undefined),
};

/** A MULTIPLE reference: an array of raw ids, whose order is kept. */
export const referencesKind: FieldKind = {
  ...referenceKind,
  name: 'references',
  clientType: 'readonly ItemReference[]',
  index: 'none',
  parse: parseIds,
  fromModel: (value) => (Array.isArray(value) ? value.map(exactNumber) : value),
  toModel: (value) => (Array.isArray(value) ? Object.freeze(value.map(idOf)) : value),
  jsonSchema: (field) =>
    orEmptyText({ type: 'array', items: idSchema, uniqueItems: true, maxItems: maximumReferences }, field),
  rowSchema: () => schemaNamed('ItemReferences'),
  describe: ({ reference }) => (reference?.target ? [`Ids of ${reference.target}.`] : []),
  example: ({ required }) => (required ? [1] : undefined),
};

/** A SINGLE reference without a target, which never has a value. Its column is that of a reference, should it get a target. */
export const targetlessKind: FieldKind = {
  ...referenceKind,
  name: 'targetless',
  index: 'none',
  parse: refuseValue,
  convert: refuseValue,
  jsonSchema: () => ({ type: 'string', maxLength: 0 }),
  describe: () => ['Reference to no type; has no value.'],
};

/** A MULTIPLE reference without a target: its list is always empty. */
export const targetlessListKind: FieldKind = {
  ...targetlessKind,
  name: 'targetless-list',
  parse: (value) => (Array.isArray(value) && value.length === 0 ? parsed(null) : refuseValue()),
  json: () => "'[]'",
  formMembers: (field) => ({ reference: targetOf(field), referenceCardinality: 'MULTIPLE' }),
  jsonSchema: (field) => orEmptyText({ type: 'array', maxItems: 0 }, field),
  rowSchema: referencesKind.rowSchema,
};

/** Empty for a reference without target. */
function targetOf({ reference }: FieldRules): string {
  return reference?.qualifiedName ?? '';
}

function cardinalityOf({ reference }: FieldRules): Cardinality {
  return reference?.cardinality ?? 'SINGLE';
}

/** The empty text means no reference, as forms send it. */
function orEmptyText(schema: JsonSchema, { required }: FieldRules): JsonSchema {
  return required ? schema : { ...schema, type: [schema['type'], 'string'], maxLength: 0 };
}

/** A schema that every OpenAPI document of the platform has. */
function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The id of a presented reference, `{ "id", "label" }`. */
function idOf(value: unknown): unknown {
  return isJsonObject(value) ? numberText(value['id']) : value;
}

function refuseValue(): Refused {
  return refused('NO_TARGET', 'must be empty: it is a reference that refers to no type');
}

const idSchema = { type: 'integer', format: 'int64', minimum: 1 } as const;
const largestId = 2n ** 63n - 1n;

/** Reads an id in decimal notation, from 1 to 2^63 - 1. */
export function readId(text: string): Parsed<string> {
  if (!/^[1-9]\d{0,18}$/.test(text) || (text.length === 19 && BigInt(text) > largestId)) {
    return refused('WRONG_TYPE', 'must be an id, a whole number from 1');
  }
  return parsed(text);
}

function parseId(value: unknown): Parsed<string> {
  const text = numberText(value);
  return text === undefined ? refused('WRONG_TYPE', 'must be the id of an item, a whole number from 1') : readId(text);
}

function parseIds(value: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(value)) return refused('WRONG_TYPE', 'must be an array of ids');
  if (value.length > maximumReferences) return refused('TOO_MANY', `must list at most ${maximumReferences} ids`);
  const ids = value.map(parseId);
  const wrong = ids.findIndex((id) => !id.ok);
  if (wrong >= 0) return refused('WRONG_TYPE', `must be an array of ids; the entry at position ${wrong} is not an id`);
  const texts = ids.flatMap((id) => (id.ok ? [id.value] : []));
  const repeated = texts.find((id, index) => texts.indexOf(id) !== index);
  if (repeated !== undefined) return refused('DUPLICATE', `must list every id once; ${repeated} is listed again`);
  return parsed(texts);
}
