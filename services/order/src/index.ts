import { join } from 'node:path';
import { orderIdPattern, taskQueues } from '@gantry/contracts';
import { definePlugin } from '@gantry/plugin-api';
import { Order } from './order';
import { createPlaceOrderRoute } from './place-order-route';
import { createPlacedOrders } from './placed-orders';

export { Order };

export default definePlugin({
  id: 'order',
  itemTypes: [Order],
  service: {
    taskQueue: taskQueues.order,
    workflowsPath: join(__dirname, 'workflow-bundle.js'),
  },
  register({ router, temporal, database, logger }) {
    router.route('POST', '/place-order', createPlaceOrderRoute(temporal, createPlacedOrders(database, logger)), {
      summary: 'Places an order: starts its workflow, once per order id',
      openapi: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['orderId'],
                properties: { orderId: { type: 'string', pattern: orderIdPattern.source, example: '1001' } },
              },
            },
          },
        },
        responses: { 202: { description: 'The order runs, or has been placed before (`meta.duplicate`)' } },
      },
    });
  },
});
