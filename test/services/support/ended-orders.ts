import { activityRetries } from '@gantry/contracts';
import type { OrderEnvironment } from '../../workflows/support/order-environment';
import type { Script } from '../../workflows/support/scripted-activities';
import { walkOrder } from '../../workflows/support/walk-order';
import { newOrderId } from './ops-view';

type Compensation = 'refundPayment' | 'sendOrderCancelledNotification';

/** Orders that have ended, without rows. @param environment with the quick consignment; asked for when a test runs */
export function createEndedOrders(environment: () => OrderEnvironment) {
  return {
    async finishedOrder(kind: 'delivered' | 'undelivered'): Promise<string> {
      const orderId = newOrderId(kind);
      const handle = await walkOrder(environment(), orderId).pay();
      await environment().signalConsignment(orderId, 'shipmentDispatched');
      await handle.result();
      return orderId;
    },

    /** An order whose compensation has failed at an activity, which succeeds when it is repeated. */
    failedOrder: (activity: Compensation) => failedOrder(activity, { fatal: activity }),

    /** The same, after all the attempts that the activity has. */
    exhaustedOrder: (activity: Compensation) =>
      failedOrder(activity, { failures: { [activity]: activityRetries[activity].maximumAttempts }, retryDelay: 1 }),
  };

  async function failedOrder(activity: Compensation, script: Script): Promise<string> {
    const orderId = newOrderId('undelivered');
    environment().activities.script(orderId, script);
    const handle = await walkOrder(environment(), orderId).pay();
    await environment().signalConsignment(orderId, 'shipmentDispatched');
    await expect(handle.result()).rejects.toMatchObject({ cause: { activityType: activity } });
    environment().activities.script(orderId, {});
    return orderId;
  }
}
