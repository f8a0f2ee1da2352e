import recorded from './fixtures/openapi-1.1.0.json';
import { contractOf, missingFrom, type OperationContract } from '../support/openapi-contract';
import { openForeignClient } from '../support/foreign-client';
import { faultsOf } from '../support/openapi-faults';
import { useTestHost } from '../support/platform';
import { send } from '../support/rest-client';

/** Operations that have another id than in the document of 1.1.0, with the id of today: those of plugins were made of their paths. */
const renamed: Readonly<Record<string, string>> = {
  'GET /admin/api/preferences': 'admin-ui.listPreferences',
  'PUT /admin/api/preferences/{name}': 'admin-ui.storePreference',
  'DELETE /admin/api/preferences/{name}': 'admin-ui.removePreference',
  'POST /media/images': 'media.storeImage',
  'POST /media/files': 'media.storeFile',
  'GET /operations': 'ops.readOverview',
  'GET /workflows': 'ops.listWorkflows',
  'GET /workflows/{workflowId}': 'ops.readWorkflow',
  'GET /workflows/{workflowId}/history': 'ops.readHistory',
  'POST /workflows/{workflowId}/cancel': 'ops.cancelWorkflow',
  'POST /workflows/{workflowId}/terminate': 'ops.terminateWorkflow',
  'POST /workflows/{workflowId}/signal': 'ops.signalWorkflow',
  'POST /workflows/{workflowId}/reset': 'ops.resetWorkflow',
  'GET /orders': 'order.listOrders',
  'GET /orders/counts': 'order.countOrders',
  'GET /orders/daily': 'order.ordersByDay',
  'GET /orders/{orderId}': 'order.readOrder',
  'POST /place-order': 'order.placeOrder',
  'POST /orders/{orderId}/refund': 'order.refundOrder',
  'POST /orders/{orderId}/redelivery': 'order.redeliverOrder',
  'POST /orders/{orderId}/settlement': 'order.settleOrder',
  'POST /orders/{orderId}/acknowledgement': 'order.acknowledgeOrder',
  'POST /payment': 'payment.receivePayment',
  'POST /consignments/{orderId}/dispatched': 'consignment.reportDispatch',
  'POST /consignments/{orderId}/confirmed': 'consignment.reportReceipt',
  'PUT /consignments/{orderId}/delivery': 'consignment.reportDelivery',
};

/** Operations of the document of 1.1.0 that were removed on purpose, with the decision. */
const removed: Readonly<Record<string, string>> = {
  'POST /api/platform/plugin-packages': '0069',
  'POST /api/platform/plugin-packages/{id}/check': '0069',
  'POST /api/platform/plugins/{id}/install': '0069',
};

const services = ['consignment', 'email', 'ops', 'order', 'payment'].map((name) => `services/${name}`);
const host = useTestHost({ plugins: ['plugins/catalog', 'plugins/media', 'plugins/admin-ui', ...services] });

describe('the OpenAPI document', () => {
  const operations = Object.entries<OperationContract>(recorded);

  it('has all that clients of 1.1.0 use', async () => {
    const present = contractOf((await send(host.address, '/api/openapi.json')).json);

    const missing = operations
      .filter(([operation]) => removed[operation] === undefined)
      .flatMap(([operation, contract]) =>
        missingFrom(present[operation], contract).map((what) => `${operation}: ${what}`),
      );
    expect(missing).toEqual([]);
  });

  it('names operations as in 1.1.0, apart from those in the table', async () => {
    const present = contractOf((await send(host.address, '/api/openapi.json')).json);

    const other = operations.flatMap(([operation, { operationId }]) => {
      const known = present[operation]?.operationId ?? operationId;
      return known === operationId ? [] : [[operation, known] as const];
    });
    expect(Object.fromEntries(other)).toEqual(renamed);
  });
});

describe('the OpenAPI document, as tools of others read it', () => {
  it('says more than a summary of each operation that is no GET', async () => {
    const { paths } = (await send(host.address, '/api/openapi.json')).json as Described;
    const silent = Object.entries(paths).flatMap(([path, { get: _get, ...others }]) =>
      Object.entries(others).flatMap(([method, { description = '' }]) =>
        description === '' ? [`${method} ${path}`] : [],
      ),
    );
    expect(silent).toEqual([]);
  });

  it('describes what it requires, and has examples and defaults that conform', async () => {
    expect(faultsOf((await send(host.address, '/api/openapi.json')).json)).toEqual([]);
  });

  it('has faults that are found', () => {
    const schema = { type: 'array', default: 5 };
    const data = { type: 'object', required: ['id'] };
    const body = { content: { 'application/json': { schema: data, example: 'text' } } };
    const document = {
      paths: { '/a': { get: { parameters: [{ schema }], requestBody: body, responses: { 400: {} } } } },
    };

    expect(faultsOf(document)).toEqual([
      '/paths/~1a/get/parameters/0/schema has no items',
      '/paths/~1a/get/parameters/0/schema has a default that does not conform',
      '/paths/~1a/get/requestBody/content/application~1json has an example that does not conform',
      '/paths/~1a/get/requestBody/content/application~1json/schema requires what it does not describe',
      'GET /a has no answer that is a success',
    ]);
  });
});

describe('a client that another tool generates from the document', () => {
  it('creates, lists and exports items, and reads what the platform says of itself', async () => {
    const { paths, ...document } = (await send(host.address, '/api/openapi.json')).json as { readonly paths: object };
    // Code for all of them takes longer to compile than all else.
    const some = Object.entries(paths).filter(([path]) => /\/catalog(?:\/list)?$|\/content$/.test(path));
    const client = await openForeignClient({ ...document, paths: Object.fromEntries(some) }, host.address);
    const call = async (name: string, parts: object = {}) => client[name]?.(parts);

    expect(await call('createCatalog', { body: { code: 'foreign', name: 'Foreign' } })).toMatchObject({
      data: { data: { values: { code: 'foreign' } } },
    });
    const criteria = [{ field: 'code', operator: 'EQUALS', value: 'foreign' }];
    expect(await call('listCatalog', { query: { limit: 5 }, body: criteria })).toMatchObject({
      data: { data: [{ values: { name: 'Foreign' } }] },
    });
    const file = await call('exportCatalog', { query: { format: 'json' }, body: criteria });
    expect(file).toMatchObject({ data: [expect.objectContaining({ code: 'foreign' })] });
    expect(await call('platformContent')).toMatchObject({ data: { data: expect.anything() } });
    expect(await call('createCatalog', { body: {} })).toMatchObject({
      error: { error: { code: 'VALIDATION_FAILED' } },
    });
  });
});

describe('the comparison with a recorded document', () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, at: { type: 'string' } } };
  const document = (answer: object, body: object = schema, parameters: readonly object[] = []) => ({
    paths: {
      '/things': {
        post: {
          operationId: 'makeThing',
          parameters,
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: { 200: { content: { 'application/json': { schema: answer } } }, 404: {} },
        },
      },
    },
  });
  const before = contractOf(document(schema))['POST /things'] as OperationContract;
  const missing = (present: object): readonly string[] =>
    missingFrom(contractOf({ ...present })['POST /things'], before);

  it('finds nothing in the same document, and in one that promises more', () => {
    expect(missing(document(schema))).toEqual([]);
    const more = { ...schema, required: ['id', 'at'], properties: { ...schema.properties, by: { type: 'string' } } };
    expect(missing(document(more))).toEqual([]);
  });

  it('finds an operation, a status and a property that are gone', () => {
    expect(missing({ paths: {} })).toEqual(['the operation']);
    const { post } = document({ ...schema, properties: { id: { type: 'string' } } }).paths['/things'];
    const { 404: _gone, ...responses } = post.responses;
    expect(missing({ paths: { '/things': { post: { ...post, responses } } } })).toEqual(['status 404', 'answer at']);
  });

  it('finds nothing where an object of any members is described', () => {
    const any = { type: 'object', properties: { filter: { type: 'object' } } };
    const filter = { type: 'object', required: ['field'], properties: { field: { type: 'string' } } };
    const recorded = contractOf(document(schema, any))['POST /things'] as OperationContract;
    const present = contractOf(document(schema, { type: 'object', properties: { filter } }))['POST /things'];

    expect(missingFrom(present, recorded)).toEqual([]);
  });

  it('finds a property of another type, and what is demanded or optional now', () => {
    const other = { ...schema, required: [], properties: { id: { type: 'integer' }, at: { type: 'string' } } };
    expect(missing(document(other))).toEqual(['answer id']);
    expect(missing(document({ ...other, required: ['id'] }))).toEqual(['answer id of type string']);
    const parameter = { in: 'query', name: 'kind', required: true, schema: { type: 'string' } };
    expect(missing(document(schema, { ...schema, required: ['id', 'at'] }, [parameter]))).toEqual([
      'parameter query kind left out',
      'body at left out',
    ]);
  });
});

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description?: string }>>>>;
}
