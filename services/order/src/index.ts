import { join } from 'node:path';
import { orderIdSchema, orderOperations, taskQueues } from '@gantry/contracts';
import { definePlugin } from '@gantry/plugin-api';
import { createOrderActivities } from './activities';
import { createOperationRoute } from './operation-route';
import { Order } from './order';
import { createOrderRows } from './order-rows';
import { createPlaceOrderRoute } from './place-order-route';
import { reconcileOrders } from './reconcile-orders';
import { operationSchemas, settlementSchemas } from './request-schemas';
import { createSettlementRoute } from './settlement-route';

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
    const { router, temporal, logger, now } = context;
    const rows = createOrderRows(context);
    router.route('POST', '/place-order', createPlaceOrderRoute(temporal, { rows, logger, now }), placeOrderOptions);
    for (const operation of orderOperations) {
      const handler = createOperationRoute(operation, { temporal, rows, now });
      router.route('POST', `/orders/:orderId/${operation}`, handler, operationOptions[operation]);
    }
    const settle = createSettlementRoute({ temporal, rows, now });
    router.route('POST', '/orders/:orderId/settlement', settle, settlementOptions);
  },
  async start(context) {
    // Runs until the host stops.
    void reconcileOrders(context);
  },
});

const placeOrderOptions = {
  schemas: { body: orderIdSchema },
  summary: 'Places an order: starts its workflow, once per order id',
  openapi: { responses: { 202: { description: 'The order is running, or was placed before (`meta.duplicate`)' } } },
};

const operationOptions = {
  refund: {
    schemas: operationSchemas,
    summary: 'Refunds an order with the status NEEDS_DECISION: starts the workflow refund-{orderId}',
    openapi: {
      responses: { 202: { description: 'The refund is running; `meta.duplicate` if it was started before' } },
    },
  },
  redelivery: {
    schemas: operationSchemas,
    summary: 'Delivers an order with the status NEEDS_DECISION again: starts the workflow redelivery-{orderId}',
    openapi: {
      responses: { 202: { description: 'The redelivery is running; `meta.duplicate` if it was started before' } },
    },
  },
};

const settlementOptions = {
  schemas: settlementSchemas,
  summary:
    'Records that an order with the status NEEDS_DECISION was settled elsewhere; nothing is refunded or delivered',
  openapi: {
    responses: { 200: { description: 'The settlement is stored; `meta.duplicate` if it was stored before' } },
  },
};
