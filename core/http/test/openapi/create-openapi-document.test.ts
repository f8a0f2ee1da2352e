import { errorCatalogue } from '@gantry/contracts';
import { type ItemTypeDescriptor, formatCursor, parseListQuery, parsePayload } from '@gantry/core-content';
import { parseJson, type JsonObject } from '@gantry/core-common';
import { compiledRoutes } from '@gantry/host';
import { clashingNames, compileRouteSchemas } from '@gantry/core-loader';
import { createOpenApiDocument, type OpenApiInput } from '../../src/openapi/create-openapi-document';
import { earlierDocument } from '../../src/openapi/earlier-document';
import { examplePayload } from '../../src/openapi/item-type-schemas';
import { z } from 'zod';
import { faultsOf } from '../../../../test/support/openapi-faults';
import { sampleTypes } from './sample-types';

const moveSchemas = {
  params: z.object({ machineId: z.string().max(8) }),
  query: z.object({
    floor: z.coerce.number().meta({ description: 'Where to.' }),
    lift: z.enum(['A', 'B']).optional(),
  }),
  body: z.strictObject({ reason: z.string().max(100) }).optional(),
};

const input: OpenApiInput = {
  types: sampleTypes,
  routes: [
    ...compiledRoutes(),
    {
      plugin: 'workshop',
      method: 'POST',
      path: '/machines/:machineId/repair',
      options: {
        query: ['urgent'],
        summary: 'Repair a machine',
        openapi: { responses: { 202: { description: 'The repair has been ordered.' } } },
      },
      schemas: {},
    },
    {
      plugin: 'workshop',
      method: 'POST',
      path: '/machines/:machineId/moves',
      options: {},
      schemas: compileRouteSchemas('POST', '/machines/:machineId/moves', { schemas: moveSchemas }).schemas,
    },
    { plugin: 'workshop', method: 'GET', path: '/files{/:name}', options: {}, schemas: {} },
    { plugin: 'workshop', method: 'DELETE', path: '/machines/:machineId', options: {}, schemas: {} },
    { plugin: 'workshop', method: 'POST', path: '/machines/:machineId/stop', options: { body: 'none' }, schemas: {} },
  ],
  version: '1.2.3',
  bodyLimit: 1024,
};
// As it is served: what JSON cannot hold must not be in the document.
const document = JSON.parse(JSON.stringify(createOpenApiDocument(input)));

describe('earlierDocument', () => {
  test('gives the same operations in a document that the OpenAPI 3.0 schema accepts', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const validator = new Validator();
    const earlier = JSON.parse(JSON.stringify(earlierDocument(createOpenApiDocument(input))));

    expect(await validator.validate(structuredClone(earlier))).toEqual({ valid: true });
    expect(validator.version).toBe('3.0');
    expect(() => validator.resolveRefs()).not.toThrow();
    expect(Object.keys(earlier.paths)).toEqual(Object.keys(document.paths));
  });

  test('says in its own words what is null, more than a number, or one of several types', () => {
    const of = (schema: object): unknown =>
      (
        earlierDocument({
          ...document,
          components: { ...document.components, schemas: { One: schema } },
        }) as typeof document
      ).components.schemas.One;

    expect(of({ type: ['string', 'null'], examples: ['a', 'b'] })).toEqual({
      type: 'string',
      nullable: true,
      example: 'a',
    });
    expect(of({ type: 'number', exclusiveMinimum: 0 })).toEqual({ type: 'number', minimum: 0, exclusiveMinimum: true });
    expect(of({ type: ['array', 'string'], items: { const: 1 } })).toEqual({
      anyOf: [{ type: 'array', items: { enum: [1] } }, { type: 'string' }],
    });
    expect(of({ oneOf: [{ $ref: '#/components/schemas/ItemId' }, { type: 'null' }] })).toEqual({
      oneOf: [{ $ref: '#/components/schemas/ItemId' }],
      nullable: true,
    });
    expect(of({ type: 'number', $ref: '#/components/schemas/ItemId', description: 'Of the item.' })).toEqual({
      description: 'Of the item.',
      allOf: [{ $ref: '#/components/schemas/ItemId' }],
    });
  });
});

describe('createOpenApiDocument', () => {
  test('gives a document that the OpenAPI 3.1 schema accepts and whose references all lead somewhere', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const validator = new Validator();

    const result = await validator.validate(structuredClone(document));

    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(() => validator.resolveRefs()).not.toThrow();
  });

  test('has a path for every endpoint of every type, without writes for a read-only type', () => {
    const methods = Object.fromEntries(
      Object.entries<object>(document.paths).map(([path, item]) => [
        path,
        Object.keys(item).filter((key) => key !== 'parameters'),
      ]),
    );

    expect(methods).toEqual({
      '/api/cms/items/types': ['get'],
      '/api/cms/search': ['post'],
      '/api/cms/changes': ['get'],
      '/api/cms/changes/stream': ['get'],
      '/api/cms/items/{type}/deleted': ['get'],
      '/api/cms/items/{type}/{id}/history': ['get'],
      '/api/cms/items/{type}/{id}/history/{version}': ['get'],
      '/api/cms/items/{type}/{id}/differences': ['get'],
      '/api/cms/items/{type}/{id}/restore': ['post'],
      '/api/platform/content': ['get'],
      '/api/platform/items': ['get'],
      '/api/platform/attention': ['get'],
      '/api/platform/recent': ['get'],
      '/api/platform/commands': ['get'],
      '/api/platform/views': ['get'],
      '/api/platform/plugins': ['get'],
      '/api/platform/plugins/{id}/check': ['post'],
      '/api/platform/plugins/{id}/enable': ['post'],
      '/api/platform/plugins/{id}/settings': ['get', 'patch'],
      '/api/platform/plugins/install': ['post'],
      '/api/platform/plugins/{id}/uninstall': ['post'],
      '/api/platform/plugins/{id}/upgrade': ['post'],
      '/api/platform/plugins/{id}/disable': ['post'],
      '/api/platform/generations': ['get'],
      '/api/platform/session': ['get', 'post', 'delete'],
      '/api/platform/one-time-links': ['post'],
      '/api/platform/oidc/start': ['get'],
      '/api/platform/oidc/callback': ['get'],
      '/api/platform/account/passkey-registration': ['post'],
      '/api/platform/account/passkeys': ['get', 'post'],
      '/api/platform/account/passkeys/{id}': ['patch', 'delete'],
      '/api/platform/account/password': ['get', 'put'],
      '/api/platform/account/presence': ['post'],
      '/api/platform/account/sessions': ['get'],
      '/api/platform/account/sessions/{id}': ['delete'],
      '/api/platform/account/totp': ['get', 'post', 'put', 'delete'],
      '/api/platform/account/tokens': ['get', 'post'],
      '/api/platform/account/tokens/{id}': ['delete'],
      '/api/platform/users': ['get', 'post'],
      '/api/platform/users/{id}': ['get', 'patch', 'delete'],
      '/api/platform/users/{id}/remaining': ['get'],
      '/api/platform/users/{id}/one-time-link': ['post'],
      '/api/platform/users/{id}/tokens': ['post'],
      '/api/platform/roles': ['get', 'post', 'patch'],
      '/api/platform/roles/{name}': ['get', 'put', 'delete'],
      '/api/platform/permissions': ['get'],
      '/api/platform/explain': ['get'],
      '/api/platform/view-as': ['put', 'delete'],
      '/api/platform/webhooks': ['get', 'post'],
      '/api/platform/webhooks/{id}': ['get', 'patch', 'delete'],
      '/api/platform/webhooks/{id}/pause': ['post'],
      '/api/platform/webhooks/{id}/resume': ['post'],
      '/api/platform/webhooks/{id}/secret': ['post'],
      '/api/platform/webhooks/{id}/retry': ['post'],
      '/api/platform/webhooks/{id}/replay': ['post'],
      '/api/platform/webhooks/{id}/test': ['post'],
      '/api/platform/webhooks/{id}/deliveries': ['get'],
      '/api/platform/webhooks/{id}/undelivered': ['get'],
      '/api/platform/webhooks/{id}/discard': ['post'],
      '/api/platform/webhooks/{id}/changes/{position}': ['get'],
      '/api/platform/subscriptions': ['get'],
      '/api/platform/subscriptions/{plugin}/{name}': ['get', 'delete'],
      '/api/platform/subscriptions/{plugin}/{name}/pause': ['post'],
      '/api/platform/subscriptions/{plugin}/{name}/resume': ['post'],
      '/api/platform/subscriptions/{plugin}/{name}/retry': ['post'],
      '/api/platform/subscriptions/{plugin}/{name}/discard': ['post'],
      '/api/platform/subscriptions/{plugin}/{name}/replay': ['post'],
      '/api/platform/subscriptions/{plugin}/{name}/deliveries': ['get'],
      '/api/platform/subscriptions/{plugin}/{name}/undelivered': ['get'],
      '/api/platform/subscriptions/{plugin}/{name}/changes/{position}': ['get'],
      '/api/platform/tokens': ['get'],
      '/api/platform/tokens/{id}': ['delete'],
      '/api/platform/audit': ['get'],
      '/api/openapi.json': ['get'],
      '/livez': ['get'],
      '/readyz': ['get'],
      '/metrics': ['get'],
      ...pathsOf('maker'),
      ...pathsOf('machine'),
      '/api/cms/items/sale/metadata': ['get'],
      '/api/cms/items/sale/search-metadata': ['get'],
      '/api/cms/items/sale/list': ['post'],
      '/api/cms/items/sale/search': ['post'],
      '/api/cms/items/sale/{id}': ['get'],
      '/api/cms/items/sale/{id}/references': ['get'],
      '/api/cms/exports/sale': ['post'],
      '/machines/{machineId}/repair': ['post'],
      '/machines/{machineId}/moves': ['post'],
      '/machines/{machineId}': ['delete'],
      '/machines/{machineId}/stop': ['post'],
      '/files': ['get'],
      '/files/{name}': ['get'],
    });
  });

  test('gives every operation a unique id', () => {
    const ids = operations().map(({ operationId }) => operationId);

    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has one schema for each name in the routes of the platform', () => {
    const routes = compiledRoutes();

    expect(clashingNames(routes.map(({ schemas, contract }) => [schemas, contract]))).toEqual([]);
  });

  test('describes a create payload by the rules of the fields', () => {
    expect(document.components.schemas.MachineCreate).toMatchObject({
      required: ['code', 'maker'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', maxLength: 40, pattern: '^(?:[A-Z]{1,3}-\\d+)$' },
        weight: {
          type: ['number', 'null'],
          minimum: 0,
          'x-decimal-places': 4,
          description: 'At most 4 digits after the decimal point.',
        },
        parts: { type: ['integer', 'null'] },
        forSale: { type: ['boolean', 'null'], default: true },
        maker: { type: 'integer', minimum: 1, description: 'Id of maker.' },
        resellers: { type: ['array', 'null', 'string'], maxLength: 0, items: { type: 'integer' } },
        manual: { type: ['string', 'null'], description: 'For the buyer.' },
        photo: { type: ['string', 'null'], maxLength: 2048 },
        catalogVersion: { type: 'string', enum: ['STAGED', 'ONLINE'], default: 'STAGED' },
      },
    });
  });

  test('describes an update payload without required properties', () => {
    expect(document.components.schemas.MachineUpdate).not.toHaveProperty('required');
  });

  test('leaves out of an update payload what is set on create only, and names it', () => {
    const { MachineCreate, MachineUpdate } = document.components.schemas;
    const fixed = Object.keys(MachineCreate.properties).filter((name) => !(name in MachineUpdate.properties));

    expect(fixed).not.toEqual([]);
    expect(MachineUpdate).toMatchObject({
      additionalProperties: false,
      description: expect.stringContaining(`Without ${fixed.join(', ')}`),
    });
  });

  test('describes cursors and delimiters by patterns', () => {
    const { sort } = parseListQuery(sampleTypes[0] as ItemTypeDescriptor, {});
    const cursor = formatCursor(sort, { value: '1', id: '1' });
    expect(cursor).toMatch(new RegExp(document.components.parameters.PageCursor.schema.pattern, 'u'));

    const delimiters = document.paths['/api/cms/imports/machine'].post.parameters;
    const { schema } = delimiters.find(({ name }: { name: string }) => name === 'delimiter');
    expect([',', ';', '\t', '"', '\n', ',,', ''].filter((text) => new RegExp(schema.pattern, 'u').test(text))).toEqual([
      ',',
      ';',
      '\t',
    ]);
  });

  test('describes references in rows as labelled items', () => {
    const { values } = document.components.schemas.MachineRow.properties;

    expect(values.properties).toMatchObject({
      maker: { $ref: '#/components/schemas/ItemReference' },
      resellers: { $ref: '#/components/schemas/ItemReferences' },
      createdAt: { $ref: '#/components/schemas/Instant' },
      version: { $ref: '#/components/schemas/ItemVersion' },
    });
    expect(document.components.schemas.SaleRow.properties.values.properties.machine).toEqual({
      $ref: '#/components/schemas/OptionalItemReference',
    });
  });

  test('lists what a list can be sorted by', () => {
    const { parameters } = document.paths['/api/cms/items/machine/list'].post;
    const sort = parameters.find(({ name }: { name?: string }) => name === 'sort');

    expect(sort.schema.$ref).toBe('#/components/schemas/MachineSort');
    expect(document.components.schemas.MachineSort.enum).toEqual(
      ['id', 'createdAt', 'updatedAt', 'code', 'weight', 'catalogVersion'].flatMap((name) => [name, `-${name}`]),
    );
  });

  test('has no divisor of numbers, as validators divide binary fractions', () => {
    expect(JSON.stringify(document)).not.toContain('multipleOf');
  });

  test('has no fault that tools of others find', () => {
    expect(faultsOf(document)).toEqual([]);
  });

  test('has an error answer for every status of the error table, with its codes', () => {
    const shared = ['ItemReferences'];
    const errors = Object.keys(document.components.responses).filter((name) => !shared.includes(name));
    const codes = errors.flatMap((name) => {
      const { schema } = document.components.responses[name].content['application/json'];
      return schema.allOf[1].properties.error.properties.code.enum;
    });

    expect(codes.toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
  });

  test('merges what a plugin route says of itself into its operation', () => {
    const operation = document.paths['/machines/{machineId}/repair'].post;

    expect(operation.summary).toBe('Repair a machine');
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['202', '400', '404', '503']));
    expect(operation.responses).not.toHaveProperty('200');
    expect(operation.parameters).toEqual([
      { name: 'machineId', in: 'path', required: true, schema: { type: 'string', minLength: 1 } },
      { name: 'urgent', in: 'query', schema: { type: 'string' } },
    ]);
  });

  test('describes a plugin route by its schemas', () => {
    const { parameters, requestBody } = document.paths['/machines/{machineId}/moves'].post;

    expect(parameters).toEqual([
      { name: 'machineId', in: 'path', required: true, schema: { type: 'string', maxLength: 8 } },
      { name: 'floor', in: 'query', required: true, description: 'Where to.', schema: { type: 'number' } },
      { name: 'lift', in: 'query', schema: { type: 'string', enum: ['A', 'B'] } },
    ]);
    expect(requestBody).toEqual({
      required: false,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            additionalProperties: false,
            required: ['reason'],
            properties: { reason: { type: 'string', maxLength: 100 } },
          },
        },
      },
    });
  });

  test('says of every write that its body may be too large or none of JSON, also where it means nothing', () => {
    const paths = Object.values<Record<string, { responses: object }>>(document.paths);
    const writes = paths.flatMap(({ post, put, patch, delete: remove }) => [post, put, patch, remove]).filter(Boolean);

    expect(writes.length).toBeGreaterThan(10);
    for (const write of writes) {
      expect(Object.keys(write?.responses ?? {})).toEqual(expect.arrayContaining(['413', '415']));
    }
  });

  test('gives examples that the validation of payloads accepts', () => {
    for (const type of sampleTypes.filter(({ readOnly }) => !readOnly)) {
      expect(problemsOf(type)).toEqual([]);
    }
  });

  test('shares the parts that do not depend on the type, so that a type takes less than 25 kB', () => {
    const one = JSON.stringify(createOpenApiDocument({ ...input, types: sampleTypes.slice(1, 2) })).length;
    const none = JSON.stringify(createOpenApiDocument({ ...input, types: [] })).length;

    expect(one - none).toBeLessThan(25_000);
  });
});

function pathsOf(code: string): Record<string, readonly string[]> {
  const path = `/api/cms/items/${code}`;
  return {
    [`${path}/metadata`]: ['get'],
    [`${path}/search-metadata`]: ['get'],
    [`${path}/list`]: ['post'],
    [`${path}/search`]: ['post'],
    [path]: ['post'],
    [`/api/cms/exports/${code}`]: ['post'],
    [`/api/cms/imports/${code}`]: ['post'],
    [`${path}/{id}`]: ['get', 'patch', 'put', 'delete'],
    [`${path}/{id}/references`]: ['get'],
  };
}

function operations(): readonly { readonly operationId: string }[] {
  return Object.values<object>(document.paths)
    .flatMap((item) => Object.entries(item))
    .flatMap(([key, operation]) => (key === 'parameters' ? [] : [operation]));
}

function problemsOf(type: ItemTypeDescriptor): readonly unknown[] {
  const payload = parseJson(JSON.stringify(examplePayload(type))) as JsonObject;
  return parsePayload(type, payload, 'create').problems;
}
