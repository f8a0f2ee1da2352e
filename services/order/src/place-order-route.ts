import { orderWorkflowId, parseOrderId } from '@gantry/contracts';
import { callTemporal, GantryError, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import type { Client } from '@temporalio/client';
import { placeOnce } from './place-once';
import type { PlacedOrders } from './placed-orders';

/**
 * POST /place-order: starts the parent workflow of an order, once for ever. The same order again gives the same answer
 * with `meta.duplicate`, whether the order still runs, has ended, or was forgotten by Temporal since.
 */
export function createPlaceOrderRoute(temporal: Temporal, orders: PlacedOrders): RouteHandler {
  return async ({ body }) => {
    const orderId = orderIdOf(body);
    const { runId, duplicate } = await callTemporal(temporal, (client: Client) => placeOnce(client, orders, orderId));
    return {
      status: 202,
      data: { orderId, workflowId: orderWorkflowId(orderId), runId },
      ...(duplicate ? { meta: { duplicate: true } } : {}),
    };
  };
}

/** Other members of the body are no concern of the sample (order specification, section 2) and are left alone. */
function orderIdOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new GantryError('BAD_REQUEST', 'The body must be a JSON object, for example { "orderId": "1001" }.');
  }
  const parsed = parseOrderId((body as { readonly orderId?: unknown }).orderId);
  if (parsed.ok) return parsed.orderId;
  throw new GantryError('VALIDATION_FAILED', parsed.message, {
    details: [{ path: 'orderId', code: 'ORDER_ID_INVALID', message: parsed.message }],
  });
}
