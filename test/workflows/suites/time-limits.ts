import {
  activityRetries,
  consignmentWorkflowId,
  orderWorkflowId,
  taskQueues,
  timeLimits,
  workflowTypes,
} from '@gantry/contracts';
import { historyOf, timersOf, type HistoryEvent } from '../support/history-facts';
import type { OrderEnvironment } from '../support/order-environment';
import { walkOrder } from '../support/walk-order';

/** Order specification, section 8, as Temporal writes durations. */
const specification = {
  emailStartToClose: '30s',
  paymentWait: '60s',
  consignmentRunTimeout: '1200s',
  deliverySleep: '120s',
  confirmationWait: '60s',
} as const;

export function describeTimeLimits(opened: () => OrderEnvironment): void {
  describe('the time limits of the specification', () => {
    let environment: OrderEnvironment;
    let refunded: { readonly order: readonly HistoryEvent[]; readonly consignment: readonly HistoryEvent[] };
    let delivered: typeof refunded;

    beforeAll(async () => {
      environment = opened();
      environment.activities.script('limits-refunded', { delivered: false });
      const orders = [
        await walkOrder(environment, 'limits-refunded').dispatch(),
        await walkOrder(environment, 'limits-delivered').dispatch(),
      ];
      for (const order of orders) await order.result();
      refunded = await histories('limits-refunded');
      delivered = await histories('limits-delivered');
    });

    test('are the constants of the contracts', () => {
      const written = Object.keys(specification) as (keyof typeof specification)[];
      expect(Object.fromEntries(written.map((name) => [name, `${timeLimits[name] / 1_000}s`]))).toEqual(specification);
    });

    test('are in the timers of the histories', () => {
      expect(timersOf(refunded.order)).toEqual([specification.paymentWait]);
      expect(timersOf(refunded.consignment)).toEqual([specification.deliverySleep]);
      expect(timersOf(delivered.consignment)).toEqual([specification.deliverySleep, specification.confirmationWait]);
    });

    test('are at every activity of the histories, with its queue and its number of attempts', () => {
      const limit = specification.emailStartToClose;
      expect([...scheduled(refunded.order), ...scheduled(refunded.consignment)]).toEqual([
        ['sendOrderPlacedNotification', 'email-tq', limit, 0],
        ['sendPaymentCompletedNotification', 'email-tq', limit, 0],
        ['refundPayment', 'payment-tq', limit, activityRetries.refundPayment.maximumAttempts],
        [
          'sendOrderCancelledNotification',
          'email-tq',
          limit,
          activityRetries.sendOrderCancelledNotification.maximumAttempts,
        ],
        ['checkShipping', 'consignment-tq', limit, 0],
      ]);
    });

    test('are at the child workflow, whose id and queue are as specified', () => {
      const initiated = refunded.order.flatMap(
        (event) => event.startChildWorkflowExecutionInitiatedEventAttributes ?? [],
      );
      expect(initiated).toMatchObject([
        {
          workflowId: 'consignment-limits-refunded',
          taskQueue: { name: 'consignment-tq' },
          workflowRunTimeout: specification.consignmentRunTimeout,
          parentClosePolicy: 'PARENT_CLOSE_POLICY_REQUEST_CANCEL',
        },
      ]);
    });

    test('go with the specified names', () => {
      expect(taskQueues).toEqual({
        order: 'order-tq',
        email: 'email-tq',
        payment: 'payment-tq',
        consignment: 'consignment-tq',
      });
      expect(workflowTypes).toEqual({ placeOrder: 'placeOrder', startConsignment: 'startConsignment' });
      expect([orderWorkflowId('1'), consignmentWorkflowId('1')]).toEqual(['order-1', 'consignment-1']);
    });

    async function histories(orderId: string): Promise<typeof refunded> {
      const { workflow } = environment.temporal.client;
      return {
        order: await historyOf(workflow, orderWorkflowId(orderId)),
        consignment: await historyOf(workflow, consignmentWorkflowId(orderId)),
      };
    }
  });
}

function scheduled(events: readonly HistoryEvent[]): readonly (readonly unknown[])[] {
  return events.flatMap(({ activityTaskScheduledEventAttributes: activity }) =>
    activity === undefined
      ? []
      : [
          [
            activity.activityType.name,
            activity.taskQueue.name,
            activity.startToCloseTimeout,
            activity.retryPolicy.maximumAttempts ?? 0,
          ],
        ],
  );
}
