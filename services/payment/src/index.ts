import { taskQueues } from '@gantry/contracts';
import { definePlugin } from '@gantry/plugin-api';
import { createPaymentActivities } from './activities';
import { Payment } from './payment';
import { paymentRoute } from './payment-route';
import { createPayments } from './payments';
import { Refund } from './refund';
import { settleWaitingPayments } from './settle-waiting-payments';

export { Payment, Refund };

export default definePlugin({
  id: 'payment',
  itemTypes: [Payment, Refund],
  service: {
    taskQueue: taskQueues.payment,
    activities: (context) => ({ ...createPaymentActivities(createPayments(context), context.items) }),
  },
  register({ router, temporal, logger, items, now }) {
    // The callers have the permission of this route, and need not see payments as items.
    const payments = createPayments({ items: items.asPlugin(), now });
    router.add(paymentRoute(payments, temporal, logger));
  },
  async start(context) {
    // Runs until the host stops.
    void settleWaitingPayments(context);
  },
});
