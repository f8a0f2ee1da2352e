import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Actions on an order, and the status with which it has to end. */
export const outcomes = {
  delivered: 'DELIVERED',
  undelivered: 'REFUNDED',
  cancelled: 'REFUNDED',
  refunded: 'REFUNDED',
  redelivered: 'DELIVERED',
  unpaid: 'NOT_PAID',
};

/**
 * Does all that has to be done about an order, and asks again while the platform cannot be reached, or the routes of a service are not
 * there.
 * @param orderId `<word>-<number>-<outcome>`
 */
export async function driveOrder(address, orderId) {
  const outcome = orderId.split('-')[2];
  const send = (...words) => ask(address, ...words);
  await send('POST', '/place-order', [202], { orderId });
  if (outcome !== 'unpaid') {
    await send('POST', `/payment?orderId=${orderId}`, [202]);
    await steps[outcome]({ orderId, ask: send });
  }
  await untilStatus(orderId, outcomes[outcome], send);
}

const steps = {
  delivered: (order) => dispatch(order),
  async undelivered(order) {
    const path = `/consignments/${order.orderId}/delivery`;
    while ((await order.ask('PUT', path, [200, 404], { delivered: false })).status === 404) await delay(500);
    await dispatch(order);
  },
  // At once: the notification of the payment may be under way.
  cancelled: ({ orderId, ask: send }) =>
    send('POST', `/workflows/order-${orderId}/cancel`, [202, 409], { reason: 'proof' }),
  async refunded(order) {
    await loseConsignment(order);
    await decide(order, 'refund');
  },
  async redelivered(order) {
    await loseConsignment(order);
    await decide(order, 'redelivery');
    await dispatch(order);
  },
};

/** 404 before the consignment begins; 409 while an earlier one is the newest, or when a request that was cut off arrived. */
async function dispatch({ orderId, ask: send }) {
  for (;;) {
    const { status } = await send('POST', `/consignments/${orderId}/dispatched`, [202, 404, 409]);
    if (status === 202 || ['DELIVERED', 'REFUNDED'].includes(await statusOf(orderId, send))) return;
    await delay(500);
  }
}

/** 409 when a request that was cut off arrived; also for some seconds while the workflow of the order has not closed. */
async function decide({ orderId, ask: send }, operation) {
  for (;;) {
    await send('POST', `/orders/${orderId}/${operation}`, [202, 409]);
    if ((await statusOf(orderId, send)) !== 'NEEDS_DECISION') return;
    await delay(500);
  }
}

/** Terminates the consignment as soon as it has begun; the order then needs a decision. */
async function loseConsignment({ orderId, ask: send }) {
  const path = `/workflows/consignment-${orderId}/terminate`;
  while ((await send('POST', path, [202, 404, 409], { reason: 'proof' })).status === 404) await delay(500);
  await untilStatus(orderId, 'NEEDS_DECISION', send);
}

async function untilStatus(orderId, expected, send) {
  const deadline = performance.now() + settleTimeoutMs;
  for (;;) {
    const found = await statusOf(orderId, send);
    if (found === expected) return;
    if (performance.now() > deadline) throw new Error(`${orderId} is ${found}, not ${expected}`);
    await delay(1_000);
  }
}

async function statusOf(orderId, send) {
  const criteria = [{ field: 'orderId', operator: 'EQUALS', value: orderId }];
  const { body } = await send('POST', '/api/cms/items/order/list', [200], criteria);
  return body.data[0]?.values.status;
}

/** Long enough for all kills, and for a machine on which a start of the platform takes a minute. */
const settleTimeoutMs = 1_800_000;

async function ask(address, method, path, done, body) {
  const deadline = performance.now() + settleTimeoutMs;
  for (let last = 'no answer'; performance.now() < deadline; await delay(500 + Math.random() * 500)) {
    const content =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(`${address}${path}`, { method, signal, ...content }).catch((error) => error);
    if (response instanceof Error) continue;
    const answer = await response.json().catch(() => undefined);
    if (answer === undefined) continue;
    if (done.includes(response.status)) return { status: response.status, body: answer };
    last = `${response.status} ${JSON.stringify(answer)}`;
    if (response.status !== 503) throw new Error(`${method} ${path}: ${last}`);
  }
  throw new Error(`${method} ${path} was not settled`);
}

/** Each order has its row, its end, and one refund where it was refunded. */
export async function checkOrders(databaseUrl, orders) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const rows = await client.query(
      `SELECT order_id, status, (SELECT count(*)::int FROM payment_refund WHERE order_id = stored.order_id) AS refunds
       FROM order_order AS stored`,
    );
    const found = new Map(rows.rows.map((row) => [row.order_id, row]));
    for (const orderId of orders) {
      const expected = outcomes[orderId.split('-')[2]];
      const { status, refunds } = found.get(orderId) ?? {};
      if (status !== expected || refunds !== (expected === 'REFUNDED' ? 1 : 0)) {
        throw new Error(`${orderId} has the status ${status} and ${refunds} refunds, expected ${expected}`);
      }
    }
    const refunded = rows.rows.filter(({ refunds }) => refunds === 1).length;
    return `${orders.length} orders: 0 rows missing, 0 paid ones without an end, ${refunded} refunded once, 0 twice`;
  } finally {
    await client.end();
  }
}
