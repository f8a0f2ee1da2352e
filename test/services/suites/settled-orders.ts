import { randomUUID } from 'node:crypto';
import { consignmentWorkflowId, orderWorkflowId, resetLockKey } from '@gantry/contracts';
import { eventually } from '../../support/eventually';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { walkOrder } from '../../workflows/support/walk-order';
import type { OpenServices } from '../support/open-services';
import type { QuickOrders } from '../support/quick-orders';
import { resetToBegin } from '../support/reset-compensation';

export function describeSettledOrders(opened: () => QuickOrders): void {
  describe('an order that was settled elsewhere, or by an operation', () => {
    let orders: QuickOrders;
    let environment: OrderEnvironment;
    let services: OpenServices;
    /** An order that was not delivered, whose refund failed, and that is not settled before a test does that. */
    let failed: Promise<string> | undefined;
    beforeAll(async () => {
      orders = opened();
      ({ environment, services } = orders);
      await environment.startWorker('email');
    });

    test('has workflows that no reset repeats, not even as a dry run', async () => {
      const orderId = await orderThatCannotBePaidBack();
      await settle(orderId, { outcome: 'DELIVERED', reason: 'the customer called' });
      await orders.untilClosed(orderWorkflowId(orderId));
      environment.activities.script(orderId, {});
      const before = environment.activities.attempts(orderId);

      for (const workflowId of [orderWorkflowId(orderId), consignmentWorkflowId(orderId)]) {
        for (const to of ['FIRST_TASK', 'LAST_TASK', 'COMPENSATION']) {
          await expectSettled(reset(workflowId, { to, acknowledge: ['PAID_BACK'] }));
          await expectSettled(reset(workflowId, { to, dryRun: true }));
        }
      }
      await expect(reset(orderWorkflowId(orderId))).rejects.toThrow(
        new RegExp(` ${orderId} .* DELIVERED \\(.*: the customer called\\)`),
      );
      expect(await orders.statusOf(orderWorkflowId(orderId))).toBe('FAILED');
      expect(environment.activities.attempts(orderId)).toEqual(before);
    });

    test('is not reset when the order service does not say whether it was settled', async () => {
      const orderId = await (failed ??= orderThatCannotBePaidBack());
      const refused = { status: 503, code: 'UNAVAILABLE', message: expect.stringContaining('The order service') };
      await services.database.transaction(async (locked) => {
        await locked.query('LOCK TABLE order_order IN ACCESS EXCLUSIVE MODE');
        await expect(reset(orderWorkflowId(orderId))).rejects.toMatchObject(refused);
      });
      await environment.stopWorker('order');
      await expect(reset(orderWorkflowId(orderId))).rejects.toMatchObject(refused);
      await environment.startWorker('order');
      expect(await orders.statusOf(orderWorkflowId(orderId))).toBe('FAILED');
    });

    test('is reset where the order service is not in the plugin set, which then keeps no orders', async () => {
      const orderId = await orderThatCannotBePaidBack();
      await settle(orderId, { outcome: 'DELIVERED', reason: 'the customer called' });
      await expectSettled(reset(orderWorkflowId(orderId), { dryRun: true }));
      services.pluginSet.delete('order');
      await expect(reset(orderWorkflowId(orderId), { dryRun: true })).resolves.toBeDefined();
      services.pluginSet.add('order');
    });

    test('is not stored while one of its workflows is being reset', async () => {
      const orderId = await (failed ??= orderThatCannotBePaidBack());
      await services.database.transaction(async (resetting) => {
        await resetting.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          resetLockKey(orderWorkflowId(orderId)),
        ]);
        await expect(settle(orderId, { outcome: 'DELIVERED', reason: 'too early' })).rejects.toMatchObject({
          status: 409,
        });
      });

      await settle(orderId, { outcome: 'DELIVERED', reason: 'the customer called' });
      await expectSettled(reset(orderWorkflowId(orderId)));
    });

    test.each([
      ['no body', undefined, 'outcome', 'reason'],
      ['no reason', { outcome: 'DELIVERED' }, 'reason'],
      ['a blank reason', { outcome: 'DELIVERED', reason: ' \u00a0' }, 'reason'],
      ['a reason that changes its direction', { outcome: 'DELIVERED', reason: 'a\u202eb' }, 'reason'],
      ['half of a surrogate pair', { outcome: 'DELIVERED', reason: 'a\ud800' }, 'reason'],
      ['a blank name', { outcome: 'DELIVERED', reason: 'why', requestedBy: ' ' }, 'requestedBy'],
      ['another outcome', { outcome: 'LOST', reason: 'why' }, 'outcome'],
      ['an unknown member', { outcome: 'DELIVERED', reason: 'why', by: 'ann' }, 'by'],
    ])('is refused with %s', async (_name, body, ...paths) => {
      const details = paths.map((path) => ({ path }));
      await expect(settle(newOrderId(), body)).rejects.toMatchObject({ status: 400, details });
    });

    test.each([851, 1_001])('is refused with a reason of %i characters, and says the limit', async (length) => {
      const settlement = { outcome: 'DELIVERED', reason: 'x'.repeat(length) };
      await expect(settle(newOrderId(), settlement)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('1 to 850 '),
        details: [{ path: 'reason' }],
      });
    });

    test('by a redelivery has workflows that no reset repeats, and those of Temporal itself do nothing', async () => {
      const orderId = await orderThatNeedsDecision('parcel');
      await redeliver(orderId);
      await eventually(() => environment.signalConsignment(orderId, 'shipmentDispatched').then(() => true));
      await orders.untilClosed(`redelivery-${orderId}`);
      const runId = await runOfConsignment(orderId);

      for (const workflowId of [orderWorkflowId(orderId), consignmentWorkflowId(orderId), `redelivery-${orderId}`]) {
        await expectSettled(reset(workflowId, { to: 'LAST_TASK' }));
      }
      await expect(reset(orderWorkflowId(orderId))).rejects.toThrow(/redelivery/);
      await resetToBegin(environment.temporal.client, orderId);
      await expect(workflow().getHandle(orderWorkflowId(orderId)).result()).rejects.toMatchObject({
        cause: { message: expect.stringContaining(`${orderId}: it is DELIVERED`) },
      });
      expect(await runOfConsignment(orderId)).toBe(runId);
      expect(environment.activities.attempts(orderId)).not.toContain('refundPayment');
      expect(await statusOf(orderId)).toBe('DELIVERED');
    });

    test('is delivered once when its redelivery was terminated, and is asked for again while the parcel is on its way', async () => {
      const orderId = await orderThatNeedsDecision('on-its-way');
      const earlier = await runOfConsignment(orderId);
      await redeliver(orderId);
      await eventually(async () => (await runOfConsignment(orderId)) !== earlier);
      const runId = await runOfConsignment(orderId);
      await workflow().getHandle(`redelivery-${orderId}`).terminate();

      // While the consignment runs, and afterwards.
      await expect(redeliver(orderId)).rejects.toMatchObject({ status: 409 });
      await orders.untilClosed(consignmentWorkflowId(orderId));
      await expectSettled(redeliver(orderId));
      expect(await runOfConsignment(orderId)).toBe(runId);
      expect(await statusOf(orderId)).toBe('DELIVERED');
    });

    /** An order whose consignment an operator terminated after the payment. */
    async function orderThatNeedsDecision(prefix: string): Promise<string> {
      const orderId = `${prefix}-${randomUUID()}`;
      await walkOrder(environment, orderId).pay();
      await workflow().getHandle(consignmentWorkflowId(orderId)).terminate();
      await eventually(async () => (await statusOf(orderId)) === 'NEEDS_DECISION');
      return orderId;
    }

    function redeliver(orderId: string) {
      return services.call('POST /orders/:orderId/redelivery', { params: { orderId } });
    }

    async function runOfConsignment(orderId: string): Promise<string> {
      return (await workflow().getHandle(consignmentWorkflowId(orderId)).describe()).runId;
    }

    async function statusOf(orderId: string): Promise<string | undefined> {
      const [row] = await services.database.query<{ status: string }>(
        'SELECT status FROM order_order WHERE order_id = $1',
        [orderId],
      );
      return row?.status;
    }

    function workflow() {
      return environment.temporal.client.workflow;
    }

    /** An order that was not delivered, and whose refund failed. */
    async function orderThatCannotBePaidBack(): Promise<string> {
      const orderId = newOrderId();
      environment.activities.script(orderId, { fatal: 'refundPayment' });
      await walkOrder(environment, orderId).pay();
      await eventually(() => environment.signalConsignment(orderId, 'shipmentDispatched').then(() => true));
      await orders.untilClosed(orderWorkflowId(orderId));
      return orderId;
    }

    function settle(orderId: string, body: unknown) {
      return services.call('POST /orders/:orderId/settlement', { params: { orderId }, body });
    }

    function reset(workflowId: string, more: object = {}) {
      const body = { to: 'COMPENSATION', reason: 'try again', ...more };
      return services.call('POST /workflows/:workflowId/reset', { params: { workflowId }, body });
    }

    function expectSettled(refused: Promise<unknown>): Promise<void> {
      const details = [{ path: 'status', code: 'DELIVERED' }];
      return expect(refused).rejects.toMatchObject({ status: 409, code: 'CONFLICT', details });
    }
  });
}

function newOrderId(): string {
  return `undelivered-${randomUUID()}`;
}
