import { randomUUID } from 'node:crypto';
import { consignmentWorkflowId, orderWorkflowId } from '@gantry/contracts';
import { eventually } from '../../support/eventually';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import { walkOrder } from '../../workflows/support/walk-order';
import type { OpenServices } from '../support/open-services';
import type { QuickOrders } from '../support/quick-orders';
import { resetCompensation } from '../support/reset-compensation';

type Operation = 'refund' | 'redelivery';

// An order that was paid, and whose workflow ended without a delivery and without a refund.
export function describeOrderDecisions(opened: () => QuickOrders): void {
  describe('an order that needs a decision', () => {
    let orders: QuickOrders;
    let environment: OrderEnvironment;
    let services: OpenServices;
    beforeAll(async () => {
      orders = opened();
      ({ environment, services } = orders);
      await environment.startWorker('email');
    });

    describe('is refunded', () => {
      test('when its consignment was terminated: once, however often it is asked for', async () => {
        const orderId = await orderThatNeedsDecision();
        expect(await rowOf(orderId)).toMatchObject({
          status: 'NEEDS_DECISION',
          step: 'WAITING_FOR_CHILD',
          reason: expect.stringMatching(/consignment .*terminated/),
        });

        // The refund does not end before all of them are answered.
        let pay = (): void => {};
        const answered = new Promise<void>((resolve) => (pay = resolve));
        environment.activities.script(orderId, { during: { refundPayment: () => answered } });

        const answers = await Promise.all([ask(orderId, 'refund'), ask(orderId, 'refund'), ask(orderId, 'refund')]);
        pay();
        expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
        expect(answers.map(({ data }) => data)).toEqual(
          [1, 2, 3].map(() => ({ orderId, workflowId: `refund-${orderId}`, runId: expect.any(String) })),
        );
        await untilStatus(orderId, 'REFUNDED');
        expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
        await expect(ask(orderId, 'refund')).rejects.toMatchObject({ status: 409, details: [{ code: 'REFUNDED' }] });
        await expect(ask(orderId, 'redelivery')).rejects.toMatchObject({
          status: 409,
          details: [{ code: 'REFUNDED' }],
        });
      });

      test('once, when a request has read the row before another one begins the refund', async () => {
        const orderId = await orderThatNeedsDecision();
        let pay = (): void => {};
        const paid = new Promise<void>((resolve) => (pay = resolve));
        environment.activities.script(orderId, { during: { refundPayment: () => paid } });

        // It reads the row with the first call, and asks for the three workflows with the next ones.
        const calls = orders.holdCalls(1, 3);
        const late = ask(orderId, 'refund');
        await calls.held;
        const first = await ask(orderId, 'refund');
        calls.release();

        const answer = await late.finally(pay);
        expect([first.status, answer.status, answer.meta]).toEqual([202, 202, { duplicate: true }]);
        await untilStatus(orderId, 'REFUNDED');
        expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
      });

      test('in another attempt, when the first one failed, and by no reset of that one', async () => {
        const orderId = await orderThatNeedsDecision();
        environment.activities.script(orderId, { fatal: 'refundPayment' });
        await ask(orderId, 'refund');
        await untilStatus(orderId, 'NEEDS_DECISION');
        expect(await rowOf(orderId)).toMatchObject({ reason: 'refundPayment failed: refundPayment fails for good' });
        environment.activities.script(orderId, {});
        await orders.untilClosed(`refund-${orderId}`);
        // It would run in addition to other operations.
        await expect(reset(`refund-${orderId}`)).rejects.toMatchObject({
          status: 409,
          code: 'CONFLICT',
          message: expect.stringContaining('again'),
        });

        expect(await ask(orderId, 'refund')).not.toHaveProperty('meta');
        await untilStatus(orderId, 'REFUNDED');
      });

      test('although only the notice to the customer fails, which a reset repeats', async () => {
        const orderId = await orderThatNeedsDecision();
        environment.activities.script(orderId, { fatal: 'sendOrderCancelledNotification' });
        await ask(orderId, 'refund');
        await untilStatus(orderId, 'REFUNDED');
        expect((await rowOf(orderId))?.reason).toMatch(/^sendOrderCancelledNotification failed/);
        await orders.untilClosed(`refund-${orderId}`);
        environment.activities.script(orderId, {});

        await reset(`refund-${orderId}`);
        await eventually(async () => (await rowOf(orderId))?.reason === null);
        expect(await rowOf(orderId)).toMatchObject({ status: 'REFUNDED' });
        expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
      });

      test('at once when its workflow was terminated a moment before', async () => {
        const orderId = newOrderId();
        await (await walkOrder(environment, orderId).pay()).terminate();
        await orders.untilClosed(consignmentWorkflowId(orderId));
        expect(await rowOf(orderId)).toMatchObject({ status: 'OPEN' });

        expect(await ask(orderId, 'refund')).toMatchObject({ status: 202 });
        await untilStatus(orderId, 'REFUNDED');
      });

      test('when its row is missing', async () => {
        const orderId = await orderThatNeedsDecision();
        await orders.untilClosed(orderWorkflowId(orderId));
        await deleteRows(orderId);

        expect(await ask(orderId, 'refund')).toMatchObject({ status: 202 });
        await untilStatus(orderId, 'REFUNDED');
      });

      test('not before its consignment has ended', async () => {
        const orderId = newOrderId();
        await environment.stopWorker('consignment');
        try {
          const handle = await environment.placeOrder(orderId);
          await environment.signalOrder(orderId, 'paymentReceived');
          await environment.orderAt(orderId, 'WAITING_FOR_CHILD');
          await eventually(async () => (await orders.statusOf(consignmentWorkflowId(orderId))) === 'RUNNING');
          await handle.terminate();

          await expect(ask(orderId, 'refund')).rejects.toMatchObject({
            status: 409,
            message: expect.stringContaining('consignment'),
            details: [{ code: 'OPEN' }],
          });
        } finally {
          await environment.startWorker('consignment');
        }
      });
    });

    describe('is delivered again', () => {
      test('and then is delivered', async () => {
        const orderId = await orderThatNeedsDecision();
        expect(await ask(orderId, 'redelivery')).toMatchObject({ data: { workflowId: `redelivery-${orderId}` } });
        expect(await ask(orderId, 'redelivery')).toMatchObject({ meta: { duplicate: true } });
        await dispatch(orderId);

        await untilStatus(orderId, 'DELIVERED');
        expect(attemptsAt(orderId, 'refundPayment')).toBe(0);
      });

      test('and is paid back when the parcel does not arrive', async () => {
        const orderId = await orderThatNeedsDecision('undelivered');
        await ask(orderId, 'redelivery');
        await dispatch(orderId);

        await untilStatus(orderId, 'REFUNDED');
        expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
      });

      test('and is paid back when the redelivery is cancelled', async () => {
        const orderId = await orderThatNeedsDecision();
        await ask(orderId, 'redelivery');
        await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');
        await workflow().getHandle(`redelivery-${orderId}`).cancel();

        await untilStatus(orderId, 'REFUNDED');
        expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
      });

      test('and needs a decision again when that consignment fails, too', async () => {
        const orderId = await orderThatNeedsDecision('fails');
        await ask(orderId, 'redelivery');
        await dispatch(orderId);
        await untilStatus(orderId, 'NEEDS_DECISION');

        await ask(orderId, 'refund');
        await untilStatus(orderId, 'REFUNDED');
      });
    });

    describe('was settled elsewhere', () => {
      test('which is stored once, with the person and the reason, and excludes the operations', async () => {
        const orderId = await orderThatNeedsDecision();
        const answer = await settle(orderId, {
          outcome: 'DELIVERED',
          reason: 'the customer called',
          requestedBy: 'ann',
        });
        expect(answer).toEqual({ data: { orderId, status: 'DELIVERED' } });
        expect(await rowOf(orderId)).toEqual({
          status: 'DELIVERED',
          step: 'COMPLETED',
          reason: 'Settled elsewhere by ann: the customer called',
        });

        expect(await settle(orderId, { outcome: 'DELIVERED', reason: 'again' })).toMatchObject({
          meta: { duplicate: true },
        });
        const refused = { status: 409, details: [{ path: 'status', code: 'DELIVERED' }] };
        await expect(settle(orderId, { outcome: 'REFUNDED', reason: 'no' })).rejects.toMatchObject(refused);
        await expect(ask(orderId, 'refund')).rejects.toMatchObject(refused);
        await expect(ask(orderId, 'redelivery')).rejects.toMatchObject(refused);
        expect(attemptsAt(orderId, 'refundPayment')).toBe(0);
      });

      test('at the same time as a refund is asked for: one of the two', async () => {
        const orderId = await orderThatNeedsDecision();
        const answers = await Promise.allSettled([
          ask(orderId, 'refund'),
          settle(orderId, { outcome: 'REFUNDED', reason: 'the bank returned the money' }),
        ]);

        expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
        await untilStatus(orderId, 'REFUNDED');
        expect(attemptsAt(orderId, 'refundPayment')).toBe(answers[0]?.status === 'fulfilled' ? 1 : 0);
      });

      test('by a refund: a reset of its compensation repeats only the notice', async () => {
        const orderId = await orderThatCannotBePaidBack();
        await settle(orderId, { outcome: 'REFUNDED', reason: 'the bank returned the money' });
        const before = environment.activities.attempts(orderId).length;
        environment.activities.script(orderId, {});
        await resetCompensation(environment.temporal.client, orderId);

        await workflow().getHandle(orderWorkflowId(orderId)).result();
        expect(environment.activities.attempts(orderId).slice(before)).toEqual(['sendOrderCancelledNotification']);
        expect(await rowOf(orderId)).toMatchObject({ reason: expect.stringMatching(/: the bank returned the money$/) });
      });

      test('by a delivery: a reset of its compensation refunds nothing', async () => {
        const orderId = await orderThatCannotBePaidBack();
        await settle(orderId, { outcome: 'DELIVERED', reason: 'the customer called' });
        environment.activities.script(orderId, {});
        await resetCompensation(environment.temporal.client, orderId);

        await expect(workflow().getHandle(orderWorkflowId(orderId)).result()).rejects.toMatchObject({
          cause: { message: expect.stringContaining(`${orderId}: it is DELIVERED`) },
        });
        expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
        expect(await rowOf(orderId)).toMatchObject({ status: 'DELIVERED' });
      });

      test('is refused for an order that was never placed, and for one that runs', async () => {
        const settlement = { outcome: 'DELIVERED', reason: 'why' };
        const orderId = newOrderId();
        await expect(settle(orderId, settlement)).rejects.toMatchObject({ status: 404 });
        await walkOrder(environment, orderId).place();
        await expect(settle(orderId, settlement)).rejects.toMatchObject({ status: 409, details: [{ code: 'OPEN' }] });
      });
    });

    test.each([1, 2, 3])('is refunded or delivered again, never both (%i)', async () => {
      const orderId = await orderThatNeedsDecision();
      const answers = await Promise.allSettled([ask(orderId, 'refund'), ask(orderId, 'redelivery')]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { status: 409, code: 'CONFLICT', message: expect.stringMatching(/REFUNDING|REDELIVERING|REFUNDED/) },
      });
      if (answers[1]?.status === 'fulfilled') await dispatch(orderId);

      await untilStatus(orderId, answers[0]?.status === 'fulfilled' ? 'REFUNDED' : 'DELIVERED');
      expect(attemptsAt(orderId, 'refundPayment')).toBe(answers[0]?.status === 'fulfilled' ? 1 : 0);
    });

    test('is not paid back by a reset of its compensation while it is delivered again', async () => {
      const orderId = await orderThatCannotBePaidBack();
      await ask(orderId, 'redelivery');
      await environment.consignmentAt(orderId, 'WAITING_FOR_DISPATCH');

      await resetCompensation(environment.temporal.client, orderId);
      await expect(workflow().getHandle(orderWorkflowId(orderId)).result()).rejects.toMatchObject({
        cause: { message: expect.stringContaining(`${orderId}: it is REDELIVERING`) },
      });
      expect(attemptsAt(orderId, 'refundPayment')).toBe(1);
      expect(await rowOf(orderId)).toMatchObject({ status: 'REDELIVERING' });
    });

    test.each(['refund', 'redelivery'] as const)(
      'answers %s with 404 for an order that was never placed',
      async (operation) => {
        await expect(ask(newOrderId(), operation)).rejects.toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' });
      },
    );

    test.each(['refund', 'redelivery'] as const)(
      'answers %s with 409 and the status for one that runs',
      async (operation) => {
        const orderId = newOrderId();
        await walkOrder(environment, orderId).place();

        await expect(ask(orderId, operation)).rejects.toMatchObject({
          status: 409,
          code: 'CONFLICT',
          details: [{ path: 'status', code: 'OPEN' }],
        });
      },
    );

    describe('is found by the reconciler, which', () => {
      test('makes rows that are missing, settles those that are late, and brings operations to their end', async () => {
        const open = newOrderId();
        await walkOrder(environment, open).pay();
        const delivered = newOrderId();
        const handle = await walkOrder(environment, delivered).pay();
        await dispatch(delivered);
        await handle.result();
        const terminated = newOrderId();
        const terminatedHandle = await walkOrder(environment, terminated).pay();
        await terminatedHandle.terminate();
        await workflow()
          .getHandle(consignmentWorkflowId(terminated))
          .terminate()
          .catch(() => undefined);
        const unpaid = newOrderId();
        await (await walkOrder(environment, unpaid).place()).terminate();
        const [cutOff, cutOffLater] = [await orderThatNeedsDecision(), await orderThatNeedsDecision()];
        await letBegin(cutOff, 'REFUNDING', 'a request that was cut off');
        await letBegin(cutOffLater, 'REFUNDING', await terminatedRefund(cutOffLater));
        const lost = await orderThatNeedsDecision();
        const unpayable = await orderThatCannotBePaidBack();
        const reasons = [await rowOf(lost), await rowOf(unpayable)].map((row) => row?.reason);
        await orders.untilClosed(orderWorkflowId(lost));
        await orders.untilClosed(orderWorkflowId(unpayable));
        await deleteRows(open, delivered, lost, unpayable);
        for (const ending of ['', 'x'.repeat(65), 'ä']) {
          await workflow().start('placeOrder', { workflowId: orderWorkflowId(ending), taskQueue: 'elsewhere-tq' });
        }
        const [forgotten, young] = [newOrderId(), newOrderId()];
        await insertOpenRow(forgotten, '2026-01-31T00:00:00.000Z');
        await insertOpenRow(young, new Date().toISOString());

        await orders.startBackground();

        await untilStatus(open, 'OPEN');
        await untilStatus(delivered, 'DELIVERED');
        await untilStatus(terminated, 'NEEDS_DECISION');
        await untilStatus(unpaid, 'FAILED');
        await untilStatus(cutOff, 'REFUNDED');
        await untilStatus(cutOffLater, 'NEEDS_DECISION');
        expect(await rowOf(cutOffLater)).toMatchObject({ reason: expect.stringMatching(/refund .*terminated/) });
        await untilStatus(lost, 'NEEDS_DECISION');
        await untilStatus(unpayable, 'NEEDS_DECISION');
        // Every stored reason is the same sentence.
        expect([await rowOf(lost), await rowOf(unpayable)].map((row) => row?.reason)).toEqual(reasons);
        expect(await rowOf(open)).toMatchObject({ step: 'WAITING_FOR_CHILD' });
        expect(await rowOf(terminated)).toMatchObject({ reason: expect.stringMatching(/order .*terminated/) });
        await untilStatus(forgotten, 'NEEDS_DECISION');
        expect(await rowOf(forgotten)).toMatchObject({
          step: 'WAITING_FOR_CHILD',
          reason: expect.stringMatching(/Temporal no longer keeps /),
        });
        expect(await rowOf(young)).toMatchObject({ status: 'OPEN' });
        for (const orderId of [terminated, forgotten]) {
          await ask(orderId, 'refund');
          await untilStatus(orderId, 'REFUNDED');
        }
      });
    });

    /** An order whose consignment an operator terminated after the payment. */
    async function orderThatNeedsDecision(prefix?: string): Promise<string> {
      const orderId = newOrderId(prefix);
      await walkOrder(environment, orderId).pay();
      await workflow().getHandle(consignmentWorkflowId(orderId)).terminate();
      await untilStatus(orderId, 'NEEDS_DECISION');
      return orderId;
    }

    /** An order that was not delivered, and whose refund failed. */
    async function orderThatCannotBePaidBack(): Promise<string> {
      const orderId = newOrderId('undelivered');
      environment.activities.script(orderId, { fatal: 'refundPayment' });
      await walkOrder(environment, orderId).pay();
      await dispatch(orderId);
      await untilStatus(orderId, 'NEEDS_DECISION');
      return orderId;
    }

    async function deleteRows(...orderIds: readonly string[]): Promise<void> {
      await services.database.query('DELETE FROM order_order WHERE order_id = ANY($1)', [orderIds]);
    }

    /** Of an order that Temporal does not know, in the namespace of the others. */
    async function insertOpenRow(orderId: string, since: string): Promise<void> {
      await services.database.query(
        `INSERT INTO order_order (order_id, namespace_id, run_id, step, status, since, version, created_at, updated_at)
       SELECT $1, min(namespace_id), 'a deleted run', 'WAITING_FOR_CHILD', 'OPEN', $2, 1, now(), now() FROM order_order`,
        [orderId, since],
      );
    }

    function reset(workflowId: string) {
      const body = { to: 'COMPENSATION', reason: 'try again' };
      return services.call('POST /workflows/:workflowId/reset', { params: { workflowId }, body });
    }

    /** As a request does that is then cut off. */
    async function letBegin(orderId: string, status: string, operation: string): Promise<void> {
      await services.database.query(
        `UPDATE order_order SET status = $2, operation = $3, updated_at = now() - interval '1 minute' WHERE order_id = $1`,
        [orderId, status, operation],
      );
    }

    /** A refund that was terminated before it did anything. @returns its run */
    async function terminatedRefund(orderId: string): Promise<string> {
      const handle = await workflow().start('refundOrder', {
        workflowId: `refund-${orderId}`,
        taskQueue: 'elsewhere-tq',
      });
      await handle.terminate();
      return handle.firstExecutionRunId;
    }

    function workflow() {
      return environment.temporal.client.workflow;
    }

    function ask(orderId: string, operation: Operation) {
      return services.call(`POST /orders/:orderId/${operation}`, { params: { orderId } });
    }

    function settle(orderId: string, body: unknown) {
      return services.call('POST /orders/:orderId/settlement', { params: { orderId }, body });
    }

    async function dispatch(orderId: string): Promise<void> {
      await eventually(() => environment.signalConsignment(orderId, 'shipmentDispatched').then(() => true));
    }

    function attemptsAt(orderId: string, activity: string): number {
      return environment.activities.attempts(orderId).filter((name) => name === activity).length;
    }

    interface Row {
      readonly status: string;
      readonly step: string;
      readonly reason: string | null;
    }

    async function rowOf(orderId: string): Promise<Row | undefined> {
      const sql = 'SELECT status, step, reason FROM order_order WHERE order_id = $1';
      return (await services.database.query<Row>(sql, [orderId]))[0];
    }

    function untilStatus(orderId: string, status: string): Promise<void> {
      return eventually(async () => (await rowOf(orderId))?.status === status, `${orderId} is ${status}`);
    }
  });
}

function newOrderId(prefix = 'order'): string {
  return `${prefix}-${randomUUID()}`;
}
