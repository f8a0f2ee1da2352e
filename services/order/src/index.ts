import { join } from 'node:path';
import {
  maxSettlementReasonLength,
  orderIdPattern,
  orderOperations,
  settlementOutcomes,
  taskQueues,
  type OrderOperation,
} from '@gantry/contracts';
import { definePlugin, type RouteOptions } from '@gantry/plugin-api';
import { createOrderActivities } from './activities';
import { createOperationRoute } from './operation-route';
import { Order } from './order';
import { createOrderRows } from './order-rows';
import { createPlaceOrderRoute } from './place-order-route';
import { reconcileOrders } from './reconcile-orders';
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

const placeOrderOptions: RouteOptions = {
  summary: 'Places an order: starts its workflow, once per order id',
  openapi: {
    requestBody: jsonBody(true, {
      type: 'object',
      required: ['orderId'],
      properties: { orderId: { type: 'string', pattern: orderIdPattern.source, example: '1001' } },
    }),
    responses: { 202: { description: 'The order is running, or was placed before (`meta.duplicate`)' } },
  },
};

const requestedBy = { type: 'string', maxLength: 100, example: 'operator' };

const operationOptions: Readonly<Record<OrderOperation, RouteOptions>> = {
  refund: operationRoute(
    'Refunds an order with the status NEEDS_DECISION: starts the workflow refund-{orderId}',
    'The refund is running; `meta.duplicate` if it was started before',
  ),
  redelivery: operationRoute(
    'Delivers an order with the status NEEDS_DECISION again: starts the workflow redelivery-{orderId}',
    'The redelivery is running; `meta.duplicate` if it was started before',
  ),
};

function operationRoute(summary: string, description: string): RouteOptions {
  const properties = {
    reason: { type: 'string', maxLength: 1000, example: 'the parcel was lost' },
    requestedBy,
  };
  const schema = { type: 'object', additionalProperties: false, properties };
  return {
    summary,
    openapi: {
      requestBody: jsonBody(false, schema),
      responses: { 202: { description } },
    },
  };
}

const settlementOptions: RouteOptions = {
  summary:
    'Records that an order with the status NEEDS_DECISION was settled elsewhere; nothing is refunded or delivered',
  openapi: {
    requestBody: jsonBody(true, {
      type: 'object',
      additionalProperties: false,
      required: ['outcome', 'reason'],
      properties: {
        outcome: { type: 'string', enum: [...settlementOutcomes] },
        reason: { type: 'string', maxLength: maxSettlementReasonLength, example: 'the bank returned the money' },
        requestedBy,
      },
    }),
    responses: { 200: { description: 'The settlement is stored; `meta.duplicate` if it was stored before' } },
  },
};

function jsonBody(required: boolean, schema: object): object {
  return { required, content: { 'application/json': { schema } } };
}
