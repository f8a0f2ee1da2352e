import type { OrderAcknowledged } from '@gantry/contracts';
import { asCaller, GantryError, type RouteHandler } from '@gantry/plugin-api';
import type { acknowledgementSchemas } from './request-schemas';
import { findSettledOrder, type DecisionDependencies } from './undecided-order';

/**
 * POST /orders/:orderId/acknowledgement: stores that a person took note of the failure of an order, so that it no longer needs
 * attention. Nothing else happens to the order. Its row counts, as Temporal may no longer keep its workflow.
 */
export function createAcknowledgementRoute(
  dependencies: DecisionDependencies,
): RouteHandler<typeof acknowledgementSchemas> {
  const { rows, now } = dependencies;
  return async ({ params: { orderId }, body, caller }) => {
    const acknowledge = () => rows.acknowledge(orderId, asCaller(caller, body), now());
    let acknowledged = await acknowledge();
    if (acknowledged === undefined) {
      await assertFailed(dependencies, orderId);
      acknowledged = await acknowledge();
    }
    if (acknowledged === undefined) throw hasNotFailed(orderId, 'OPEN');
    const { acknowledgement, isNew } = acknowledged;
    const data: OrderAcknowledged = { orderId, acknowledgement };
    return { data, ...(isNew ? {} : { meta: { duplicate: true } }) };
  };
}

/**
 * A row that says that the order is open may be late; it is compared with Temporal.
 * @throws GantryError ORDER_NOT_FOUND, CONFLICT
 */
async function assertFailed(dependencies: DecisionDependencies, orderId: string): Promise<void> {
  const row = await dependencies.rows.newest(orderId);
  if (row === undefined) throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
  const { status } = row.status === 'OPEN' ? await findSettledOrder(dependencies, orderId) : row;
  if (status !== 'FAILED') throw hasNotFailed(orderId, status ?? 'unknown');
}

function hasNotFailed(orderId: string, status: string): GantryError {
  const message = `Order ${orderId} has the status ${status}; only an order with the status FAILED can be acknowledged.`;
  return new GantryError('CONFLICT', message, { details: [{ path: 'status', code: status, message }] });
}
