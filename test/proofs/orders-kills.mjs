/**
 * Orders on a real platform whose host, Temporal and PostgreSQL are killed with kill -9 while the orders continue: every order that was
 * paid ends delivered or refunded (the ones that need a decision by one of the two operations), none is refunded twice or both,
 * and the row of every order is there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { root } from '../../scripts/lib/run.mjs';
import { makeShortenedServices } from '../support/shortened-services.mjs';

export const sizes = { ci: { orders: 12, kills: 3 }, full: { orders: 200, kills: 30 } };

const limits = {
  timeLimits: {
    emailStartToClose: 5_000,
    paymentStartToClose: 5_000,
    shippingStartToClose: 5_000,
    // How an order ends must not depend on how long the platform could not be reached.
    paymentWait: 600_000,
    deliverySleep: 2_000,
    confirmationWait: 2_000,
  },
  paymentWaits: { '-unpaid': 5_000 },
};

/** What is done about an order, and the status that it has to end with. */
const outcomes = {
  delivered: 'DELIVERED',
  undelivered: 'REFUNDED',
  cancelled: 'REFUNDED',
  refunded: 'REFUNDED',
  redelivered: 'DELIVERED',
  unpaid: 'NOT_PAID',
};

/** @param {{ seed: number, size: { orders: number, kills: number }, log: (line: string) => void }} options */
export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-orders-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
  chmodSync(folder, 0o755);
  const plugins = await makeShortenedServices(folder, limits);
  const platform = await startPlatform(join(folder, 'home'), plugins);
  try {
    const names = Object.keys(outcomes);
    const orders = Array.from({ length: size.orders }, (_, index) => `kill-${index}-${names[index % names.length]}`);
    let isDone = false;
    const driving = Promise.all(orders.map((orderId) => drive(platform.address, orderId))).finally(() => {
      isDone = true;
    });
    const killing = killServers({
      home: join(folder, 'home'),
      address: platform.address,
      ...size,
      random: createRandom(seed),
      log,
      isOver: () => isDone,
    });
    const [, kills] = await Promise.all([driving, killing]);
    return `${await checkRows(platform.databaseUrl, orders)} after ${kills} kills`;
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Does all that has to be done about an order, and asks again while the platform cannot be reached. */
async function drive(address, orderId) {
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
    await order.ask('PUT', `/consignments/${order.orderId}/delivery`, [200], { delivered: false });
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
  const deadline = performance.now() + settlesWithinMs;
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
const settlesWithinMs = 1_800_000;

async function ask(address, method, path, done, body) {
  const deadline = performance.now() + settlesWithinMs;
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

/**
 * One after the other, each at a random moment: mostly after the platform has recovered from the one before, as it would on any
 * machine, and sometimes before that.
 */
async function killServers({ home, address, kills, random, log, isOver }) {
  const servers = ['host', 'temporal', 'postgres'];
  let count = 0;
  while (count < kills && !isOver()) {
    await delay(1_000 + random() * 3_000);
    const server = servers[count % servers.length];
    const pid = pidOf(home, server);
    if (pid === undefined) continue;
    process.kill(pid, 'SIGKILL');
    count += 1;
    log(`killed ${server}`);
    const deadline = performance.now() + 120_000;
    while ([undefined, pid].includes(pidOf(home, server))) {
      if (performance.now() > deadline) throw new Error(`${server} did not come back`);
      await delay(100);
    }
    if (random() < recoveryShare) await untilReady(address);
  }
  return count;
}

const recoveryShare = 0.75;

async function untilReady(address) {
  const deadline = performance.now() + 300_000;
  for (;;) {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    const body = await answer?.json().catch(() => undefined);
    if (body?.data?.status === 'ready') return;
    if (performance.now() > deadline) throw new Error('The platform did not become ready after a kill.');
    await delay(200);
  }
}

function pidOf(home, server) {
  try {
    if (server === 'postgres') {
      return Number(readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
    }
    if (server === 'temporal') return readJson(join(home, 'temporal/runtime.json')).process?.pid;
    return readJson(join(home, 'run.json')).host?.pid;
  } catch {
    return undefined;
  }
}

async function checkRows(databaseUrl, orders) {
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

async function startPlatform(home, plugins) {
  const child = spawn(process.execPath, [join(root, 'cli/bin/gantry.js'), 'up', '--home', home], {
    cwd: root,
    env: { ...process.env, GANTRY_PORT: '0', GANTRY_PLUGIN_PATH: plugins, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  }
  const ended = once(child, 'close');
  const deadline = performance.now() + 180_000;
  while (!/^ +Stop /m.test(output)) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`gantry up did not become ready: ${output}`);
    }
    await delay(100);
  }
  const { address, databaseUrl } = readJson(join(home, 'run.json'));
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGINT');
    await ended;
  };
  return { address, databaseUrl, stop };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
