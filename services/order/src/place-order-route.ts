import { orderWorkflowId } from '@gantry/contracts';
import { callTemporal, GantryError, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { orderIdOf } from './order-id-of';
import { placeOnce, type PlacingDependencies } from './place-once';

/**
 * POST /place-order: starts the parent workflow of an order, only once. The same order again gives the same response
 * with `meta.duplicate`, whether the order still runs, has ended, or was forgotten by Temporal since.
 */
export function createPlaceOrderRoute(temporal: Temporal, dependencies: PlacingDependencies): RouteHandler {
  return async ({ body }) => {
    const orderId = orderIdIn(body);
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

/** Other members of the body are no concern of the sample (order specification, section 2) and are left alone. */
function orderIdIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GantryError('BAD_REQUEST', 'The body must be a JSON object, for example { "orderId": "1001" }.');
  }
  return orderIdOf((body as { readonly orderId?: unknown }).orderId);
}
