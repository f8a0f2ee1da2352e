import type { ItemTypeDescriptor } from '../content/compile/descriptor';
import { delimiterSchema } from './delimiter-schema';
import { component, type Operation, type Parameter, type Schema } from './document';
import { errorsWith } from './error-responses';
import { typeSchema } from './item-type-schemas';

/** The export of items of one type into a file. */
export function exportOperation(type: ItemTypeDescriptor): Operation {
  return {
    operationId: `export${type.className}`,
    tags: [`plugin ${type.plugin}`],
    summary: `${type.displayName}: export the items that meet all criteria to a file that can be imported`,
    description: [
      'The rules are those of `gantry items export`: references are keys, such as a code, and items come in the order in',
      'which they were created. The response is streamed; an interrupted response is not the complete file. A criterion that a list',
      'would skip is rejected.',
    ].join(' '),
    parameters: [...parameters, component('parameters', 'ListSearchText')],
    requestBody: {
      required: false,
      description: 'A missing body is the same as `[]`.',
      content: { 'application/json': { schema: selectionSchema(type), example: [] } },
    },
    responses: {
      200: {
        description: 'The file.',
        headers: { 'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } } },
        content: {
          'application/x-ndjson': { schema: { type: 'string' } },
          'application/json': { schema: { type: 'array', items: { type: 'object' } } },
          'text/csv': { schema: { type: 'string' } },
        },
      },
      ...errorsWith(404, 405, 413, 415, 429),
    },
  };
}

function selectionSchema(type: ItemTypeDescriptor): Schema {
  const criteria = typeSchema(type, 'Criteria');
  const items = {
    type: 'array',
    items: component('schemas', 'ItemId'),
    description: 'Ids of the items to export; the criteria apply as well.',
  };
  return { anyOf: [criteria, { type: 'object', additionalProperties: false, properties: { criteria, items } }] };
}

const flag = { type: 'boolean', default: false } as const;

const parameters: readonly Parameter[] = [
  query('format', 'A JSON object on each line, one JSON array, or CSV.', {
    type: 'string',
    enum: ['jsonl', 'json', 'csv'],
    default: 'jsonl',
  }),
  query('delimiter', 'Delimiter of a CSV file.', delimiterSchema),
  query(
    'ids',
    'Writes the ids of items and references instead of keys, for an import into this database, or into an empty one with keepIds.',
    flag,
  ),
  query('keepEmpty', 'In a CSV file, writes empty text as two quotes, to distinguish it from no value.', flag),
  query('strict', '`true` refuses operators that a field does not have, which otherwise behave as CONTAINS.', flag),
  query('safeCsv', 'Puts an apostrophe before text that a spreadsheet would run as a formula.', flag),
];

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}
