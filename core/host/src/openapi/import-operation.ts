import type { ItemTypeDescriptor } from '../content/compile/descriptor';
import { delimiterSchema } from './delimiter-schema';
import { component, envelope, type Operation, type Parameter, type Schema } from './document';
import { errorsWith } from './error-responses';

/** The import of a file into items of one type. */
export function importOperation(type: ItemTypeDescriptor): Operation {
  return {
    operationId: `import${type.className}`,
    tags: [`plugin ${type.plugin}`],
    summary: `${type.displayName}: create or change items from a file, all of them or none`,
    description: [
      'The rules are those of `gantry items import`: references are keys, such as a code, and all wrong lines are reported.',
      'With `Accept: application/x-ndjson` the response is a stream: lines of `progress` and `problem`, then the envelope.',
      'A client that closes the connection before the commit cancels the import.',
    ].join(' '),
    parameters,
    requestBody: {
      required: true,
      description: 'The file, in UTF-8 and not compressed; it may exceed the limit of other bodies.',
      content: {
        // An entry that is not an object is a wrong item, which a dry run reports in its result.
        'application/json': {
          schema: { type: 'array', items: { type: 'object' }, description: 'Objects of names and values.' },
          example: [],
        },
        'application/x-ndjson': { schema: { type: 'string', description: 'A JSON object on each line.' } },
        'text/csv': { schema: { type: 'string', description: 'A header that names the fields, and rows.' } },
      },
    },
    responses: {
      200: {
        description: 'The result of the import; after a dry run, the result that it would have.',
        content: {
          'application/json': { schema: component('schemas', 'ImportReportEnvelope') },
          'application/x-ndjson': { schema: { type: 'string' } },
        },
      },
      ...errorsWith(404, 405, 409, 413, 415, 429),
    },
  };
}

const flag = { type: 'boolean', default: false } as const;

const parameters: readonly Parameter[] = [
  query('dryRun', 'Checks everything and writes nothing.', flag),
  query('delimiter', 'Delimiter of a CSV file.', delimiterSchema),
  query(
    'map',
    'Fields by columns or keys of other names, as a JSON object: `{"Title":"title"}`. An empty text ignores the column.',
    { type: 'string' },
  ),
  query('set', 'The same text for a field of every item, as a JSON object: `{"catalog":"spring"}`.', {
    type: 'string',
  }),
  query('match', 'Unique fields, separated by commas, by which existing items are found and updated.', {
    type: 'string',
  }),
  query('ignoreUnknown', 'Ignores columns and keys that are not fields.', flag),
  query('ids', 'References are ids, not keys.', flag),
  query('keepIds', 'New items get the ids that they have in the file, and references are ids.', flag),
  query('safeCsv', 'Removes the apostrophes before formulas.', flag),
  query(
    'keepEmpty',
    'In a CSV file, two quotes are empty text and an empty cell is no value; otherwise both are no value.',
    flag,
  ),
];

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

const count = { type: 'integer', minimum: 0 } as const;
const counts = ['items', 'created', 'updated', 'unchanged', 'badItems', 'problems'] as const;

/** Schemas of an import, shared by all types. */
export const importSchemas: Readonly<Record<string, Schema>> = {
  ImportProblem: {
    allOf: [
      component('schemas', 'FailureDetail'),
      {
        type: 'object',
        required: ['line'],
        properties: {
          path: { type: 'string', description: 'The field; empty where the item as a whole is refused.' },
          line: { type: 'integer', minimum: 0 },
          value: { type: 'string', description: 'The refused value as text, its beginning where it is long.' },
        },
      },
    ],
  },
  ImportReportEnvelope: envelope({
    type: 'object',
    required: [...counts, 'dryRun', 'kept', 'details'],
    properties: {
      ...Object.fromEntries(counts.map((name) => [name, count])),
      dryRun: { type: 'boolean' },
      kept: { type: 'boolean', description: 'False after a dry run.' },
      details: {
        type: 'array',
        items: component('schemas', 'ImportProblem'),
        description: 'The first thousand problems of a dry run; without one they are the details of an error.',
      },
    },
  }),
};
