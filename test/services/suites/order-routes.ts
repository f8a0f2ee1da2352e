import { randomUUID } from 'node:crypto';
import type { Temporal } from '@gantry/plugin-api';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { walkOrder } from '../../workflows/support/walk-order';
import { openServices, type OpenServices } from '../support/open-services';

export function describeOrderRoutes(opened: () => OrderEnvironment): void {
  describe('the routes of the order services', () => {
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(async () => {
      environment = opened();
      services = await openServices({ temporal: temporalOf(environment) });
    });
    afterAll(() => services.close());

    describe('POST /place-order', () => {
      test('starts the workflow of the order', async () => {
        const orderId = newOrderId();
        const answer = await placeOrder(orderId);

        expect(answer).toEqual({
          status: 202,
          data: { orderId, workflowId: `order-${orderId}`, runId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        });
        expect(await environment.orderAt(orderId, 'ORDER_PLACED')).toMatchObject({ orderId });
      });

      test('answers the same again while the order runs, and starts nothing', async () => {
        const orderId = newOrderId();
        const first = await placeOrder(orderId);
        const again = await Promise.all([placeOrder(orderId), placeOrder(orderId)]);

        expect(again).toEqual([1, 2].map(() => ({ ...first, meta: { duplicate: true } })));
      });

      test('answers the same again after the order has ended, and starts nothing', async () => {
        const orderId = newOrderId();
        const first = await placeOrder(orderId);
        await resultOf(`order-${orderId}`);

        expect(await placeOrder(orderId)).toEqual({ ...first, meta: { duplicate: true } });
        const attempts = environment.activities.attempts(orderId);
        expect(attempts).toEqual(['sendOrderPlacedNotification']);
      });

      test('starts one workflow for many requests at once', async () => {
        const orderId = newOrderId();
        const answers = await Promise.all(Array.from({ length: 20 }, () => placeOrder(orderId)));

        expect(answers.filter(({ meta }) => meta === undefined)).toHaveLength(1);
        expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      });

      test('leaves other members of the body alone', async () => {
        const orderId = newOrderId();

        expect(await services.call('POST /place-order', { body: { orderId, note: 'by the door' } })).toMatchObject({
          status: 202,
        });
      });

      test.each([
        ['no orderId', {}],
        ['an empty one', { orderId: '' }],
        ['null', { orderId: null }],
        ['a number', { orderId: 1001 }],
        ['a list', { orderId: ['1001'] }],
        ['one that is too long', { orderId: 'x'.repeat(65) }],
        ['a slash', { orderId: 'a/b' }],
        ['the path of the same folder', { orderId: '.' }],
        ['the path of the folder above', { orderId: '..' }],
        ['a blank', { orderId: 'a b' }],
        ['a line break at the end', { orderId: 'a\n' }],
        ['a control character', { orderId: 'a\u0000' }],
        ['a letter beyond ASCII', { orderId: 'Größe' }],
      ])('refuses %s', async (_name, body) => {
        await expect(services.call('POST /place-order', { body })).rejects.toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          details: [{ path: 'orderId' }],
        });
      });

      test.each([
        ['none', undefined],
        ['a list', [{ orderId: '1' }]],
        ['text', 'orderId'],
        ['null', null],
      ])('refuses a body that is %s', async (_name, body) => {
        await expect(services.call('POST /place-order', { body })).rejects.toMatchObject({
          status: 400,
          code: 'BAD_REQUEST',
        });
      });
    });

    describe('POST /payment', () => {
      test('stores the payment and signals it to the order', async () => {
        const orderId = newOrderId();
        await walkOrder(environment, orderId).place();
        const answer = await pay(orderId);

        expect(answer).toEqual({ status: 202, data: { orderId, workflowId: `order-${orderId}` } });
        await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
        expect(await paymentsOf(orderId)).toEqual(['ACCEPTED']);
      });

      test('takes a second payment as the first', async () => {
        const orderId = newOrderId();
        await walkOrder(environment, orderId).place();
        const answers = await Promise.all([pay(orderId), pay(orderId), pay(orderId)]);

        expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
        expect(await paymentsOf(orderId)).toEqual(['ACCEPTED']);
      });

      test('answers 404 for an order that does not exist and stores nothing', async () => {
        const orderId = newOrderId();

        await expect(pay(orderId)).rejects.toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' });
        expect(await paymentsOf(orderId)).toEqual([]);
        await walkOrder(environment, orderId).place();
        await pay(orderId);
        expect(await paymentsOf(orderId)).toEqual(['ACCEPTED']);
      });

      test('answers 409 for an order that has ended unpaid and keeps the attempt as refused', async () => {
        const orderId = newOrderId();
        const handle = await walkOrder(environment, orderId).place();
        await handle.result();

        await expect(pay(orderId)).rejects.toMatchObject({ status: 409, code: 'WORKFLOW_CLOSED' });
        expect(await paymentsOf(orderId)).toEqual(['REFUSED']);
      });

      test('answers 409 for an order that has ended paid and keeps its payment', async () => {
        const orderId = newOrderId();
        const handle = await walkOrder(environment, orderId).place();
        await pay(orderId);
        await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
        await dispatched(orderId);
        await handle.result();

        await expect(pay(orderId)).rejects.toMatchObject({ status: 409, code: 'WORKFLOW_CLOSED' });
        expect(await paymentsOf(orderId)).toEqual(['ACCEPTED']);
      });

      test.each([undefined, '', 'a/b', 'x'.repeat(65), 'a b', '.', '..'])('refuses the orderId %j', async (orderId) => {
        const query: Record<string, string> = orderId === undefined ? {} : { orderId };
        await expect(services.call('POST /payment', { query })).rejects.toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
        });
      });
    });

    describe('the routes of a consignment', () => {
      test('deliver the two signals', async () => {
        const orderId = newOrderId();
        await walkOrder(environment, orderId).pay();
        expect(await dispatched(orderId)).toEqual({
          status: 202,
          data: { orderId, workflowId: `consignment-${orderId}`, signal: 'shipmentDispatched' },
        });
        expect(await environment.consignmentAt(orderId, 'SLEEPING')).toMatchObject({ shipmentDispatched: true });
        expect(await confirmed(orderId)).toMatchObject({ status: 202, data: { signal: 'customerConfirmed' } });
        expect(await environment.consignmentAt(orderId, 'SLEEPING')).toMatchObject({ customerConfirmed: true });
      });

      test('answer 404 before the order is paid', async () => {
        const orderId = newOrderId();
        await walkOrder(environment, orderId).place();

        await expect(dispatched(orderId)).rejects.toMatchObject({ status: 404, code: 'WORKFLOW_NOT_FOUND' });
        await expect(confirmed(orderId)).rejects.toMatchObject({ status: 404, code: 'WORKFLOW_NOT_FOUND' });
      });

      test('answer 409 after the consignment has ended', async () => {
        const orderId = newOrderId();
        await walkOrder(environment, orderId).dispatch();
        await resultOf(`consignment-${orderId}`);

        await expect(dispatched(orderId)).rejects.toMatchObject({ status: 409, code: 'WORKFLOW_CLOSED' });
        await expect(confirmed(orderId)).rejects.toMatchObject({ status: 409, code: 'WORKFLOW_CLOSED' });
      });

      test('take a report of the carrier from the placing of the order to its end, and for no other order', async () => {
        const orderId = newOrderId();
        await expect(reported(orderId)).rejects.toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' });
        const handle = await walkOrder(environment, orderId).place();
        expect(await reported(orderId)).toEqual({ data: { orderId, delivered: false } });
        await handle.result();

        await expect(reported(orderId)).rejects.toMatchObject({ status: 409, code: 'WORKFLOW_CLOSED' });
      });

      test.each(['dispatched', 'confirmed'])('refuse a bad order id at /%s', async (name) => {
        await expect(
          services.call(`POST /consignments/:orderId/${name}`, { params: { orderId: 'a b' } }),
        ).rejects.toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
      });
    });

    function placeOrder(orderId: string) {
      return services.call('POST /place-order', { body: { orderId } });
    }

    function pay(orderId: string) {
      return services.call('POST /payment', { query: { orderId } });
    }

    function dispatched(orderId: string) {
      return services.call('POST /consignments/:orderId/dispatched', { params: { orderId } });
    }

    function reported(orderId: string) {
      return services.call('PUT /consignments/:orderId/delivery', { params: { orderId }, body: { delivered: false } });
    }

    function confirmed(orderId: string) {
      return services.call('POST /consignments/:orderId/confirmed', { params: { orderId } });
    }

    function resultOf(workflowId: string): Promise<unknown> {
      return environment.temporal.client.workflow.getHandle(workflowId).result();
    }

    async function paymentsOf(orderId: string): Promise<readonly string[]> {
      const sql = 'SELECT state FROM payment_payment WHERE order_id = $1';
      return (await services.database.query<{ state: string }>(sql, [orderId])).map(({ state }) => state);
    }
  });
}

function newOrderId(): string {
  return randomUUID();
}

function temporalOf({ temporal }: OrderEnvironment): Temporal {
  return { namespace: 'default', client: <T>() => Promise.resolve(temporal.client as T) };
}
