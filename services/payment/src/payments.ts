import type { Database } from '@gantry/plugin-api';

/** The stored payments, one row per order. */
export interface Payments {
  /** Stores that a payment has come in; one that was refused is tried again, any other stays as it is. */
  receive(orderId: string): Promise<void>;
  /** Notes that the order has the payment for certain. */
  accept(orderId: string): Promise<void>;
  /** Notes that no order took the payment: the row shows who tried. One that was accepted stays. */
  refuse(orderId: string): Promise<void>;
  isAccepted(orderId: string): Promise<boolean>;
  /** Orders whose payment has been waiting for at least `ageInSeconds` to be accepted. */
  waiting(ageInSeconds: number): Promise<readonly string[]>;
}

/** @param database where the table of the item type `payment` lives */
export function createPayments(database: Database): Payments {
  return {
    async receive(orderId) {
      await database.query(
        `INSERT INTO payment_payment AS payment (order_id, state, version, created_at, updated_at)
         VALUES ($1, 'RECEIVED', 1, now(), now())
         ON CONFLICT (order_id) DO UPDATE SET state = 'RECEIVED', version = payment.version + 1, updated_at = now()
         WHERE payment.state = 'REFUSED'`,
        [orderId],
      );
    },
    async accept(orderId) {
      // Also after REFUSED: a second request for the same order may have refused the payment a moment before.
      await database.query(
        `INSERT INTO payment_payment AS payment (order_id, state, version, created_at, updated_at)
         VALUES ($1, 'ACCEPTED', 1, now(), now())
         ON CONFLICT (order_id) DO UPDATE
         SET state = EXCLUDED.state, version = payment.version + 1, updated_at = now()
         WHERE payment.state <> EXCLUDED.state`,
        [orderId],
      );
    },
    async refuse(orderId) {
      await database.query(
        `UPDATE payment_payment SET state = 'REFUSED', version = version + 1, updated_at = now()
         WHERE order_id = $1 AND state = 'RECEIVED'`,
        [orderId],
      );
    },
    async isAccepted(orderId) {
      const rows = await database.query(`SELECT 1 FROM payment_payment WHERE order_id = $1 AND state = 'ACCEPTED'`, [
        orderId,
      ]);
      return rows.length > 0;
    },
    async waiting(ageInSeconds) {
      const rows = await database.query<{ order_id: string }>(
        `SELECT order_id FROM payment_payment
         WHERE state = 'RECEIVED' AND updated_at < now() - make_interval(secs => $1) ORDER BY id LIMIT 100`,
        [ageInSeconds],
      );
      return rows.map((row) => row.order_id);
    },
  };
}
