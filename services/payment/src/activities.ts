import type { PaymentActivities } from '@gantry/contracts';
import type { Database } from '@gantry/plugin-api';
import type { Payments } from './payments';

/** The payment activities. A refund is a row keyed by order, so that a retried activity pays back once. */
export function createPaymentActivities(payments: Payments, database: Database): PaymentActivities {
  return {
    checkPayment: (orderId) => payments.isAccepted(orderId),
    async checkRefund(orderId) {
      const rows = await database.query('SELECT 1 FROM payment_refund WHERE order_id = $1', [orderId]);
      return rows.length > 0;
    },
    async refundPayment(orderId) {
      await database.query(
        `INSERT INTO payment_refund (order_id, version, created_at, updated_at)
         VALUES ($1, 1, now(), now()) ON CONFLICT (order_id) DO NOTHING`,
        [orderId],
      );
    },
  };
}
