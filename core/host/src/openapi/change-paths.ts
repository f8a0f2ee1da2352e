import { changeActions, changeSources } from '@gantry/contracts';
import { component, envelope, jsonResponse, type Operation, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';

/** The history of items and the change feed: the same for every item type. */
export function changePaths(): Paths {
  const item = { parameters: [typeCode, component('parameters', 'ItemId')] };
  const items = '/api/cms/items/{type}';
  return {
    '/api/cms/changes': { get: feed() },
    [`${items}/deleted`]: { parameters: [typeCode], get: deleted() },
    [`${items}/{id}/history`]: { ...item, get: history() },
    [`${items}/{id}/history/{version}`]: {
      parameters: [...item.parameters, { name: 'version', in: 'path', required: true, schema: version }],
      get: oneVersion(),
    },
    [`${items}/{id}/differences`]: { ...item, get: differences() },
    [`${items}/{id}/restore`]: { ...item, post: restore() },
  };
}

const text = { type: 'string' } as const;
const version = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;
const positionPattern = String.raw`^\d{1,9}\.\d{1,18}\.\d{1,18}$`;
const position: Schema = { type: 'string', description: 'A place in the change feed.', examples: ['1.5012.88'] };

const typeCode: Parameter = {
  name: 'type',
  in: 'path',
  required: true,
  description: 'Code of the item type.',
  schema: { type: 'string', pattern: '^[a-z][a-z0-9]*$' },
};

const before: Parameter = {
  name: 'before',
  in: 'query',
  description: '`meta.nextBefore` of the page before.',
  schema: { ...position, pattern: positionPattern },
};

function limit(byDefault: number): Parameter {
  return { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000, default: byDefault } };
}

const values: Schema = { type: 'object', description: 'Values by field name, as rows have them.' };

const row = { id: component('schemas', 'ItemId'), values };

const change: Schema = {
  type: 'object',
  required: ['position', 'at', 'type', 'id', 'version', 'action', 'changed'],
  properties: {
    position,
    at: { ...component('schemas', 'Instant') },
    type: { type: 'string', description: 'Code of the item type.' },
    id: component('schemas', 'ItemId'),
    version,
    action: { enum: changeActions, description: '`left`: the item is no longer one that the caller sees.' },
    actor: { type: 'string', description: '`user:12`, `local`, `plugin:order`, `system` or `database:` and a name.' },
    actorName: { type: 'string', description: 'Display name of the user.' },
    source: { enum: changeSources },
    requestId: text,
    restoredVersion: { ...version, description: 'The version of which the item was restored.' },
    changed: { type: 'array', items: text, description: 'Names of the fields that changed.' },
    values: { ...values, description: 'After the change; of a deleted item before it.' },
    previous: { ...values, description: 'Before the change, of the fields that changed.' },
  },
};

const newestMeta: Schema = {
  type: 'object',
  properties: { nextBefore: { ...position, description: 'Absent on the last page.' } },
};

const changes: Schema = { type: 'array', items: change };

function operation(operationId: string, summary: string): Pick<Operation, 'operationId' | 'tags' | 'summary'> {
  return { operationId, tags: ['history'], summary };
}

function feed(): Operation {
  const time = { type: 'string', format: 'date-time' } as const;
  return {
    ...operation('changes', 'Changes of items, in the order in which they became visible, or the newest first'),
    description:
      'A program that follows the feed begins with `after=latest` or without `after`, and sends `meta.next` as `after` of its next request. ' +
      'The parameters `before`, `actor`, `action`, `from` and `to` are known with `order=newest` only, and `after` without it only.',
    parameters: [
      {
        name: 'after',
        in: 'query',
        description: 'A position, or `latest` for the end of the feed.',
        schema: { type: 'string', pattern: String.raw`^(latest|\d{1,9}\.\d{1,18}\.\d{1,18})$` },
      },
      { name: 'types', in: 'query', description: 'Type codes with commas; all unless given.', schema: text },
      limit(100),
      { name: 'order', in: 'query', schema: { enum: ['oldest', 'newest'], default: 'oldest' } },
      before,
      { name: 'actor', in: 'query', schema: text },
      { name: 'action', in: 'query', schema: { enum: changeActions } },
      { name: 'from', in: 'query', schema: time },
      { name: 'to', in: 'query', schema: time },
    ],
    responses: {
      200: jsonResponse(
        'A page. It may have fewer changes than `limit`, as some are not shown to the caller.',
        envelope(changes, {
          type: 'object',
          properties: { next: position, hasMore: { type: 'boolean' }, nextBefore: position },
        }),
      ),
      ...errorsWith(404),
    },
  };
}

function history(): Operation {
  return {
    ...operation('itemHistory', 'The versions of an item, the newest first; of a deleted item too'),
    parameters: [before, limit(50)],
    responses: { 200: jsonResponse('A page.', envelope(changes, newestMeta)), ...errorsWith(404) },
  };
}

function oneVersion(): Operation {
  return {
    ...operation('itemVersion', 'One version of an item'),
    responses: { 200: jsonResponse('The change that made it.', envelope(change)), ...errorsWith(404) },
  };
}

const difference: Schema = {
  type: 'object',
  required: ['field', 'displayName', 'type', 'before', 'after'],
  properties: { field: text, displayName: text, type: text, before: {}, after: {} },
};

const differenceList: Schema = { type: 'array', items: difference };

function differences(): Operation {
  return {
    ...operation('itemDifferences', 'The fields in which two versions of an item differ'),
    parameters: ['from', 'to'].map((name) => ({ name, in: 'query', required: true, schema: version })),
    responses: { 200: jsonResponse('The fields.', envelope(differenceList)), ...errorsWith(404) },
  };
}

const deletedItem: Schema = {
  type: 'object',
  required: ['id', 'version', 'label', 'deletedAt', 'position'],
  properties: {
    id: component('schemas', 'ItemId'),
    version,
    label: text,
    deletedAt: { ...component('schemas', 'Instant') },
    actor: text,
    actorName: text,
    position,
  },
};

function deleted(): Operation {
  return {
    ...operation('deletedItems', 'Items that were deleted and do not exist, the last ones first'),
    parameters: [before, limit(50)],
    responses: {
      200: jsonResponse('A page.', envelope({ type: 'array', items: deletedItem }, newestMeta)),
      ...errorsWith(404),
    },
  };
}

const check: Schema = {
  type: 'object',
  required: ['version', 'isDeleted', 'changes', 'problems'],
  properties: {
    version,
    isDeleted: { type: 'boolean', description: 'The item would exist again with the same id.' },
    changes: differenceList,
    problems: { type: 'array', items: component('schemas', 'FailureDetail') },
  },
};

function restore(): Operation {
  return {
    ...operation('restoreItem', 'Write the values of an earlier version, or bring back a deleted item'),
    description: 'Checked as any other write; nothing is written when a field cannot be restored.',
    parameters: [component('parameters', 'IfMatch')],
    requestBody: {
      required: false,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            additionalProperties: false,
            properties: {
              version: { ...version, description: 'Of a deleted item, the last one unless given.' },
              check: { type: 'boolean', default: false, description: 'Only say what would happen.' },
              without: { type: 'array', items: text, description: 'Names of fields that are not restored.' },
              values: {
                type: 'object',
                description:
                  'Values by field that are written instead of those of the version, such as of a field that is required by now.',
              },
            },
          },
          example: { version: 1, check: true },
        },
      },
    },
    responses: {
      200: jsonResponse(
        'The row; with `check`, what a restore would do.',
        envelope({ oneOf: [check, { type: 'object', required: ['values'], properties: row }] }),
      ),
      ...errorsWith(404, 405, 409, 412, 413, 415),
    },
  };
}
