import { orderWorkflowId } from '@gantry/contracts';
import { historyOf, keepHistory, traceOf, type HistoryEvent } from './support/history-facts';
import { createOrderEnvironment, type OrderEnvironment } from './support/order-environment';
import { walkOrder } from './support/walk-order';

// On a real server: the one that skips time never ends an activity that is asked to stop while it runs.
describe('an order that is cancelled while one of its activities runs', () => {
  let environment: OrderEnvironment;
  beforeAll(async () => {
    environment = await createOrderEnvironment({ server: 'local' });
  });
  afterAll(() => environment.close());

  test('begins no wait when it is cancelled while the customer is told of the order', async () => {
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

  test('pays back, and begins no consignment, when it is cancelled while the customer is told of the payment', async () => {
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

  /** The history of the parent; kept as a fixture when asked to. */
  async function historyOfOrder(orderId: string): Promise<readonly HistoryEvent[]> {
    const events = await historyOf(environment.temporal.client.workflow, orderWorkflowId(orderId));
    await keepHistory(`order.${orderId}`, events);
    return events;
  }
});
