import { orderIdSchema, orderWorkflowId } from '@gantry/contracts';
import { callTemporal, route, type Route, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { repeated, startedWorkflow } from './order-schemas';
import { placeOnce, type PlacingDependencies } from '../place-once';

/**
 * Starts the parent workflow of an order, only once. The same order again gives the same response with `meta.duplicate`, whether the order
 * still runs, has ended, or was forgotten by Temporal since. Other members of the body are no concern of the sample (order specification,
 * section 2) and are left alone.
 */
export function placeOrderRoute(temporal: Temporal, dependencies: PlacingDependencies): Route {
  return route({
    method: 'POST',
    path: '/place-order',
    operationId: 'placeOrder',
    summary: 'Place an order: starts its workflow, once per order id',
    description:
      'If the order id was used before, no workflow starts and the request gets the first response with `meta.duplicate`, also after the order has ' +
      'ended. 503 when Temporal does not answer: send the request again.',
    access: { permission: 'order.place' },
    errors: ['VALIDATION_FAILED', 'CONFLICT', 'UNAVAILABLE'],
    body: orderIdSchema,
    status: 202,
    answer: startedWorkflow,
    meta: repeated,
    async handler({ body: { orderId } }) {
      const { runId, duplicate } = await callTemporal(temporal, (client: Client) =>
        placeOnce(client, dependencies, orderId),
      );
      return {
        data: { orderId, workflowId: orderWorkflowId(orderId), runId },
        ...(duplicate ? { meta: { duplicate } } : {}),
      };
    },
  });
}
