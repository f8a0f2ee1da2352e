import { orderIdSchema } from '@gantry/contracts';
import { asCaller, GantryError, route, type Route } from '@gantry/plugin-api';
import { acknowledgedOrder, repeated } from './order-schemas';
import { acknowledgementNote, deciding } from './request-schemas';
import { findSettledOrder, type DecisionDependencies } from '../tracking/undecided-order';

/**
 * Stores that a person took note of the failure of an order, so that it no longer needs attention. Nothing else happens to the order. Its
 * row counts, as Temporal may no longer keep its workflow.
 */
export function acknowledgementRoute(dependencies: DecisionDependencies): Route {
  const { rows, now } = dependencies;
  return route({
    ...deciding,
    path: '/orders/:orderId/acknowledgement',
    operationId: 'acknowledgeOrder',
    summary: 'Acknowledge that an order has failed, so that it no longer needs attention',
    description:
      '409 for orders without the status FAILED. If the request is repeated, it gets the first acknowledgement with ' +
      '`meta.duplicate`.',
    params: orderIdSchema,
    // For a request without a body, all members are reported as missing.
    body: acknowledgementNote.prefault({} as never),
    answer: acknowledgedOrder,
    meta: repeated,
    async handler({ params: { orderId }, body, caller }) {
      const acknowledge = () => rows.acknowledge(orderId, asCaller(caller, body), now());
      let acknowledged = await acknowledge();
      if (acknowledged === undefined) {
        await assertFailed(dependencies, orderId);
        acknowledged = await acknowledge();
      }
      if (acknowledged === undefined) throw hasNotFailed(orderId, 'OPEN');
      const { acknowledgement, isNew } = acknowledged;
      return { data: { orderId, acknowledgement }, ...(isNew ? {} : { meta: { duplicate: true } }) };
    },
  });
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
