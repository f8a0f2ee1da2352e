import type { Database } from '@gantry/plugin-api';

/** The stored payments, one row per order. */
export interface Payments {
  /** Stores that a payment has come in; changes nothing when there is one. */
  receive(orderId: string): Promise<void>;
  /** Notes that the order has the payment for certain. */
  accept(orderId: string): Promise<void>;
  /** Forgets a payment that no order took. One that was accepted stays. */
  withdraw(orderId: string): Promise<void>;
  isAccepted(orderId: string): Promise<boolean>;
  /** Orders whose payment has been waiting for at least `ageInSeconds` to be accepted. */
  waiting(ageInSeconds: number): Promise<readonly string[]>;
}

/** @param database where the table of the item type `payment` lives */
export function createPayments(database: Database): Payments {
  return {
    async receive(orderId) {
      await database.query(
        `INSERT INTO payment_payment (order_id, state, version, created_at, updated_at)
         VALUES ($1, 'RECEIVED', 1, now(), now()) ON CONFLICT (order_id) DO NOTHING`,
        [orderId],
      );
    },
    async accept(orderId) {
      // Inserts too: a second request for the same order may have withdrawn the row a moment before.
      await database.query(
        `INSERT INTO payment_payment AS payment (order_id, state, version, created_at, updated_at)
         VALUES ($1, 'ACCEPTED', 1, now(), now())
         ON CONFLICT (order_id) DO UPDATE
         SET state = EXCLUDED.state, version = payment.version + 1, updated_at = now()
         WHERE payment.state <> EXCLUDED.state`,
        [orderId],
      );
    },
    async withdraw(orderId) {
      await database.query(`DELETE FROM payment_payment WHERE order_id = $1 AND state = 'RECEIVED'`, [orderId]);
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
