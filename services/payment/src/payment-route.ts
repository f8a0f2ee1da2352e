import { orderWorkflowId, type orderIdSchema } from '@gantry/contracts';
import { GantryError, signedInName, type Logger, type RouteHandler, type Temporal } from '@gantry/plugin-api';
import type { Payments } from './payments';
import { settlePayment } from './settle-payment';

/** POST /payment?orderId=: stores the payment and signals it to the order. Paying twice is harmless. */
export function createPaymentRoute(
  payments: Payments,
  temporal: Temporal,
  logger: Logger,
): RouteHandler<{ readonly query: typeof orderIdSchema }> {
  return async ({ query: { orderId }, requestId, caller }) => {
    await payments.receive(orderId);
    const outcome = await settlePayment(payments, temporal, orderId, signedInName(caller));
    switch (outcome) {
      case 'accepted':
        return { status: 202, data: { orderId, workflowId: orderWorkflowId(orderId) } };
      case 'ended':
        throw new GantryError('WORKFLOW_CLOSED', `Order ${orderId} has ended and accepts no payment.`);
      case 'unknown':
        logger.warn({ orderId, requestId }, 'refused a payment of an order that does not exist');
        throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
    }
  };
}
