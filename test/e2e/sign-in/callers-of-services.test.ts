import { eventually } from '../../support/eventually';
import { freePort } from '../../support/free-port';
import { startLocalTemporal } from '../../support/local-temporal';
import { startTestHost, type TestHost } from '../../support/platform';
import { sendJson, type Answer } from '../../support/rest-client';
import { createUsers, sendAs, untilSignInIsRequired, useLink } from './support/accounts';

const services = ['order', 'payment', 'consignment', 'email', 'ops'].map((name) => `services/${name}`);

describe('a service account that has permissions of the order services, and no right on items', () => {
  let temporal: Awaited<ReturnType<typeof startLocalTemporal>>;
  let host: TestHost;
  let ann = '';
  let token = '';

  beforeAll(async () => {
    const port = await freePort();
    temporal = await startLocalTemporal({ server: { ip: '127.0.0.1', port } });
    host = await startTestHost({ plugins: services, environment: { TEMPORAL_ADDRESS: `127.0.0.1:${port}` } });
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(host.address);
    ann = await useLink(host.address, secret);
    token = await createService('shop', ['order.place', 'order.control', 'payment.receive', 'consignment.change']);
  }, 120_000);
  afterAll(async () => {
    await host.stop();
    await temporal.teardown();
  }, 60_000);

  it('places an order, reports its delivery and pays it; the workers store how far it is', async () => {
    expect((await asShop('POST', '/place-order', { orderId: 'S-1' })).status).toBe(202);
    expect((await asShop('PUT', '/consignments/S-1/delivery', { delivered: true })).status).toBe(200);
    expect((await asShop('POST', '/payment?orderId=S-1')).status).toBe(202);

    await eventually(async () => (await valuesOf('order'))?.['step'] === 'WAITING_FOR_CHILD');
    expect(await valuesOf('payment')).toMatchObject({ orderId: 'S-1', state: 'ACCEPTED' });
    expect(await valuesOf('shipment')).toMatchObject({ orderId: 'S-1', delivered: true });
  }, 60_000);

  it('is named in the histories of the workflows that it signals, also one that it cannot find', async () => {
    expect((await asShop('POST', '/consignments/S-1/dispatched')).status).toBe(202);

    expect(await signalsOf('order-S-1')).toEqual([{ name: 'paymentReceived', identity: 'gantry: shop' }]);
    // A signal that arrives while a workflow task runs is in the history when that task has ended.
    await eventually(async () => (await signalsOf('consignment-S-1')).length > 0);
    expect(await signalsOf('consignment-S-1')).toEqual([{ name: 'shipmentDispatched', identity: 'gantry: shop' }]);
    expect((await asShop('POST', '/consignments/none/dispatched')).json.error.code).toBe('WORKFLOW_NOT_FOUND');
    expect((await asShop('POST', '/payment?orderId=none')).json.error.code).toBe('ORDER_NOT_FOUND');
  });

  it('is refused by its own state, not by rights, where it decides about the order', async () => {
    const { status, json } = await asShop('POST', '/orders/S-1/refund', { reason: 'too late' });
    expect([status, json.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('sees nothing of what is stored', async () => {
    for (const type of ['order', 'payment', 'shipment', 'notification']) {
      const { status, json } = await asShop('POST', `/api/cms/items/${type}/list`, []);
      expect([type, status, json.error.code]).toEqual([type, 404, 'TYPE_NOT_FOUND']);
    }
  });

  it('signals a payment or a shipment by hand with the permission of the route for it only', async () => {
    expect((await asShop('POST', '/place-order', { orderId: 'S-2' })).status).toBe(202);
    const signal = (bearer: string, name: string, workflow = 'order-S-2'): Promise<Answer> =>
      sendJson(
        host.address,
        'POST',
        `/workflows/${workflow}/signal`,
        { signal: name },
        { authorization: `Bearer ${bearer}` },
      );
    const controls = await createService('controls', ['ops.read', 'ops.control']);
    const pays = await createService('pays', ['ops.control', 'payment.receive']);

    const refused = await signal(controls, 'paymentReceived');
    expect([refused.status, refused.json.error.message]).toEqual([403, expect.stringContaining('payment.receive')]);
    expect((await signal(pays, 'paymentReceived')).status).toBe(202);
    await eventually(async () => (await signal(controls, 'shipmentDispatched', 'consignment-S-2')).status === 403);
    expect((await asAnn('POST', '/workflows/consignment-S-2/signal', { signal: 'shipmentDispatched' })).status).toBe(
      202,
    );
  }, 60_000);

  it('leaves a trace in the audit log', async () => {
    const found = async (): Promise<readonly string[]> => {
      const { json } = await asAnn('GET', '/api/platform/audit?limit=100');
      return json.data
        .filter(({ action }: { action: string }) => action === 'system-scope-used')
        .map(({ actor, subject }: Readonly<Record<string, string>>) => `${actor} ${subject}`);
    };
    await eventually(async () => (await found()).length >= 4);
    expect(new Set(await found())).toEqual(
      new Set([
        'plugin:order POST /place-order',
        'plugin:order POST /orders/:orderId/refund',
        'plugin:consignment PUT /consignments/:orderId/delivery',
        'plugin:payment POST /payment',
      ]),
    );
  });

  /** @returns an API token of a service account with these permissions */
  async function createService(name: string, permissions: readonly string[]): Promise<string> {
    await asAnn('POST', '/api/platform/roles', { name, permissions });
    const { json } = await asAnn('POST', '/api/platform/users', { kind: 'service', login: name, roles: [name] });
    return (await asAnn('POST', `/api/platform/users/${json.data.id}/tokens`, { name })).json.data.token as string;
  }

  async function signalsOf(workflowId: string) {
    const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal == null ? [] : [{ name: signal.signalName, identity: signal.identity }],
    );
  }

  function asAnn(method: string, path: string, body?: unknown): Promise<Answer> {
    return sendAs(host.address, ann, method, path, body);
  }

  function asShop(method: string, path: string, body?: unknown): Promise<Answer> {
    return sendJson(host.address, method, path, body, { authorization: `Bearer ${token}` });
  }

  async function valuesOf(type: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return (await asAnn('POST', `/api/cms/items/${type}/list`, [])).json.data[0]?.values;
  }
});
