import { eventually } from '../../../support/eventually';
import { sendJson, type Answer } from '../../../support/rest-client';
import { createUsers, sendAs, untilSignInIsRequired, useLink } from '../../sign-in/support/accounts';
import type { OrdersPlatform } from '../support/orders-platform';

/** On a platform that is open, and requires sign-in afterwards: a service account that has no right on items. */
export function testServiceAccounts(orders: () => OrdersPlatform): void {
  let ann = '';
  let token = '';

  beforeAll(async () => {
    const [secret = ''] = await createUsers(orders().databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(orders().address);
    ann = await useLink(orders().address, secret);
    token = await createService('shop', ['order.place', 'order.control', 'payment.receive', 'consignment.change']);
  });

  it('places an order, reports its delivery and pays it; the workers store how far it is', async () => {
    expect((await asShop('POST', '/place-order', { orderId: 'V-1' })).status).toBe(202);
    expect((await asShop('PUT', '/consignments/V-1/delivery', { delivered: true })).status).toBe(200);
    expect((await asShop('POST', '/payment?orderId=V-1')).status).toBe(202);

    await eventually(async () => (await valuesOf('order'))?.['step'] === 'WAITING_FOR_CHILD');
    expect(await valuesOf('payment')).toMatchObject({ orderId: 'V-1', state: 'ACCEPTED' });
    expect(await valuesOf('shipment')).toMatchObject({ orderId: 'V-1', delivered: true });
  });

  it('is named in the histories of the workflows that it signals, also one that it cannot find', async () => {
    // The order says that it waits for the consignment before that has begun.
    await eventually(async () => (await asShop('POST', '/consignments/V-1/dispatched')).status === 202);

    const identity = expect.stringMatching(/^gantry: shop \(user:\d+\)$/);
    expect(await orders().signalsOf('order-V-1')).toEqual([{ name: 'paymentReceived', identity }]);
    // A signal that arrives while a workflow task runs is in the history when that task has ended.
    await eventually(async () => (await orders().signalsOf('consignment-V-1')).length > 0);
    expect(await orders().signalsOf('consignment-V-1')).toEqual([{ name: 'shipmentDispatched', identity }]);
    expect((await asShop('POST', '/consignments/none/dispatched')).json.error.code).toBe('WORKFLOW_NOT_FOUND');
    expect((await asShop('POST', '/payment?orderId=none')).json.error.code).toBe('ORDER_NOT_FOUND');
  });

  it('is refused by its own state, not by rights, where it decides about the order', async () => {
    const { status, json } = await asShop('POST', '/orders/V-1/refund', { reason: 'too late' });
    expect([status, json.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('sees nothing of what is stored', async () => {
    for (const type of ['order', 'payment', 'shipment', 'notification']) {
      const { status, json } = await asShop('POST', `/api/cms/items/${type}/list`, []);
      expect([type, status, json.error.code]).toEqual([type, 404, 'TYPE_NOT_FOUND']);
    }
  });

  it('signals a payment or a shipment by hand with the permission of the route for it only', async () => {
    expect((await asShop('POST', '/place-order', { orderId: 'V-2' })).status).toBe(202);
    const signal = (bearer: string, name: string, workflow = 'order-V-2'): Promise<Answer> =>
      sendJson(
        orders().address,
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
    await eventually(async () => (await signal(controls, 'shipmentDispatched', 'consignment-V-2')).status === 403);
    expect((await asAnn('POST', '/workflows/consignment-V-2/signal', { signal: 'shipmentDispatched' })).status).toBe(
      202,
    );
  });

  it('leaves a trace in the audit log', async () => {
    // Decisions that only other suites make.
    const ofOthers = ['acknowledgement', 'redelivery', 'settlement'].map((what) => `POST /orders/:orderId/${what}`);
    const found = async (): Promise<readonly string[]> => {
      const { json } = await asAnn('GET', '/api/platform/audit?action=system-scope-used&limit=100');
      return json.data
        .filter(({ subject }: Readonly<Record<string, string>>) => !ofOthers.includes(subject ?? ''))
        .map(({ actor, subject }: Readonly<Record<string, string>>) => `${actor} ${subject}`);
    };
    const expected = [
      'plugin:order POST /place-order',
      'plugin:order POST /orders/:orderId/refund',
      'plugin:consignment PUT /consignments/:orderId/delivery',
      'plugin:payment POST /payment',
    ];
    await eventually(async () => {
      const uses = await found();
      return expected.every((use) => uses.includes(use));
    });
    expect(new Set(await found())).toEqual(new Set(expected));
  });

  /** @returns an API token of a service account with these permissions */
  async function createService(name: string, permissions: readonly string[]): Promise<string> {
    await asAnn('POST', '/api/platform/roles', { name, permissions });
    // A name that a user chooses says nothing about who acts.
    const user = { kind: 'service', login: name, displayName: 'admin@example.com', roles: [name] };
    const { json } = await asAnn('POST', '/api/platform/users', user);
    return (await asAnn('POST', `/api/platform/users/${json.data.id}/tokens`, { name })).json.data.token as string;
  }

  function asAnn(method: string, path: string, body?: unknown): Promise<Answer> {
    return sendAs(orders().address, ann, method, path, body);
  }

  function asShop(method: string, path: string, body?: unknown): Promise<Answer> {
    return sendJson(orders().address, method, path, body, { authorization: `Bearer ${token}` });
  }

  async function valuesOf(type: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    const criteria = [{ field: 'orderId', operator: 'EQUALS', value: 'V-1' }];
    return (await asAnn('POST', `/api/cms/items/${type}/list`, criteria)).json.data[0]?.values;
  }
}
