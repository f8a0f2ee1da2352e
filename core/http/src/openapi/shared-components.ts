import { detailCatalogue, errorCatalogue, furtherOperators, operators } from '@gantry/contracts';
import { maxCriteria } from '@gantry/core-content';
import { component, type Parameter, type Schema } from './document';
import { deletionSchemas } from './deletion-schemas';
import { criteriaGroup, criterionSchema, fieldTypeSchemas, object } from './field-schemas';

const text = { type: 'string' } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const ref = (name: string): Schema => component('schemas', name);
const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** Schemas that every item type shares. @param fieldTypes their names; any without them */
export function sharedSchemas(fieldTypes: readonly string[] | undefined): Readonly<Record<string, Schema>> {
  return { ...itemSchemas, ...fieldTypeSchemas(fieldTypes), ...criteriaSchemas };
}

const itemSchemas: Readonly<Record<string, Schema>> = {
  Failure: object({
    error: object({
      code: { enum: Object.keys(errorCatalogue) },
      message: { type: 'string', description: 'A sentence for a person.' },
      'details?': listOf(ref('FailureDetail')),
      'secondFactor?': object({
        kinds: listOf({ enum: ['passkey', 'authenticator-app', 'recovery-code'] }),
        'passkey?': object({
          origin: { type: 'string', description: 'Origin of the pages on which passkeys are valid.' },
          options: { type: 'object', description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn.' },
        }),
      }),
      'deletion?': ref('DeletionPlan'),
      requestId: text,
    }),
  }),
  ...deletionSchemas,
  FailureDetail: object({
    path: {
      type: 'string',
      description:
        'The part of the request that has the problem: the name of a query parameter, or the property of the body, such as `items[2].price`; of criteria such as `[1].value`. Empty for the body as a whole.',
    },
    code: {
      type: 'string',
      description: 'A stable code in upper snake case. Routes of plugins may have additional ones.',
      examples: Object.keys(detailCatalogue),
    },
    message: text,
    'items?': {
      ...listOf(object({ id: text, label: text })),
      description: 'The first items that have the problem. Ids are text, which keeps all digits.',
    },
    'line?': { type: 'integer', description: 'Line number in an imported file.' },
  }),
  ItemId: { type: 'integer', format: 'int64', minimum: 1 },
  Instant: instant,
  ItemVersion: { type: 'integer', minimum: 1, description: 'Number of changes of the item; for `If-Match`.' },
  ItemReference: object({ id: ref('ItemId'), label: text }),
  OptionalItemReference: { oneOf: [ref('ItemReference'), { type: 'null' }] },
  LinkedItem: object({
    type: { ...text, description: 'Code of the type; empty if the caller may not see the type.' },
    id: ref('ItemId'),
    label: { type: ['string', 'null'], description: 'Null for an item that the caller may not see.' },
  }),
  OptionalLinkedItem: { oneOf: [ref('LinkedItem'), { type: 'null' }] },
  LinkedItems: { ...listOf(ref('LinkedItem')), description: 'In the order of the request.' },
  ItemReferences: { ...listOf(ref('ItemReference')), description: 'In the order of the request.' },
};

const criteriaSchemas: Readonly<Record<string, Schema>> = {
  Criterion: criterionSchema({}),
  CriteriaGroup: criteriaGroup(maxCriteria),
  CriterionOperator: {
    type: ['string', 'null'],
    description: `One of ${operators.join(', ')}, or another one that the search metadata of the field names, such as ${furtherOperators.join(', ')}; any other behaves as CONTAINS, and CONTAINS on anything but text as EQUALS.`,
    examples: [...operators, ...furtherOperators],
  },
};

export const sharedParameters: Readonly<Record<string, Parameter>> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The version that was read, in quotes; 412 when the item has changed since.',
    // All that preconditions.ts accepts: any version, one that lost its quotes, and entity tags.
    schema: {
      type: 'string',
      pattern: String.raw`^\s*(\*|[0-9]+|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$`,
      examples: ['"3"'],
    },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The version that the client has, in quotes; 304 without a body when the item still has it.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  WriteIfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Versions in quotes, or `*` for any; 412 when the item has one of them.',
    schema: {
      type: 'string',
      pattern: String.raw`^\s*(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)\s*$`,
      examples: ['"3"'],
    },
  },
};

export const sharedHeaders: Readonly<Record<string, Schema>> = {
  ETag: { description: 'The version of the item, in quotes.', schema: { type: 'string' } },
  Location: { description: 'The path of the created item.', schema: { type: 'string' } },
  Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 0 } },
};
