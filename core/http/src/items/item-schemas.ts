import { deletionRules, itemActions, type ItemReferences, type ModelInfo, type SearchGroup } from '@gantry/contracts';
import { invalidParameter } from '@gantry/plugin-api';
import { z } from 'zod';
import { isJsonObject, type JsonObject, count, flag } from '@gantry/core-common';
import {
  readId,
  defaultLimit,
  largestLimit,
  maxTotal,
  maxSearchText,
  parseRequiredSearchText,
  parseSearchText,
  parseConfirmation,
} from '@gantry/core-content';
import { parsedBy } from '../exchange/input/parsed-by';

/** Items that refer to another one are counted no further. */
export const maxCounted = 1_000;

export const itemId = z.number().meta({ $ref: '#/$defs/ItemId' });

const typeCode = z.string().meta({ pattern: '^[a-z][a-z0-9]*$', description: 'Code of the item type.' });
/** The path of an item has its id as text, so that one that is no id is an item that does not exist. */
const idInPath = z.string().meta({ type: 'integer', format: 'int64', minimum: 1, parameterName: 'ItemId' });

export const typePath = z.object({ type: typeCode });
export const itemPath = typePath.extend({ id: idInPath });

/** An item, as JSON text of PostgreSQL has it. Its type decides what it has. */
export const itemRow = z.object({ id: itemId, values: z.record(z.string(), z.unknown()) });

/** Of a page of rows; the size of a page is a parameter of all lists. */
const pageSize = count(largestLimit)
  .optional()
  .meta({
    ...{ type: 'integer', minimum: 1, maximum: largestLimit, default: defaultLimit },
    ...{ description: 'Maximum number of rows.', parameterName: 'PageSize' },
  });

const strict = flag.meta({
  parameterName: 'StrictCriteria',
  description:
    '`true` refuses criteria that would be skipped, and operators that the field does not have, which otherwise behave as CONTAINS.',
});

const textSyntax = {
  ...{ type: 'string', minLength: 1, maxLength: maxSearchText },
  // A character that is neither blank nor a control character, and none of the latter.
  pattern: String.raw`^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$`,
} as const;

/** The search text of a list. */
export const listSearchText = parsedBy('q', (_name, text) => parseSearchText(text))
  .optional()
  .meta({
    ...textSyntax,
    parameterName: 'ListSearchText',
    description:
      'Only items with this id, or with this text in a label field; a text of fewer than 3 characters must be at its beginning.',
  });

export const listQuery = z.object({
  limit: pageSize,
  after: z.string().optional().meta({
    parameterName: 'PageCursor',
    description: '`meta.nextCursor` of the previous page.',
    // The beginning is that of a JSON array of texts in base64url; the rest is checked by the list.
    pattern: '^WyI[A-Za-z0-9_-]+$',
  }),
  total: flag.meta({
    parameterName: 'PageTotal',
    description: '`true` counts all matches, which is slow on a large table.',
  }),
  cappedTotal: flag.meta({
    parameterName: 'PageCappedTotal',
    description: `\`true\` counts matches up to ${maxTotal.toLocaleString('en')}, which is quick without criteria on a table of any size.`,
  }),
  strict,
  q: listSearchText,
  // Sort fields of the type are read with the cursor.
  sort: z
    .string()
    .optional()
    .meta({ $ref: '#/$defs/{Type}Sort', description: 'A leading `-` sorts in descending order.' }),
});

export const searchQuery = z.object({
  limit: count(1_000_000_000)
    .optional()
    .meta({
      ...{ type: 'integer', minimum: 1, maximum: 1_000_000_000, parameterName: 'SearchLimit' },
      description: 'Maximum number of results; without it every match is returned.',
    }),
  strict,
  q: listSearchText,
});

export const searchAllQuery = z.object({
  q: z
    .unknown()
    .transform((text) => (typeof text === 'string' ? text : ''))
    .pipe(parsedBy('q', (_name, text) => parseRequiredSearchText(text)))
    .meta({
      ...textSyntax,
      parameterName: 'SearchText',
      description: 'An id, or a part of a code or label; with fewer than 3 characters, its beginning.',
    }),
});

/** Rules of field kinds and of the grammar of criteria are read with the type. */
export const criteriaBody = z
  .array(z.unknown(), { error: 'The body must be a JSON array of criteria { field, operator, value }' })
  .prefault([])
  .meta({ $ref: '#/$defs/{Type}Criteria', description: 'A missing body is the same as `[]`.' });

const mustBeObject = 'The body must be a JSON object with one key for every field that is set';

/** The values of an item by field, which are read with the type. */
export function payloadBody(schema: '{Type}Create' | '{Type}Update') {
  const values = z.unknown().refine(isJsonObject, mustBeObject) as z.ZodType<JsonObject>;
  return values.meta({ type: 'object', $ref: `#/$defs/${schema}` });
}

const skippedCriteria = z
  .array(z.object({ field: z.string(), reason: z.enum(['NOT_SEARCHABLE', 'BLANK_VALUE']) }))
  .meta({ id: 'SkippedCriterionList', description: 'The criteria that were skipped.' });

export const listMeta = z
  .object({
    nextCursor: z.string().exactOptional().describe('Value of `after` for the next page; absent on the last one.'),
    total: z.int().exactOptional().describe('Number of matches; only with `total=true` or `cappedTotal=true`.'),
    isTotalCapped: z
      .literal(true)
      .exactOptional()
      .describe('There are more matches than `total`; only with `cappedTotal=true`.'),
    skipped: skippedCriteria.exactOptional(),
  })
  .meta({ id: 'ListMeta' });

/** The whole answer of a search in a type, as it is sent. */
export const searchAnswer = z
  .object({
    data: z.array(z.object({ id: itemId, label: z.string(), subLabel: z.string() })),
    meta: z.object({ skipped: skippedCriteria.exactOptional() }).exactOptional(),
  })
  .meta({ id: 'SearchResultEnvelope' });

const searchHit = z.object({
  id: itemId,
  label: z.string(),
  code: z.string().exactOptional().describe('Absent if the label is the code.'),
  image: z.string().exactOptional().describe('The first image of the item, as its field has it.'),
});

/** The first items of a type that a search across types has found. */
export const searchGroup = z
  .object({
    type: z.string().describe('Code of the item type.'),
    displayName: z.string(),
    displayNamePlural: z.string(),
    items: z.array(searchHit).min(1).max(5),
    isMore: z.boolean().describe('True if the type has more matching items.'),
  })
  .meta({
    id: 'SearchGroup',
    description: 'The items of a type that match the search text.',
  }) satisfies z.ZodType<SearchGroup>;

export const actions = z
  .array(z.enum(itemActions))
  .exactOptional()
  .describe('Actions of the caller; absent if all are allowed.');

export const modelInfo = z
  .object({
    type: z.string(),
    displayName: z.string(),
    displayNamePlural: z.string(),
    plugin: z.string(),
    pluginName: z.string(),
    readOnly: z.boolean(),
    singleton: z
      .literal(true)
      .exactOptional()
      .describe('True if the type has exactly one item, which cannot be deleted.'),
    heading: z.string().exactOptional().describe('Field whose value heads the page of an item.'),
    labelField: z.string().exactOptional().describe('Field whose value is the label of an item.'),
    actions,
    icon: z.string().exactOptional().describe('Path data of SVG: strokes on a grid of 24 by 24.'),
  })
  .meta({ id: 'ModelInfo', description: 'An item type.' }) satisfies z.ZodType<ModelInfo>;

/** The items that refer to an item through one field. */
export const itemReferences = z
  .object({
    type: z.string().describe('Code of the type that has the field.'),
    displayName: z.string(),
    field: z.string(),
    fieldDisplayName: z.string(),
    onDelete: z
      .enum(deletionRules)
      .exclude(['restrict'])
      .exactOptional()
      .describe('The effect of a deletion of the item on these items; absent if the deletion is refused.'),
    count: z.int().max(maxCounted),
    isCapped: z.boolean().describe('True if there are more items than counted.'),
    items: z
      .array(z.object({ id: z.string(), label: z.string() }))
      .describe('The first items. Ids are text, which keeps all digits.'),
  })
  .meta({
    id: 'ReferringItems',
    description: 'The items that refer to an item through one field.',
  }) satisfies z.ZodType<ItemReferences>;

export const referencesQuery = z
  .object({
    field: z
      .string()
      .optional()
      .meta({
        parameterName: 'ReferringField',
        description:
          'A type and its field that refers to the item: its items are given a page at a time, and not the first ones of every field. Needed by `limit` and `after`.',
        examples: ['product.catalog'],
      }),
    limit: pageSize,
    after: parsedBy('after', parseIdCursor).optional().meta({
      parameterName: 'ReferringCursor',
      description: '`meta.nextCursor` of the previous page.',
      pattern: '^[1-9][0-9]{0,18}$',
    }),
  })
  .refine(({ field, limit, after }) => field !== undefined || (limit === undefined && after === undefined), {
    path: ['field'],
    error: 'limit and after require field, which names the type and field to list',
    params: { code: 'REQUIRED' },
  });

export const referencesMeta = z.object({ nextCursor: z.string().exactOptional().describe('Absent on the last page.') });

/** @throws GantryError BAD_REQUEST */
function parseIdCursor(name: string, text: string): string {
  if (readId(text).ok) return text;
  throw invalidParameter(name, `${name} must be the nextCursor of the previous page`);
}

const confirmed = String.raw`[a-z][a-z0-9_]*\.(delete|update)=[0-9]{1,6}`;

export const removalQuery = z.object({
  confirm: parsedBy('confirm', (_name, text) => parseConfirmation(text))
    .optional()
    .meta({
      parameterName: 'ConfirmDeletion',
      description:
        'Confirms that items that refer to this item are deleted or changed with it, as their references declare (`onDelete`). Send `confirm` of the refusal `CONFIRMATION_REQUIRED`, or `all` to confirm any effect.',
      pattern: `^(all|${confirmed}(,${confirmed})*)$`,
      examples: ['product.delete=12,article.update=3'],
    }),
});
