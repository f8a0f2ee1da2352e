import { join } from 'node:path';
import { orderIdPattern, taskQueues } from '@gantry/contracts';
import { definePlugin } from '@gantry/plugin-api';
import { createPlaceOrderRoute } from './place-order-route';

export default definePlugin({
  id: 'order',
  service: {
    taskQueue: taskQueues.order,
    workflowsPath: join(__dirname, 'workflow-bundle.js'),
  },
  register({ router, temporal }) {
    router.route('POST', '/place-order', createPlaceOrderRoute(temporal), {
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
