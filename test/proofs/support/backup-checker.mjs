import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { sha256 } from './backup-load.mjs';

/** Every item that was acknowledged before the backup began is there, with what it said then or later, and with its image. */
export async function checkContent({ address, databaseUrl, known, begin }) {
  const health = await ask(address, '/readyz');
  if (!health.parts.some(({ name }) => name === 'hold')) throw new Error('The restored platform is not on hold.');
  const rows = await query(databaseUrl, "SELECT code, name, image FROM events_event WHERE code LIKE 'proof-%'");
  const found = new Map(rows.map((row) => [row.code, row]));
  let items = 0;
  let images = 0;
  for (const [code, { image, names }] of known.items) {
    if (names[0].acknowledged > begin) continue;
    const row = found.get(code);
    if (row === undefined) throw new Error(`The item ${code} was acknowledged and is lost.`);
    const last = names.findLastIndex(({ acknowledged }) => acknowledged <= begin);
    if (!names.slice(last).some(({ name }) => name === row.name)) throw new Error(`${code} is ${row.name} again.`);
    items += 1;
    if (image !== null) images += 1;
  }
  // Every row, also one that was written during the backup, has its image.
  const written = rows.flatMap(({ image }) => (image === null ? [] : [image]));
  await forEachAtOnce(written, (image) => assertImage(address, image));
  return { items, images };
}

async function assertImage(address, image) {
  const response = await fetch(new URL(image, address));
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok || !image.includes(sha256(bytes))) throw new Error(`The image ${image} is not what it was.`);
}

/** Every order that was acknowledged before has its workflow, and its payment. @returns the ids of the orders */
export async function checkOrders({ address, databaseUrl, known, begin }) {
  const rows = await query(databaseUrl, 'SELECT order_id FROM payment_payment');
  const paid = new Set(rows.map((row) => row.order_id));
  const placed = [...known.orders].filter(([, order]) => order.placed <= begin);
  // On hold, each answer waits for a worker that does not run.
  await forEachAtOnce(placed, async ([orderId, order]) => {
    await ask(address, `/workflows/order-${orderId}`);
    if (order.paid <= begin && !paid.has(orderId)) throw new Error(`The payment of ${orderId} is lost.`);
  });
  return placed.map(([orderId]) => orderId);
}

const settleTimeoutMs = 300_000;

/**
 * Cancels all orders: each ends, each that was paid is refunded once, and its row says so. Of an order whose consignment has
 * timed out meanwhile, the refund is asked for, as an operator does.
 * @returns how many were refunded
 */
export async function settleOrders({ address, databaseUrl, orders }) {
  const answers = new Map();
  // A workflow that has ended cannot be cancelled; how it ended is what counts.
  await forEachAtOnce(orders, async (orderId) => {
    answers.set(orderId, await post(address, `/workflows/order-${orderId}/cancel`));
  });
  const deadline = performance.now() + settleTimeoutMs;
  for (;;) {
    const outcomes = await query(databaseUrl, outcomesQuery, [orders]);
    const wrong = outcomes.filter((outcome) => !isSettledOnce(outcome));
    if (wrong.length === 0) {
      await forEachAtOnce(orders, (orderId) => assertEnds(address, orderId, deadline));
      return outcomes.filter(({ refunds }) => refunds === 1).length;
    }
    if (performance.now() > deadline) {
      const some = wrong.slice(0, 5).map((outcome) => [outcome, answers.get(outcome.orderId)]);
      throw new Error(`${wrong.length} orders are not settled: ${JSON.stringify(some)}`);
    }
    for (const { orderId, status } of wrong) {
      if (status === 'NEEDS_DECISION') await post(address, `/orders/${orderId}/refund`);
    }
    // A row that is late is settled by the next comparison with the workflows.
    await delay(500);
  }
}

const outcomesQuery = `
  SELECT o.id AS "orderId",
    (SELECT count(*)::int FROM payment_payment p WHERE p.order_id = o.id AND p.state = 'ACCEPTED') AS payments,
    (SELECT count(*)::int FROM payment_refund r WHERE r.order_id = o.id) AS refunds,
    (SELECT count(*)::int FROM email_notification e WHERE e.order_id = o.id AND e.kind = 'ORDER_PLACED') AS notices,
    (SELECT string_agg(d.status, ', ') FROM order_order d WHERE d.order_id = o.id) AS status
  FROM unnest($1::text[]) AS o (id)`;

function isSettledOnce({ payments, refunds, notices, status }) {
  const statuses = payments === 0 ? ['NOT_PAID', 'CANCELED'] : ['REFUNDED'];
  return refunds === payments && notices <= 1 && statuses.includes(status);
}

/** The row of an order says that it has ended, so its workflow ends too. */
async function assertEnds(address, orderId, deadline) {
  for (;;) {
    const workflow = await ask(address, `/workflows/order-${orderId}`);
    if (workflow.status !== 'RUNNING') return;
    if (performance.now() > deadline) {
      throw new Error(`The order ${orderId} does not end: ${JSON.stringify(workflow)}`);
    }
    await delay(500);
  }
}

/** Runs `work` for all values, a few of them at once. */
async function forEachAtOnce(values, work) {
  const left = [...values];
  const run = async () => {
    for (let value = left.pop(); value !== undefined; value = left.pop()) await work(value);
  };
  await Promise.all(Array.from({ length: 16 }, run));
}

/** Sends a request whose effect counts. @returns status and text of the answer, for messages */
async function post(address, path) {
  const response = await repeatUnavailable(address, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'proof' }),
  });
  return `${response.status} ${await response.text()}`;
}

async function ask(address, path) {
  const response = await repeatUnavailable(address, path);
  const answer = await response.json();
  if (!response.ok) throw new Error(`GET ${path} answers ${response.status}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** A 503 means to send the request again (docs/orders.md). */
async function repeatUnavailable(address, path, init = {}) {
  const send = () => fetch(new URL(path, address), { ...init, signal: AbortSignal.timeout(60_000) });
  const deadline = performance.now() + 60_000;
  let response = await send();
  while (response.status === 503 && performance.now() < deadline) {
    await response.arrayBuffer();
    await delay(500);
    response = await send();
  }
  return response;
}

async function query(databaseUrl, sql, values = []) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
