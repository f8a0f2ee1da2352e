import { Client } from 'pg';
import { expectedOf, type Orders, type Outcome } from './outcomes';

/** Stored rows of one order: every row of every service, in a stable order. */
export type StoredRows = readonly string[];

const paid = ['notification ORDER_PLACED', 'notification PAYMENT_COMPLETED', 'payment ACCEPTED'];
const compensated = ['notification ORDER_CANCELLED', ...paid, 'refund'];

/** Rows that must be stored of an order with this outcome, each exactly once. */
const byOutcome: Readonly<Record<Outcome, StoredRows>> = {
  confirmed: [...paid, 'shipment'],
  unconfirmed: [...paid, 'shipment'],
  undelivered: [...compensated, 'shipment undelivered'],
  unpaid: ['notification ORDER_PLACED'],
  refused: [...paid, 'shipment undelivered'],
  cancelled: compensated,
};

export function expectedRows(orders: Orders): Readonly<Record<string, StoredRows>> {
  return expectedOf(orders, byOutcome);
}

const everyRow = `
  SELECT order_id, 'notification ' || kind AS what FROM email_notification
  UNION ALL SELECT order_id, 'payment ' || state FROM payment_payment
  UNION ALL SELECT order_id, 'refund' FROM payment_refund
  UNION ALL SELECT order_id, 'shipment' || CASE delivered WHEN false THEN ' undelivered' ELSE '' END
            FROM consignment_shipment`;

export async function storedRows(databaseUrl: string, orders: Orders): Promise<Readonly<Record<string, StoredRows>>> {
  const rows = await query<{ readonly order_id: string; readonly what: string }>(databaseUrl, everyRow);
  const of = (orderId: string): StoredRows =>
    rows.flatMap((row) => (row.order_id === orderId ? row.what : [])).toSorted();
  return Object.fromEntries([...orders.keys()].map((orderId) => [orderId, of(orderId)]));
}

/** How many rows there are of orders whose ids begin so; grows as they continue. */
export async function countRows(databaseUrl: string, prefix: string): Promise<number> {
  const sql = `SELECT count(*)::int AS rows FROM (${everyRow}) AS every WHERE order_id LIKE '${prefix}-%'`;
  const [row] = await query<{ readonly rows: number }>(databaseUrl, sql);
  return row?.rows ?? 0;
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

async function query<R extends object>(databaseUrl: string, sql: string): Promise<readonly R[]> {
  const client = new Client({ connectionString: databaseUrl });
  // A connection that breaks rejects the query as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
