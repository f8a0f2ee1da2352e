import { orderIdSchema, orderWorkflowId } from '@gantry/contracts';
import { GantryError, route, signedInName, type Logger, type Route, type Temporal } from '@gantry/plugin-api';
import { z } from 'zod';
import type { Payments } from './payments';
import { settlePayment } from './settle-payment';

/** Stores the payment and signals it to the order. Paying twice is harmless. */
export function paymentRoute(payments: Payments, temporal: Temporal, logger: Logger): Route {
  return route({
    method: 'POST',
    path: '/payment',
    operationId: 'receivePayment',
    summary: 'Notify an order that its payment has arrived',
    description:
      'The payment is stored before the order is notified, and is not lost when Temporal does not answer (503: ' +
      'send the request again). A second payment has no effect.',
    access: { permission: 'payment.receive' },
    errors: ['VALIDATION_FAILED', 'ORDER_NOT_FOUND', 'WORKFLOW_CLOSED', 'UNAVAILABLE'],
    query: orderIdSchema,
    status: 202,
    answer: z
      .object({ orderId: z.string(), workflowId: z.string() })
      .meta({ id: 'PaidOrder', description: 'The order that is paid.' }),
    async handler({ query: { orderId }, requestId, caller }) {
      await payments.receive(orderId);
      const outcome = await settlePayment(payments, temporal, orderId, signedInName(caller));
      switch (outcome) {
        case 'accepted':
          return { data: { orderId, workflowId: orderWorkflowId(orderId) } };
        case 'ended':
          throw new GantryError('WORKFLOW_CLOSED', `Order ${orderId} has ended and accepts no payment.`);
        case 'unknown':
          logger.warn({ orderId, requestId }, 'refused a payment of an order that does not exist');
          throw new GantryError('ORDER_NOT_FOUND', `Order not found: ${orderId}`);
      }
    },
  });
}
