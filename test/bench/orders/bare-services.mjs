/**
 * Services as a careful team would write them by hand: the SDK's workers for the four services in one process, each on its queue, one
 * connection and runtime, prebuilt workflow bundles, activities that store the same rows, and a few routes. No plugins.
 */
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pg from 'pg';
import { serveRoutes } from './bare-routes.mjs';

const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, BENCH_PLUGINS } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS });
const bundle = (service) => ({ codePath: join(BENCH_PLUGINS, service, 'dist', 'workflow-bundle.js') });

const workers = await Promise.all(
  [
    { taskQueue: 'order-tq', workflowBundle: bundle('order'), activities: orderActivities() },
    { taskQueue: 'email-tq', activities: emailActivities() },
    { taskQueue: 'payment-tq', activities: paymentActivities() },
    { taskQueue: 'consignment-tq', workflowBundle: bundle('consignment'), activities: shippingActivities() },
  ].map((options) => Worker.create({ connection, namespace: TEMPORAL_NAMESPACE, ...options })),
);
const ended = Promise.all(workers.map((worker) => worker.run()));
const client = new Client({ connection, namespace: TEMPORAL_NAMESPACE });
process.send({ kind: 'ready', port: await serveRoutes(client, pool) });

const stop = () => {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
};
process.once('SIGTERM', stop);
process.once('disconnect', stop);
await ended;
await connection.close();
await pool.end();
process.exit();

function orderActivities() {
  return {
    async recordOrder({ orderId, runId, step, status, reason, since }) {
      const changed = await pool.query({
        name: 'recordOrder',
        text: `UPDATE order_order SET step = $3, status = $4, reason = $5, since = $6, version = version + 1, updated_at = now()
          WHERE order_id = $1 AND run_id = $2 AND (since IS NULL OR step = 'START' OR since <= $6) RETURNING status`,
        values: [orderId, runId, step, status, reason ?? null, since],
      });
      if (changed.rows.length > 0) return changed.rows[0].status;
      await pool.query(
        `INSERT INTO order_order (order_id, namespace_id, run_id, step, status, since, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, 1, now(), now()) ON CONFLICT (order_id, namespace_id) DO NOTHING`,
        [orderId, TEMPORAL_NAMESPACE, runId, step, status, since],
      );
      return status;
    },
  };
}

function emailActivities() {
  const store = (orderId, kind, subject, body) =>
    pool.query(
      `INSERT INTO email_notification
         (order_id, kind, recipient, subject, body, state, version, created_at, updated_at)
       VALUES ($1, $2, 'customer@localhost', $3, $4, 'STORED', 1, now(), now()) ON CONFLICT (order_id, kind) DO NOTHING`,
      [orderId, kind, subject, body],
    );
  return {
    async sendOrderPlacedNotification(orderId) {
      const body = `Thank you. Your order ${orderId} has been placed and waits for your payment.`;
      await store(orderId, 'ORDER_PLACED', `Your order ${orderId}`, body);
    },
    async sendPaymentCompletedNotification(orderId) {
      const body = `Your payment for order ${orderId} has arrived. The parcel is being made ready.`;
      await store(orderId, 'PAYMENT_COMPLETED', `Payment for order ${orderId}`, body);
    },
    async sendOrderCancelledNotification(orderId) {
      const body = `Order ${orderId} could not be delivered and is cancelled. Your payment has been paid back.`;
      await store(orderId, 'ORDER_CANCELLED', `Order ${orderId} is cancelled`, body);
    },
  };
}

function paymentActivities() {
  return {
    async checkPayment(orderId) {
      const question = `SELECT 1 FROM payment_payment WHERE order_id = $1 AND state = 'ACCEPTED'`;
      return (await pool.query(question, [orderId])).rowCount > 0;
    },
    async refundPayment(orderId) {
      await pool.query(
        `INSERT INTO payment_refund (order_id, version, created_at, updated_at)
         VALUES ($1, 1, now(), now()) ON CONFLICT (order_id) DO NOTHING`,
        [orderId],
      );
    },
  };
}

function shippingActivities() {
  return {
    async checkShipping(orderId) {
      await pool.query(
        `INSERT INTO consignment_shipment (order_id, version, created_at, updated_at)
         VALUES ($1, 1, now(), now()) ON CONFLICT (order_id) DO NOTHING`,
        [orderId],
      );
      const question = 'SELECT delivered FROM consignment_shipment WHERE order_id = $1';
      return (await pool.query(question, [orderId])).rows[0]?.delivered ?? true;
    },
  };
}
