import { join } from 'node:path';
import { orderIdSchema, orderOperations, taskQueues } from '@gantry/contracts';
import { definePlugin } from '@gantry/plugin-api';
import { createAcknowledgementRoute } from './acknowledgement-route';
import { createOrderActivities } from './activities';
import { createOperationRoute } from './operation-route';
import { Order } from './order';
import {
  createOrderCountsRoute,
  createOrderDaysRoute,
  createOrderListRoute,
  createOrderRoute,
  orderDaysSchemas,
  orderListSchemas,
  orderSchemas,
} from './order-list-routes';
import { createOrderRows } from './order-rows';
import { createPlaceOrderRoute } from './place-order-route';
import { reconcileOrders } from './reconcile-orders';
import { acknowledgementSchemas, operationSchemas, settlementSchemas } from './request-schemas';
import { createSettlementRoute } from './settlement-route';
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
    const list = createStoredOrderList(database);
    router.route('GET', '/orders', createOrderListRoute(list, now), orderListOptions);
    router.route('GET', '/orders/counts', createOrderCountsRoute(list, now), orderCountsOptions);
    router.route('GET', '/orders/daily', createOrderDaysRoute(list, now), orderDaysOptions);
    router.route('GET', '/orders/:orderId', createOrderRoute(list, now), orderOptions);
    router.route('POST', '/place-order', createPlaceOrderRoute(temporal, { rows, logger, now }), placeOrderOptions);
    for (const operation of orderOperations) {
      const handler = createOperationRoute(operation, { temporal, rows, now });
      router.route('POST', `/orders/:orderId/${operation}`, handler, operationOptions[operation]);
    }
    const settle = createSettlementRoute({ temporal, rows, now });
    router.route('POST', '/orders/:orderId/settlement', settle, settlementOptions);
    const acknowledge = createAcknowledgementRoute({ temporal, rows, now });
    router.route('POST', '/orders/:orderId/acknowledgement', acknowledge, acknowledgementOptions);
  },
  async start(context) {
    // Runs until the host stops.
    void reconcileOrders(context);
  },
});

const orderListOptions = {
  access: { permission: 'order.read' },
  schemas: orderListSchemas,
  summary: 'Lists the orders that were placed, also those that Temporal no longer keeps, page by page',
  openapi: { responses: { 200: { description: 'A page of orders; `meta.nextCursor` if there are more' } } },
};

const orderCountsOptions = {
  access: { permission: 'order.read' },
  summary: 'Counts the orders of each group; counting ends at 10,000',
  openapi: { responses: { 200: { description: 'Per group `count`, and `isCapped` if there are more' } } },
};

const orderDaysOptions = {
  access: { permission: 'order.read' },
  schemas: orderDaysSchemas,
  summary: 'Counts the orders that were placed on each of the last days',
  openapi: { responses: { 200: { description: 'An entry for each day, the earliest first: `day` and `placed`' } } },
};

const orderOptions = {
  access: { permission: 'order.read' },
  schemas: orderSchemas,
  summary: 'Shows an order, also one that Temporal no longer keeps, as the list of orders has it',
  openapi: {
    responses: { 200: { description: 'The order; those named `counts` and `daily` are found with `GET /orders`' } },
  },
};

const placeOrderOptions = {
  access: { permission: 'order.place' },
  schemas: { body: orderIdSchema },
  summary: 'Places an order: starts its workflow, once per order id',
  openapi: { responses: { 202: { description: 'The order is running, or was placed before (`meta.duplicate`)' } } },
};

const operationOptions = {
  refund: {
    access: { permission: 'order.control' },
    schemas: operationSchemas,
    summary: 'Refunds an order with the status NEEDS_DECISION: starts the workflow refund-{orderId}',
    openapi: {
      responses: { 202: { description: 'The refund is running; `meta.duplicate` if it was started before' } },
    },
  },
  redelivery: {
    access: { permission: 'order.control' },
    schemas: operationSchemas,
    summary: 'Delivers an order with the status NEEDS_DECISION again: starts the workflow redelivery-{orderId}',
    openapi: {
      responses: { 202: { description: 'The redelivery is running; `meta.duplicate` if it was started before' } },
    },
  },
};

const settlementOptions = {
  access: { permission: 'order.control' },
  schemas: settlementSchemas,
  summary:
    'Records that an order with the status NEEDS_DECISION was settled elsewhere; nothing is refunded or delivered',
  openapi: {
    responses: { 200: { description: 'The settlement is stored; `meta.duplicate` if it was stored before' } },
  },
};

const acknowledgementOptions = {
  access: { permission: 'order.control' },
  schemas: acknowledgementSchemas,
  summary: 'Acknowledges that an order has failed, so that it no longer needs attention; nothing else happens to it',
  openapi: {
    responses: {
      200: { description: 'The acknowledgement is stored; `meta.duplicate` if the failure was acknowledged before' },
    },
  },
};
