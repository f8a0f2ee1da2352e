import type { OpenApiDocument, Schema } from './document';

/**
 * The document in the words of OpenAPI 3.0, for tools that read no other: its schemas are not those of JSON Schema. What 3.0 cannot say is
 * left out, so that each schema accepts at least what it accepts in 3.1.
 */
export function earlierDocument({ info, ...document }: OpenApiDocument): object {
  const { components, ...others } = document;
  const { license: _license, ...about } = info;
  return {
    ...(withSchemas(others) as object),
    openapi: '3.0.3',
    info: { ...about, license: { name: 'MIT' } },
    components: {
      ...(withSchemas({ ...components, schemas: {} }) as object),
      schemas: Object.fromEntries(Object.entries(components.schemas).map(([name, one]) => [name, earlierSchema(one)])),
    },
  };
}

/** Any part of a document with the schemas that are in it. */
function withSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSchemas);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'schema') return [key, earlierSchema(value as Schema)];
      return [key, key === 'example' || key === 'examples' ? value : withSchemas(value)];
    }),
  );
}

/** Words of 3.1 without a counterpart. */
const unknownWords: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', 'propertyNames', 'patternProperties', 'prefixItems', 'contains'],
  ...['contentMediaType', 'contentEncoding', 'if', 'then', 'else', 'unevaluatedProperties', 'dependentRequired'],
]);

/** `true` and `false` are schemas in 3.1. */
function earlierSchema(schema: Schema | boolean): Schema {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const { $ref, ...beside } = schema;
  if (typeof $ref === 'string') {
    // Members beside a reference have no effect; a type says no more than what is referred to.
    const { type: _type, items: _items, ...rest } = beside;
    return Object.keys(rest).length === 0 ? { $ref } : { ...earlierSchema(rest), allOf: [{ $ref }] };
  }
  const words = Object.entries(beside).filter(([word]) => !unknownWords.has(word));
  return withTypes(Object.fromEntries(words.flatMap(([word, value]) => earlierWord(word, value))));
}

function earlierWord(word: string, value: unknown): readonly (readonly [string, unknown])[] {
  switch (word) {
    case 'const':
      return [['enum', [value]]];
    case 'required':
      return Array.isArray(value) && value.length > 0 ? [[word, value]] : [];
    case 'examples':
      return Array.isArray(value) && value.length > 0 ? [['example', value[0]]] : [];
    case 'exclusiveMinimum':
      return [
        ['minimum', value],
        [word, true],
      ];
    case 'exclusiveMaximum':
      return [
        ['maximum', value],
        [word, true],
      ];
    case 'properties':
      return [[word, mapValues(value as Readonly<Record<string, Schema>>)]];
    case 'items':
    case 'not':
      return [[word, earlierSchema(value as Schema | boolean)]];
    case 'additionalProperties':
      return [[word, typeof value === 'boolean' ? value : earlierSchema(value as Schema)]];
    case 'oneOf':
    case 'anyOf':
    case 'allOf':
      return alternatives(word, value as readonly Schema[]);
    default:
      return [[word, value]];
  }
}

function mapValues(schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, earlierSchema(one)]));
}

/** Null is no type of 3.0, but a mark of one. */
function alternatives(word: string, schemas: readonly Schema[]): readonly (readonly [string, unknown])[] {
  const others = schemas.filter(({ type }) => type !== 'null').map(earlierSchema);
  return others.length === schemas.length
    ? [[word, others]]
    : [
        [word, others],
        ['nullable', true],
      ];
}

/** Of several types, each is an alternative. */
function withTypes({ type, ...schema }: Schema): Schema {
  // A mark of null needs a type beside it.
  if (type === undefined) return schema;
  const types = [type].flat();
  const others = types.filter((one) => one !== 'null');
  const nullable = others.length === types.length ? {} : { nullable: true };
  if (others.length === 1) return { type: others[0], ...withItems(others[0], schema), ...nullable };
  const { items, ...beside } = schema;
  const parts = others.map((one) => ({ type: one, ...(one === 'array' ? { items: items ?? {} } : {}), ...nullable }));
  return { ...beside, anyOf: parts };
}

function withItems(type: unknown, schema: Schema): Schema {
  return type === 'array' && !('items' in schema) ? { ...schema, items: {} } : schema;
}
