import { detailCatalogue, errorCatalogue, furtherOperators, itemActions, operators } from '@gantry/contracts';
import { maxCriteria } from '../content/query/criteria';
import { maxTotal } from '../content/query/list-query';
import { maxSearchText } from '../content/query/search-text';
import { component, envelope, jsonResponse, type Parameter, type Response, type Schema } from './document';
import { deletionSchemas, referenceParameters } from './deletion-schemas';
import { criteriaGroup, fieldSchemas, object } from './field-schemas';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const textList = { type: 'array', items: text } as const;
const actions = {
  type: 'array',
  items: { enum: itemActions },
  description: 'What the caller may do; absent where everything is allowed.',
} as const;
const instant = { type: 'string', format: 'date-time' } as const;
const ref = (name: string): Schema => component('schemas', name);
const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** Schemas that every item type shares. @param fieldTypes their names */
export function sharedSchemas(fieldTypes: readonly string[]): Readonly<Record<string, Schema>> {
  return { ...itemSchemas, ...fieldSchemas(fieldTypes), ...answerSchemas };
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
          origin: { type: 'string', description: 'Origin of the pages on which it can be used.' },
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
      description: 'The first items that have the problem; the ids are text, which keeps all digits.',
    },
    'line?': { type: 'integer', description: 'Line number in an imported file.' },
  }),
  ItemId: { type: 'integer', format: 'int64', minimum: 1 },
  Instant: instant,
  ItemVersion: { type: 'integer', minimum: 1, description: 'Number of changes of the item; for `If-Match`.' },
  ItemReference: object({ id: ref('ItemId'), label: text }),
  OptionalItemReference: { oneOf: [ref('ItemReference'), { type: 'null' }] },
  ItemReferences: { ...listOf(ref('ItemReference')), description: 'In the order of the request.' },
  ModelInfo: object({
    type: text,
    displayName: text,
    displayNamePlural: text,
    plugin: text,
    pluginName: text,
    readOnly: flag,
    'actions?': actions,
    'labelField?': { type: 'string', description: 'Field whose value is the label of an item.' },
    'icon?': { type: 'string', description: 'Path data of SVG: strokes on a grid of 24 by 24.' },
  }),
  ModelInfoEnvelope: envelope(listOf(ref('ModelInfo'))),
};

/** Of the metadata, which name field types. */
const answerSchemas: Readonly<Record<string, Schema>> = {
  ItemMetadataEnvelope: envelope(
    object({
      code: text,
      displayName: text,
      displayNamePlural: text,
      columnShown: listOf(ref('ColumnShown')),
      searchable: listOf(ref('SearchField')),
      fields: listOf(ref('FormField')),
      'heading?': { type: 'string', description: 'Field whose value heads the page of an item.' },
      'labelField?': { type: 'string', description: 'Field whose value is the label of an item.' },
      'editableColumns?': { ...textList, description: 'Fields whose cells can be edited in the list.' },
      readOnly: flag,
      'actions?': actions,
    }),
  ),
  SearchMetadataEnvelope: envelope(object({ fields: listOf(ref('SearchField')) })),
  SearchResultEnvelope: envelope(
    listOf(object({ id: ref('ItemId'), label: text, subLabel: text })),
    object({ 'skipped?': ref('SkippedCriterionList') }),
  ),
  SearchGroupsEnvelope: envelope({
    ...listOf(
      object({
        type: { type: 'string', description: 'Code of the item type.' },
        displayName: text,
        displayNamePlural: text,
        items: {
          ...listOf(
            object({
              id: ref('ItemId'),
              label: text,
              'code?': { type: 'string', description: 'Absent where the label is the code.' },
              'image?': { type: 'string', description: 'The first image of the item, as its field has it.' },
            }),
          ),
          minItems: 1,
          maxItems: 5,
        },
        isMore: { type: 'boolean', description: 'There are more items of the type than these.' },
      }),
    ),
    description: 'Types with an item of exactly that id, code or label come first.',
  }),
  SkippedCriterionList: {
    ...listOf(object({ field: text, reason: { enum: ['NOT_SEARCHABLE', 'BLANK_VALUE'] } })),
    description: 'The criteria that were skipped.',
  },
  ListMeta: object({
    'nextCursor?': { type: 'string', description: 'Value of `after` for the next page; absent on the last one.' },
    'total?': { type: 'integer', description: 'Number of matches; only with `total=true` or `cappedTotal=true`.' },
    'isTotalCapped?': {
      const: true,
      description: 'There are more matches than `total`; only with `cappedTotal=true`.',
    },
    'skipped?': ref('SkippedCriterionList'),
  }),
  CriteriaGroup: criteriaGroup(maxCriteria),
  CriterionOperator: {
    type: ['string', 'null'],
    description: `One of ${operators.join(', ')}, or another one that the search metadata of the field names, such as ${furtherOperators.join(', ')}; any other behaves as CONTAINS, and CONTAINS on anything but text as EQUALS.`,
    examples: [...operators, ...furtherOperators],
  },
};

/** Answers that are the same for every item type. */
export const sharedResponses: Readonly<Record<string, Response>> = {
  SearchResults: jsonResponse(
    'The matches, streamed in no particular order. Without `limit` the response has no maximum size.',
    ref('SearchResultEnvelope'),
  ),
  ItemReferences: jsonResponse(
    'One entry for each field that refers to the item. An item that others refer to cannot be deleted, unless `onDelete` says what becomes of them.',
    ref('ItemReferencesEnvelope'),
  ),
};

export const sharedParameters: Readonly<Record<string, Parameter>> = {
  ItemId: { name: 'id', in: 'path', required: true, schema: ref('ItemId') },
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
  ...referenceParameters,
  PageSize: {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of rows.',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
  },
  PageCursor: {
    name: 'after',
    in: 'query',
    description: '`meta.nextCursor` of the previous page.',
    // The beginning is that of a JSON array of texts in base64url; the rest is checked by the list.
    schema: { type: 'string', pattern: '^WyI[A-Za-z0-9_-]+$' },
  },
  PageTotal: {
    name: 'total',
    in: 'query',
    description: '`true` counts all matches, which is slow on a large table.',
    schema: { type: 'boolean', default: false },
  },
  PageCappedTotal: {
    name: 'cappedTotal',
    in: 'query',
    description: `\`true\` counts matches up to ${maxTotal.toLocaleString('en')}, which is quick without criteria on a table of any size.`,
    schema: { type: 'boolean', default: false },
  },
  StrictCriteria: {
    name: 'strict',
    in: 'query',
    description:
      '`true` refuses criteria that would be skipped, and operators that the field does not have, which otherwise behave as CONTAINS.',
    schema: { type: 'boolean', default: false },
  },
  ListSearchText: searchText(
    false,
    'Only items of which the id is this text or a label field has it; with fewer than 3 characters, of which a label field begins with it.',
  ),
  SearchText: searchText(true, 'An id, or a part of a code or label; with fewer than 3 characters, its beginning.'),
  SearchLimit: {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of results; without it every match is returned.',
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
  },
};

export const sharedHeaders: Readonly<Record<string, Schema>> = {
  ETag: { description: 'The version of the item, in quotes.', schema: { type: 'string' } },
  Location: { description: 'The path of the created item.', schema: { type: 'string' } },
  Allow: { description: 'The methods that the path supports.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 0 } },
};

function searchText(required: boolean, description: string): Parameter {
  return {
    name: 'q',
    in: 'query',
    ...(required ? { required } : {}),
    description,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: maxSearchText,
      // A character that is neither blank nor a control character, and none of the latter.
      pattern: String.raw`^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$`,
    },
  };
}
