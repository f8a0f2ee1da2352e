import { consignmentWorkflowId, orderWorkflowId } from '@gantry/contracts';
import type { WorkflowHandle } from '@temporalio/client';
import { eventually } from '../../support/eventually';
import { historyOf, keepHistory, traceOf, type HistoryEvent } from '../support/history-facts';
import type { OrderEnvironment } from '../support/order-environment';
import { walkOrder } from '../support/walk-order';

/** @param opened on a real server: the one that skips time never ends an activity that is asked to stop while it runs */
export function describeOrderCancellation(opened: () => OrderEnvironment): void {
  describe('an order that is cancelled while one of its activities runs', () => {
    let environment: OrderEnvironment;
    beforeAll(async () => {
      environment = opened();
      await environment.startWorker('email');
    });

    test('begins no wait when it is cancelled while the customer is notified of the order', async () => {
      const handle = environment.temporal.client.workflow.getHandle(orderWorkflowId('cancelled-early'));
      environment.activities.script('cancelled-early', {
        during: { sendOrderPlacedNotification: () => handle.cancel() },
      });
      await environment.placeOrder('cancelled-early');

      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(traceOf(await historyOfOrder('cancelled-early'))).toEqual([
        'started',
        'activity sendOrderPlacedNotification',
        'cancel requested',
        'cancelled',
      ]);
    });

    test('pays back, and begins no consignment, when it is cancelled while the customer is notified of the payment', async () => {
      const handle = environment.temporal.client.workflow.getHandle(orderWorkflowId('cancelled-before-child'));
      environment.activities.script('cancelled-before-child', {
        during: { sendPaymentCompletedNotification: () => handle.cancel() },
      });
      await walkOrder(environment, 'cancelled-before-child').place();
      await environment.signalOrder('cancelled-before-child', 'paymentReceived');

      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(traceOf(await historyOfOrder('cancelled-before-child')).slice(5)).toEqual([
        'activity sendPaymentCompletedNotification',
        'cancel requested',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'cancelled',
      ]);
    });

    test('ends as cancelled when the notification of the order fails after the cancellation', async () => {
      const handle = environment.temporal.client.workflow.getHandle(orderWorkflowId('cancelled-unpaid-fails'));
      environment.activities.script('cancelled-unpaid-fails', {
        during: { sendOrderPlacedNotification: () => cancelForCertain(handle) },
        failures: { sendOrderPlacedNotification: 1 },
      });
      await environment.placeOrder('cancelled-unpaid-fails');
      const end = await endOf(handle);

      expect(traceOf(await historyOfOrder('cancelled-unpaid-fails'))).toEqual([
        'started',
        'activity sendOrderPlacedNotification',
        'cancel requested',
        'activity failed',
        'cancelled',
      ]);
      expect(end).toMatchObject({ cause: { name: 'CancelledFailure' } });
    });

    test('pays back when the notification of the payment fails after the cancellation', async () => {
      const handle = environment.temporal.client.workflow.getHandle(orderWorkflowId('cancelled-paid-fails'));
      environment.activities.script('cancelled-paid-fails', {
        during: { sendPaymentCompletedNotification: () => cancelForCertain(handle) },
        failures: { sendPaymentCompletedNotification: 1 },
      });
      await walkOrder(environment, 'cancelled-paid-fails').place();
      await environment.signalOrder('cancelled-paid-fails', 'paymentReceived');
      const end = await endOf(handle);

      expect(traceOf(await historyOfOrder('cancelled-paid-fails')).slice(5)).toEqual([
        'activity sendPaymentCompletedNotification',
        'cancel requested',
        'activity failed',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'cancelled',
      ]);
      expect(end).toMatchObject({ cause: { name: 'CancelledFailure' } });
    });

    test('pays back when its consignment fails after the cancellation', async () => {
      const handle = await walkOrder(environment, 'cancelled-child-fails').pay();
      await handle.cancel();
      const end = await endOf(handle);

      expect(traceOf(await historyOfOrder('cancelled-child-fails')).slice(6)).toEqual([
        'child started',
        'cancel requested',
        'child failed',
        'activity refundPayment',
        'activity sendOrderCancelledNotification',
        'cancelled',
      ]);
      expect(end).toMatchObject({ cause: { name: 'CancelledFailure' } });
    });

    test('fails, and leaves it to a person, when its consignment is terminated', async () => {
      const handle = await walkOrder(environment, 'consignment-terminated').pay();
      await environment.temporal.client.workflow.getHandle(consignmentWorkflowId('consignment-terminated')).terminate();

      await expect(handle.result()).rejects.toMatchObject({ cause: { workflowType: 'startConsignment' } });
      expect(traceOf(await historyOfOrder('consignment-terminated')).slice(6)).toEqual([
        'child started',
        'child terminated',
        'failed',
      ]);
    });

    /** The history of the parent; kept as a fixture when asked to. */
    async function historyOfOrder(orderId: string): Promise<readonly HistoryEvent[]> {
      const events = await historyOf(environment.temporal.client.workflow, orderWorkflowId(orderId));
      await keepHistory(`order.${orderId}`, events);
      return events;
    }
  });
}

/** Cancels, and waits until the activity that runs is asked to end: from then on, its failure is not followed by a retry. */
async function cancelForCertain(handle: WorkflowHandle): Promise<void> {
  await handle.cancel();
  await eventually(
    async () =>
      (await handle.fetchHistory()).events?.some((event) => event.activityTaskCancelRequestedEventAttributes != null) ??
      false,
  );
}

/** The result of a workflow, or the error that ended it. */
function endOf(handle: WorkflowHandle): Promise<unknown> {
  return handle.result().catch((error: unknown) => error);
}
