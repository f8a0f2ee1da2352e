import { orderWorkflowId, type orderIdSchema } from '@gantry/contracts';
import { callTemporal, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { placeOnce, type PlacingDependencies } from './place-once';

/**
 * POST /place-order: starts the parent workflow of an order, only once. The same order again gives the same response
 * with `meta.duplicate`, whether the order still runs, has ended, or was forgotten by Temporal since. Other members of the body
 * are no concern of the sample (order specification, section 2) and are left alone.
 */
export function createPlaceOrderRoute(
  temporal: Temporal,
  dependencies: PlacingDependencies,
): RouteHandler<{ readonly body: typeof orderIdSchema }> {
  return async ({ body: { orderId } }) => {
    const { runId, duplicate } = await callTemporal(temporal, (client: Client) =>
      placeOnce(client, dependencies, orderId),
    );
    return {
      status: 202,
      data: { orderId, workflowId: orderWorkflowId(orderId), runId },
      ...(duplicate ? { meta: { duplicate: true } } : {}),
    };
  };
}
