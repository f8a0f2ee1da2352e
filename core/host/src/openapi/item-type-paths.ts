import type { ItemTypeDescriptor } from '../content/compile/descriptor';
import { component, jsonResponse, type Operation, type Paths, type Response } from './document';
import { errorsWith } from './error-responses';
import { examplePayload, isCompleteExample, sortFields, typeSchema } from './item-type-schemas';

const root = '/api/cms/items';

/** The generic endpoints of one item type, with its own fields. */
export function itemTypePaths(type: ItemTypeDescriptor): Paths {
  const path = `${root}/${type.code}`;
  return {
    [`${path}/metadata`]: { get: metadata(type) },
    [`${path}/search-metadata`]: { get: searchMetadata(type) },
    [`${path}/list`]: { post: list(type) },
    [`${path}/search`]: { post: search(type) },
    ...(type.readOnly ? {} : { [path]: { post: create(type) } }),
    [`${path}/{id}`]: {
      parameters: [component('parameters', 'ItemId')],
      get: read(type),
      ...(type.readOnly ? {} : { patch: update(type, 'update'), put: update(type, 'put'), delete: remove(type) }),
    },
    [`${path}/{id}/references`]: { parameters: [component('parameters', 'ItemId')], get: references(type) },
  };
}

// No verb is the beginning of another one, so that no two types can give the same operationId.
type Verb =
  | 'describe'
  | 'filtersOf'
  | 'list'
  | 'search'
  | 'create'
  | 'get'
  | 'referencesTo'
  | 'update'
  | 'put'
  | 'delete';

function operation(
  type: ItemTypeDescriptor,
  verb: Verb,
  summary: string,
): Pick<Operation, 'operationId' | 'tags' | 'summary'> {
  return { operationId: `${verb}${type.className}`, tags: [`plugin ${type.plugin}`], summary };
}

function metadata(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'describe', `${type.displayName}: columns, search inputs and form fields`),
    responses: { 200: jsonResponse('The metadata.', component('schemas', 'ItemMetadataEnvelope')), ...errorsWith(404) },
  };
}

function searchMetadata(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'filtersOf', `${type.displayName}: search inputs`),
    responses: {
      200: jsonResponse('The searchable fields.', component('schemas', 'SearchMetadataEnvelope')),
      ...errorsWith(404),
    },
  };
}

function list(type: ItemTypeDescriptor): Operation {
  const fields = sortFields(type).flatMap((name) => [name, `-${name}`]);
  return {
    ...operation(type, 'list', `${type.displayName}: rows that meet all criteria, a page at a time`),
    parameters: [
      component('parameters', 'PageSize'),
      component('parameters', 'PageCursor'),
      component('parameters', 'PageTotal'),
      component('parameters', 'PageCappedTotal'),
      component('parameters', 'StrictCriteria'),
      component('parameters', 'ListSearchText'),
      {
        name: 'sort',
        in: 'query',
        description: 'A leading `-` sorts in descending order.',
        schema: { type: 'string', enum: fields, default: '-id' },
      },
    ],
    requestBody: criteriaBody(type),
    responses: { 200: jsonResponse('A page of rows.', typeSchema(type, 'ListEnvelope')), ...errorsWith(404, 413, 415) },
  };
}

function search(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'search', `${type.displayName}: every item that meets all criteria`),
    parameters: ['SearchLimit', 'StrictCriteria', 'ListSearchText'].map((name) => component('parameters', name)),
    requestBody: criteriaBody(type),
    responses: {
      200: component('responses', 'SearchResults'),
      ...errorsWith(404, 413, 415),
    },
  };
}

function create(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'create', `${type.displayName}: create an item`),
    requestBody: payloadBody(type, 'Create'),
    responses: { 201: withLocation(rowResponse(type, 'The created row.')), ...errorsWith(404, 409, 413, 415) },
  };
}

function read(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'get', `${type.displayName}: one item`),
    parameters: [component('parameters', 'IfMatch'), component('parameters', 'IfNoneMatch')],
    responses: {
      200: rowResponse(type, 'The row.'),
      304: {
        description: 'The item still has the version of If-None-Match.',
        headers: { ETag: component('headers', 'ETag') },
      },
      ...errorsWith(404, 412),
    },
  };
}

function references(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'referencesTo', `${type.displayName}: the items that refer to an item`),
    parameters: [
      component('parameters', 'ReferringField'),
      component('parameters', 'PageSize'),
      component('parameters', 'ReferringCursor'),
    ],
    responses: {
      200: component('responses', 'ItemReferences'),
      ...errorsWith(404),
    },
  };
}

function update(type: ItemTypeDescriptor, verb: 'update' | 'put'): Operation {
  return {
    ...operation(type, verb, `${type.displayName}: change an item${verb === 'put' ? ', the same as PATCH' : ''}`),
    description: 'Only the properties that are sent change.',
    parameters: [component('parameters', 'IfMatch'), component('parameters', 'WriteIfNoneMatch')],
    requestBody: payloadBody(type, 'Update'),
    responses: {
      200: rowResponse(type, 'The changed row.'),
      ...errorsWith(404, 409, 412, 413, 415),
    },
  };
}

function remove(type: ItemTypeDescriptor): Operation {
  return {
    ...operation(type, 'delete', `${type.displayName}: delete an item`),
    description: 'Rejected with 409 while other items refer to it; see `confirm`.',
    parameters: [
      component('parameters', 'IfMatch'),
      component('parameters', 'WriteIfNoneMatch'),
      component('parameters', 'ConfirmDeletion'),
    ],
    // A body means nothing, but has to be what bodies of writes are.
    responses: { 204: { description: 'The item is deleted.' }, ...errorsWith(404, 409, 412, 413, 415) },
  };
}

function criteriaBody(type: ItemTypeDescriptor): Readonly<Record<string, unknown>> {
  return {
    required: false,
    description: 'A missing body is the same as `[]`.',
    content: { 'application/json': { schema: typeSchema(type, 'Criteria'), example: [] } },
  };
}

function payloadBody(type: ItemTypeDescriptor, mode: 'Create' | 'Update'): Readonly<Record<string, unknown>> {
  const payload = examplePayload(type);
  const fixed = new Set(type.fields.filter(({ editableOnUpdate }) => !editableOnUpdate).map(({ name }) => name));
  const example =
    mode === 'Create' ? payload : Object.fromEntries(Object.entries(payload).filter(([name]) => !fixed.has(name)));
  const shown = mode === 'Update' || isCompleteExample(type, payload) ? { example } : {};
  return { required: true, content: { 'application/json': { schema: typeSchema(type, mode), ...shown } } };
}

function rowResponse(type: ItemTypeDescriptor, description: string): Response {
  return {
    ...jsonResponse(description, typeSchema(type, 'RowEnvelope')),
    headers: { ETag: component('headers', 'ETag') },
  };
}

function withLocation(response: Response): Response {
  return { ...response, headers: { ...response.headers, Location: component('headers', 'Location') } };
}
