import { consignmentWorkflowId, orderWorkflowId } from '@gantry/contracts';
import { historyOf, keepHistory, traceOf, type HistoryEvent } from '../support/history-facts';
import type { OrderEnvironment } from '../support/order-environment';
import { walkOrder } from '../support/walk-order';

export function describeOrderBranches(opened: () => OrderEnvironment): void {
  // Every branch of the parent workflow in the order specification, section 3, with its true time limits.
  describe('the parent workflow of an order', () => {
    let environment: OrderEnvironment;
    beforeAll(async () => {
      environment = opened();
      // Then no order of another suite is under way.
      await environment.temporal.sleep('25m');
      await environment.cacheOrders(0);
    });

    test('delivers a paid order, step by step as the specified trace has it', async () => {
      const handle = await walkOrder(environment, 'delivered').deliver();
      await environment.signalConsignment('delivered', 'customerConfirmed');

      expect(await handle.result()).toEqual({ orderId: 'delivered', outcome: 'DELIVERED' });
      expect(traceOf(await parentHistory('delivered'))).toEqual([
        'started',
        'activity sendOrderPlacedNotification',
        'timer 60s',
        'signal paymentReceived',
        'timer cancelled',
        'activity sendPaymentCompletedNotification',
        'child started',
        'child completed',
        'completed',
      ]);
      expect(await environment.orderAt('delivered', 'COMPLETED')).toEqual({
        orderId: 'delivered',
        step: 'COMPLETED',
        paymentReceived: true,
        consignment: 'DELIVERED',
      });
    });

    test('ends without consignment and refund when no payment arrives within the minute', async () => {
      const handle = await walkOrder(environment, 'not-paid').place();

      expect(await handle.result()).toEqual({ orderId: 'not-paid', outcome: 'NOT_PAID' });
      expect(traceOf(await parentHistory('not-paid'))).toEqual([
        'started',
        'activity sendOrderPlacedNotification',
        'timer 60s',
        'timer fired',
        'completed',
      ]);
      expect((await environment.orderAt('not-paid', 'NOT_PAID')).paymentReceived).toBe(false);
    });

    test('takes a payment that arrives before the notification of the order is out', async () => {
      environment.activities.script('early-payment', {
        delivered: false,
        during: { sendOrderPlacedNotification: () => environment.signalOrder('early-payment', 'paymentReceived') },
      });
      const handle = await environment.placeOrder('early-payment');
      await environment.consignmentAt('early-payment', 'WAITING_FOR_DISPATCH');
      await environment.signalConsignment('early-payment', 'shipmentDispatched');

      await handle.result();
      expect(traceOf(await parentHistory('early-payment')).slice(0, 4)).toEqual([
        'started',
        'activity sendOrderPlacedNotification',
        'signal paymentReceived',
        'activity sendPaymentCompletedNotification',
      ]);
    });

    test('takes a payment that Temporal accepted after the minute while the worker was missing', async () => {
      const handle = await walkOrder(environment, 'late-payment').place();
      await environment.stopWorker('order');
      // No further than the timer: with a task that nobody takes, the server's time does not advance.
      await environment.temporal.sleep('60s');
      await environment.signalOrder('late-payment', 'paymentReceived');
      await environment.startWorker('order');
      await environment.consignmentAt('late-payment', 'WAITING_FOR_DISPATCH');
      await environment.signalConsignment('late-payment', 'shipmentDispatched');

      expect(await handle.result()).toMatchObject({ outcome: 'DELIVERED' });
      expect(traceOf(await parentHistory('late-payment')).slice(2, 6)).toEqual([
        'timer 60s',
        'timer fired',
        'signal paymentReceived',
        'activity sendPaymentCompletedNotification',
      ]);
    });

    test('pays back and then notifies the customer when the parcel was not delivered', async () => {
      environment.activities.script('undelivered', { delivered: false });
      const handle = await walkOrder(environment, 'undelivered').dispatch();

      expect(await handle.result()).toEqual({ orderId: 'undelivered', outcome: 'REFUNDED' });
      expect(traceOf(await parentHistory('undelivered')).slice(6)).toEqual([
        'child started',
        'child completed',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'completed',
      ]);
    });

    test('fails visibly, and does not notify the customer, when the refund exhausts its retries', async () => {
      environment.activities.script('refund-fails', { delivered: false, failures: { refundPayment: 100 } });
      const handle = await walkOrder(environment, 'refund-fails').dispatch();

      await expect(handle.result()).rejects.toMatchObject({ cause: { activityType: 'refundPayment' } });
      expect(traceOf(await parentHistory('refund-fails')).slice(8)).toEqual([
        'activity refundPayment',
        'activity failed',
        'failed',
      ]);
      expect(attemptsAt('refund-fails', 'refundPayment')).toBe(8);
    });

    test('fails visibly, and pays back once, when the cancellation notice exhausts its retries', async () => {
      environment.activities.script('notice-fails', {
        delivered: false,
        failures: { sendOrderCancelledNotification: 100 },
      });
      const handle = await walkOrder(environment, 'notice-fails').dispatch();

      await expect(handle.result()).rejects.toMatchObject({
        cause: { activityType: 'sendOrderCancelledNotification' },
      });
      expect(traceOf(await parentHistory('notice-fails')).slice(8)).toEqual([
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'activity failed',
        'failed',
      ]);
      expect(attemptsAt('notice-fails', 'refundPayment')).toBe(1);
      expect(attemptsAt('notice-fails', 'sendOrderCancelledNotification')).toBe(8);
    });

    test('tries every other activity until it succeeds and repeats none that had', async () => {
      environment.activities.script('retried', {
        failures: { sendOrderPlacedNotification: 12, sendPaymentCompletedNotification: 12, checkShipping: 12 },
      });
      const handle = await environment.placeOrder('retried');
      await environment.signalOrder('retried', 'paymentReceived');
      await environment.temporal.sleep('10m');
      await environment.consignmentAt('retried', 'WAITING_FOR_DISPATCH');
      await environment.signalConsignment('retried', 'shipmentDispatched');

      expect(await handle.result()).toMatchObject({ outcome: 'DELIVERED' });
      expect(attemptsAt('retried', 'sendOrderPlacedNotification')).toBe(13);
      expect(attemptsAt('retried', 'sendPaymentCompletedNotification')).toBe(13);
      expect(attemptsAt('retried', 'checkShipping')).toBe(13);
    });

    test('fails, and leaves it to a person, when the consignment runs out of its twenty minutes', async () => {
      const handle = await walkOrder(environment, 'consignment-times-out').pay();

      await expect(handle.result()).rejects.toMatchObject({ cause: { workflowType: 'startConsignment' } });
      expect(traceOf(await parentHistory('consignment-times-out')).slice(6)).toEqual([
        'child started',
        'child timed out',
        'failed',
      ]);
    });

    test('fails, and leaves it to a person, when the consignment fails', async () => {
      environment.activities.script('consignment-fails', { fatal: 'checkShipping' });
      const handle = await walkOrder(environment, 'consignment-fails').dispatch();

      await expect(handle.result()).rejects.toMatchObject({ cause: { workflowType: 'startConsignment' } });
      expect(traceOf(await parentHistory('consignment-fails')).slice(6)).toEqual([
        'child started',
        'child failed',
        'failed',
      ]);
    });

    test('pays back when an operator cancels the consignment', async () => {
      const handle = await walkOrder(environment, 'consignment-cancelled').pay();
      await environment.temporal.client.workflow.getHandle(consignmentWorkflowId('consignment-cancelled')).cancel();

      expect(await handle.result()).toEqual({ orderId: 'consignment-cancelled', outcome: 'REFUNDED' });
      expect(traceOf(await parentHistory('consignment-cancelled')).slice(6)).toEqual([
        'child started',
        'child cancelled',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'completed',
      ]);
    });

    test('ends as cancelled, with nothing to pay back, when cancelled before the payment', async () => {
      const handle = await walkOrder(environment, 'cancelled-unpaid').place();
      await handle.cancel();

      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(traceOf(await parentHistory('cancelled-unpaid')).slice(2)).toEqual([
        'timer 60s',
        'cancel requested',
        'timer cancelled',
        'cancelled',
      ]);
    });

    test('ends its consignment and pays back when cancelled after the payment', async () => {
      const handle = await walkOrder(environment, 'cancelled-paid').dispatch();
      await environment.cancelPaidOrder('cancelled-paid');

      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(traceOf(await parentHistory('cancelled-paid')).slice(6)).toEqual([
        'child started',
        'cancel requested',
        'child cancelled',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'cancelled',
      ]);
    });

    test('pays back to the end when it is cancelled meanwhile', async () => {
      const handle = environment.temporal.client.workflow.getHandle(orderWorkflowId('cancelled-late'));
      environment.activities.script('cancelled-late', {
        delivered: false,
        during: { refundPayment: () => handle.cancel() },
      });
      await walkOrder(environment, 'cancelled-late').dispatch();

      expect(await handle.result()).toMatchObject({ outcome: 'REFUNDED' });
      expect(traceOf(await parentHistory('cancelled-late')).slice(8)).toEqual([
        'activity refundPayment',
        'cancel requested',
        'activity sendOrderCancelledNotification',
        'completed',
      ]);
    });

    test('stays delivered when it is cancelled after the parcel has arrived', async () => {
      const handle = await walkOrder(environment, 'cancelled-arrived').deliver();
      await handle.cancel();

      expect(await handle.result()).toEqual({ orderId: 'cancelled-arrived', outcome: 'DELIVERED' });
      expect(traceOf(await parentHistory('cancelled-arrived')).slice(6)).toEqual([
        'child started',
        'cancel requested',
        'child completed',
        'completed',
      ]);
    });

    test('pays back a payment that Temporal accepted after it was asked to end', async () => {
      const handle = await walkOrder(environment, 'cancelled-then-paid').place();
      await environment.stopWorker('order');
      await handle.cancel();
      await environment.signalOrder('cancelled-then-paid', 'paymentReceived');
      await environment.startWorker('order');

      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(traceOf(await parentHistory('cancelled-then-paid')).slice(2)).toEqual([
        'timer 60s',
        'cancel requested',
        'signal paymentReceived',
        'timer cancelled',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'cancelled',
      ]);
    });

    test('fails visibly when it is cancelled and the refund exhausts its retries', async () => {
      environment.activities.script('cancelled-refund-fails', { failures: { refundPayment: 8 }, retryDelay: 1 });
      const handle = await walkOrder(environment, 'cancelled-refund-fails').pay();
      await environment.cancelPaidOrder('cancelled-refund-fails');

      await expect(handle.result()).rejects.toMatchObject({ cause: { activityType: 'refundPayment' } });
      expect(traceOf(await parentHistory('cancelled-refund-fails')).slice(8)).toEqual([
        'child cancelled',
        'activity refundPayment',
        'activity failed',
        'failed',
      ]);
    });

    test('fails, and leaves it to a person, when another workflow has the id of its consignment', async () => {
      const { workflow } = environment.temporal.client;
      const workflowId = consignmentWorkflowId('id-taken');
      const stranger = await workflow.start('somethingElse', { workflowId, taskQueue: 'elsewhere-tq' });
      const handle = await walkOrder(environment, 'id-taken').place();
      await environment.signalOrder('id-taken', 'paymentReceived');

      await expect(handle.result()).rejects.toMatchObject({ name: 'WorkflowFailedError' });
      expect(traceOf(await parentHistory('id-taken')).slice(5)).toEqual([
        'activity sendPaymentCompletedNotification',
        'failed',
      ]);
      await stranger.terminate();
    });

    function attemptsAt(orderId: string, activity: string): number {
      return environment.activities.attempts(orderId).filter((name) => name === activity).length;
    }

    /** The history of the parent; kept as a fixture when asked to. */
    async function parentHistory(orderId: string): Promise<readonly HistoryEvent[]> {
      const events = await historyOf(environment.temporal.client.workflow, orderWorkflowId(orderId));
      await keepHistory(`order.${orderId}`, events);
      return events;
    }
  });
}
