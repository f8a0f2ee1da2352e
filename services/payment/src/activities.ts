import type { PaymentActivities } from '@gantry/contracts';
import type { ItemStore } from '@gantry/plugin-api';
import type { Payments } from './payments';
import { Refund } from './refund';

/** The payment activities. A refund is an item keyed by order, so that a retried activity pays back once. */
export function createPaymentActivities(payments: Payments, items: ItemStore): PaymentActivities {
  const refunds = items.of(Refund);
  return {
    checkPayment: (orderId) => payments.isAccepted(orderId),
    async checkRefund(orderId) {
      return (await refunds.find({ orderId })) !== undefined;
    },
    async refundPayment(orderId) {
      await refunds.createIfAbsent({ orderId }, { by: ['orderId'] });
    },
  };
}
