import { join } from 'node:path';
import { orderOperations, taskQueues } from '@gantry/contracts';
import { definePlugin } from '@gantry/plugin-api';
import { acknowledgementRoute } from './routes/acknowledgement-route';
import { createOrderActivities } from './activities';
import { operationRoute } from './routes/operation-route';
import { Order } from './order';
import { orderListRoutes } from './routes/order-list-routes';
import { createOrderRows } from './order-rows';
import { placeOrderRoute } from './routes/place-order-route';
import { reconcileOrders } from './tracking/reconcile-orders';
import { settlementRoute } from './routes/settlement-route';
import { createStoredOrderList } from './stored-order-list';

export { Order };

export default definePlugin({
  id: 'order',
  itemTypes: [Order],
  service: {
    taskQueue: taskQueues.order,
    workflowsPath: join(__dirname, 'workflow-bundle.js'),
    activities: (context) => ({ ...createOrderActivities(createOrderRows(context), context.temporal) }),
  },
  register(context) {
    const { router, temporal, logger, now, database, items } = context;
    // The callers have permissions of these routes, and need not see orders as items.
    const rows = createOrderRows({ items: items.asPlugin(), database });
    const decisions = { temporal, rows, now };
    router.add(
      ...orderListRoutes(createStoredOrderList(database), now),
      placeOrderRoute(temporal, { rows, logger, now }),
      ...orderOperations.map((operation) => operationRoute(operation, decisions)),
      settlementRoute(decisions),
      acknowledgementRoute(decisions),
    );
  },
  async start(context) {
    // Runs until the host stops.
    void reconcileOrders(context);
  },
});
