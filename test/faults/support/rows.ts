import { Client } from 'pg';
import { outcomeOf, type Outcome } from './orders';

/** What is stored of one order: every row of every service, in a stable order. */
export type StoredRows = readonly string[];

/** What must be stored of an order with this outcome, each exactly once. */
const expected: Readonly<Record<Outcome, StoredRows>> = {
  confirmed: ['ORDER_PLACED', 'PAYMENT_COMPLETED', 'payment ACCEPTED', 'shipment'],
  unconfirmed: ['ORDER_PLACED', 'PAYMENT_COMPLETED', 'payment ACCEPTED', 'shipment'],
  undelivered: ['ORDER_CANCELLED', 'ORDER_PLACED', 'PAYMENT_COMPLETED', 'payment ACCEPTED', 'refund', 'shipment'],
  unpaid: ['ORDER_PLACED'],
  refused: ['ORDER_PLACED', 'PAYMENT_COMPLETED', 'payment ACCEPTED', 'shipment'],
  cancelled: ['ORDER_CANCELLED', 'ORDER_PLACED', 'PAYMENT_COMPLETED', 'payment ACCEPTED', 'refund'],
};

export function expectedRows(orderIds: readonly string[]): Readonly<Record<string, StoredRows>> {
  return Object.fromEntries(orderIds.map((orderId) => [orderId, expected[outcomeOf(orderId)]]));
}

export async function storedRows(
  databaseUrl: string,
  orderIds: readonly string[],
): Promise<Readonly<Record<string, StoredRows>>> {
  const rows = await query<{ readonly order_id: string; readonly what: string }>(
    databaseUrl,
    `SELECT order_id, kind AS what FROM email_notification
     UNION ALL SELECT order_id, 'payment ' || state FROM payment_payment
     UNION ALL SELECT order_id, 'refund' FROM payment_refund
     UNION ALL SELECT order_id, 'shipment' FROM consignment_shipment`,
  );
  const of = (orderId: string): StoredRows =>
    rows.flatMap((row) => (row.order_id === orderId ? row.what : [])).toSorted();
  return Object.fromEntries(orderIds.map((orderId) => [orderId, of(orderId)]));
}

/** From now on, the database refuses refunds of orders that are to be refused. */
export async function refuseRefunds(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `CREATE OR REPLACE FUNCTION refuse_refund() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'the bank refuses'; END $$;
     CREATE OR REPLACE TRIGGER refuse_refund BEFORE INSERT ON payment_refund
     FOR EACH ROW WHEN (NEW.order_id LIKE '%-refused') EXECUTE FUNCTION refuse_refund()`,
  );
}

export async function query<R extends object>(databaseUrl: string, sql: string): Promise<readonly R[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
