import type { DetailCode, ImportReport } from '@gantry/contracts';
import { z } from 'zod';
import { isJsonObject, numberText, parseJson, flag } from '@gantry/core-common';
import { readId } from '@gantry/core-content';
import { transferFormats, type TransferFormat } from '../transfer-format';
import { oneOf, listSearchText } from '@gantry/core-http';

/** Media types of JSON lines. */
export const jsonLines = 'application/x-ndjson' as const;

/** The formats by media type. */
export const formats: Readonly<Record<string, TransferFormat>> = {
  'text/csv': 'csv',
  [jsonLines]: 'jsonl',
  'application/jsonl': 'jsonl',
  'application/json': 'json',
};

/** For clients that send no other media type: the query says the format. */
export const bytesOfAnyFormat = 'application/octet-stream';

export const mediaTypeOf = { csv: 'text/csv', json: 'application/json', jsonl: jsonLines } as const;

const ndjson = z.string().describe('A JSON object on each line.');

/** The files of an import. An entry that is not an object is a wrong item, which a dry run reports in its result. */
export const importedFiles = {
  'application/json': z.array(z.looseObject({})).meta({ description: 'Objects of names and values.', examples: [[]] }),
  [jsonLines]: ndjson,
  'application/jsonl': ndjson,
  'text/csv': z.string().describe('A header that names the fields, and rows.'),
  [bytesOfAnyFormat]: z.string().meta({ format: 'binary', description: 'A file of the `format` in the query.' }),
};

export const exportedFiles = {
  [jsonLines]: ndjson,
  'application/json': z.array(z.looseObject({})),
  'text/csv': z.string(),
};

const delimiterPattern = String.raw`^[^"\r\n]$`;

const delimiter = z
  .string()
  .regex(new RegExp(delimiterPattern), { error: 'must be one character, and neither a quote nor a line break' })
  .default(',')
  .meta({ pattern: delimiterPattern, maxLength: 1, default: ',', description: 'Delimiter of a CSV file.' });

const wrongType = { code: 'WRONG_TYPE' satisfies DetailCode };

/** `{"Title":"title"}`: JSON, because names of columns may hold any character. */
function textMap(description: string) {
  return z
    .string()
    .transform((text, context): ReadonlyMap<string, string> => {
      const value = jsonOf(text);
      const entries = isJsonObject(value) ? Object.entries(value) : [];
      const texts = entries.flatMap(([key, entry]) => (typeof entry === 'string' ? [[key, entry] as const] : []));
      if (isJsonObject(value) && texts.length === entries.length) return new Map(texts);
      const message = value === undefined ? 'is not valid JSON' : 'must be a JSON object of texts, such as {"a":"b"}';
      context.addIssue({ code: 'custom', message, params: wrongType });
      return z.NEVER;
    })
    .default(new Map())
    .meta({ default: undefined, description });
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export const importQuery = z.object({
  dryRun: flag.describe('Checks everything and writes nothing.'),
  format: oneOf('format', transferFormats)
    .optional()
    .meta({
      ...{ type: 'string', enum: transferFormats },
      parameterName: 'ImportFormat',
      description: `Format of the file; required with \`${bytesOfAnyFormat}\` only: other media types define it.`,
    }),
  delimiter,
  map: textMap(
    'Fields for columns or keys with other names, as a JSON object: `{"Title":"title"}`. An empty text skips the column.',
  ),
  set: textMap('Values that every item gets, as a JSON object: `{"catalog":"spring"}`.'),
  match: z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .default([])
    .meta({
      default: undefined,
      description: 'Unique fields, separated by commas, by which existing items are found and updated.',
    }),
  ignoreUnknown: flag.describe('Ignores columns and keys that are not fields.'),
  ids: flag.describe('References are ids, not keys.'),
  keepIds: flag.describe('New items get the ids that they have in the file, and references are ids.'),
  safeCsv: flag.describe('Removes the apostrophes that an export with `safeCsv` puts before formulas.'),
  keepEmpty: flag.describe(
    'In a CSV file, reads two quotes as empty text and an empty cell as no value; otherwise both are no value.',
  ),
});

export const exportQuery = z.object({
  format: oneOf('format', transferFormats)
    .default('jsonl')
    .meta({
      ...{ enum: transferFormats, default: 'jsonl' },
      description: 'A JSON object on each line, one JSON array, or CSV.',
    }),
  delimiter,
  ids: flag.describe(
    'Writes the ids of items and references instead of keys, for an import into this database, or into an empty one with keepIds.',
  ),
  keepEmpty: flag.describe('In a CSV file, writes empty text as two quotes, to distinguish it from no value.'),
  strict: flag.describe('`true` refuses operators that a field does not have, which otherwise behave as CONTAINS.'),
  safeCsv: flag.describe('Puts an apostrophe before text that a spreadsheet would run as a formula.'),
  q: listSearchText,
});

/** Rules of field kinds and of the grammar of criteria are read with the type. */
const criteria = z
  .array(z.unknown(), { error: 'must be an array of { field, operator, value }' })
  .meta({ $ref: '#/$defs/{Type}Criteria' });

const itemId = z
  .unknown()
  .transform((value, context) => {
    const id = readId(numberText(value) ?? '');
    if (id.ok) return id.value;
    context.addIssue({ code: 'custom', message: 'must be an id, a whole number from 1', params: wrongType });
    return z.NEVER;
  })
  .meta({ $ref: '#/$defs/ItemId' });

const items = z
  .array(itemId, { error: 'must be an array of ids' })
  .describe('Ids of the items to export; the criteria apply as well.');

/** A list of criteria, or those and the ids of items. */
export const exportBody = z
  .union(
    [
      criteria.transform((listed) => ({ criteria: listed, items: undefined })),
      z.strictObject({ criteria: criteria.default([]), items: items.optional() }),
    ],
    {
      error: 'The body must be a JSON array of criteria { field, operator, value }, or an object { criteria, items }',
    },
  )
  .prefault([])
  .meta({ examples: [[]] });

const count = z.int().min(0);

/** A line of the file that is wrong. */
const importProblem = z
  .object({
    path: z.string().describe('The field; empty if the item as a whole is refused.'),
    code: z.string(),
    message: z.string(),
    line: count,
    items: z
      .array(z.object({ id: z.string(), label: z.string() }))
      .exactOptional()
      .describe('The first items that have the problem.'),
    value: z.string().exactOptional().describe('The refused value as text, shortened if it is long.'),
  })
  .meta({ id: 'ImportProblem' });

export const importReport = z
  .object({
    ...{ items: count, created: count, updated: count, unchanged: count, badItems: count, problems: count },
    dryRun: z.boolean(),
    kept: z.boolean().describe('True if the import was written; false after a dry run.'),
    details: z
      .array(importProblem)
      .describe('The first 1,000 problems of a dry run. Without a dry run, problems are the details of an error.'),
  })
  .meta({
    id: 'ImportReport',
    description: 'The result of the import; of a dry run, the result that the import would have.',
  }) satisfies z.ZodType<ImportReport>;
