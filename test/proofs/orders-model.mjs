/**
 * Random orders on the server that skips time, with the workflows as built: what the customer pays, the carrier reports and an
 * operator cancels, in any order, while activities fail. A model says how each order has to end; what the workflow stores, what it
 * pays back and how it closes are compared with it.
 */
import { fileURLToPath } from 'node:url';
import { taskQueues } from '@gantry/contracts';
import { ApplicationFailure } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import fc from 'fast-check';

export const sizes = { ci: { orders: 60 }, full: { orders: 2_000 } };

/** @param {{ seed: number, size: { orders: number }, log: (line: string) => void }} options */
export default async function prove({ seed, size, log }) {
  const platform = await openPlatform();
  const counts = {};
  let number = 0;
  try {
    const property = fc.asyncProperty(plans, async (plan) => {
      number += 1;
      const orderId = `model-${number}`;
      const end = await run(platform, orderId, plan);
      check(plan, end);
      counts[end.status] = (counts[end.status] ?? 0) + 1;
      if (number % 100 === 0) log(`${number} orders: ${JSON.stringify(counts)}`);
    });
    await fc.assert(property, { seed, numRuns: size.orders, endOnFailure: true });
  } finally {
    await platform.close();
  }
  return `${number} orders as the model has them: ${JSON.stringify(counts)}`;
}

/** Plan of one order. The points of a cancellation are those at which the workflow waits for something. */
const plans = fc.record({
  paid: fc.constantFrom('early', 'in time', 'never'),
  parcel: fc.constantFrom('delivered', 'undelivered', 'never dispatched', 'check fails'),
  confirmed: fc.boolean(),
  cancelled: fc.option(fc.constantFrom('payment', 'dispatch', 'sleep'), { nil: undefined }),
  /** How often each activity fails before it succeeds; the compensating ones give up after eight. */
  failures: fc.record({
    sendOrderPlacedNotification: fc.integer({ min: 0, max: 3 }),
    sendPaymentCompletedNotification: fc.integer({ min: 0, max: 3 }),
    refundPayment: fc.constantFrom(0, 1, 7, 8),
    sendOrderCancelledNotification: fc.constantFrom(0, 1, 8),
  }),
  /** The row cannot be written; the workflow has to end in the same way. */
  isRowLost: fc.boolean(),
});

/** @returns how the order has to end */
function model({ paid, parcel, cancelled, failures }) {
  const isPaid = paid === 'early' || paid === 'in time';
  if (cancelled === 'payment' && paid !== 'early') return { workflow: 'CANCELLED', status: 'CANCELED', refunds: 0 };
  if (!isPaid) return { workflow: 'COMPLETED', status: 'NOT_PAID', refunds: 0 };
  // An order that was paid early never waits for the payment.
  const isCancelled = cancelled === 'dispatch' || (cancelled === 'sleep' && parcel !== 'never dispatched');
  if (isCancelled) return compensated(failures, 'CANCELLED');
  if (parcel === 'delivered') return { workflow: 'COMPLETED', status: 'DELIVERED', refunds: 0 };
  if (parcel === 'undelivered') return compensated(failures, 'COMPLETED');
  return { workflow: 'FAILED', status: 'NEEDS_DECISION', refunds: 0 };
}

function compensated({ refundPayment, sendOrderCancelledNotification }, workflow) {
  if (refundPayment >= 8) return { workflow: 'FAILED', status: 'NEEDS_DECISION', refunds: 0 };
  if (sendOrderCancelledNotification >= 8) return { workflow: 'FAILED', status: 'REFUNDED', refunds: 1 };
  return { workflow, status: 'REFUNDED', refunds: 1 };
}

function check(plan, end) {
  const expected = model(plan);
  const found = { workflow: end.workflow, status: end.status, refunds: end.refunds };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
  }
  if (!plan.isRowLost && end.stored !== expected.status) throw new Error(`the row says ${end.stored}`);
}

/** Walks an order through its plan. */
async function run({ temporal, script, signal, untilAt }, orderId, plan) {
  const { workflow } = temporal.client;
  const order = script(orderId, plan);
  const options = { workflowId: `order-${orderId}`, taskQueue: taskQueues.order, args: [{ orderId }] };
  const handle = await (plan.paid === 'early'
    ? workflow.signalWithStart('placeOrder', { ...options, signal: 'paymentReceived', signalArgs: [] })
    : workflow.start('placeOrder', options));
  if (plan.paid !== 'early') await atPayment(handle, plan, untilAt);
  if (plan.paid === 'early' || (plan.paid === 'in time' && plan.cancelled !== 'payment')) {
    await atConsignment({ handle, orderId, plan, signal, untilAt });
  }
  await handle.result().catch(() => undefined);
  const { status } = await handle.describe();
  return { workflow: status.name, status: order.status, stored: order.stored, refunds: order.refunds };
}

async function atPayment(handle, plan, untilAt) {
  await untilAt(handle, 'ORDER_PLACED');
  if (plan.cancelled === 'payment') await cancel(handle, handle);
  else if (plan.paid === 'in time') await handle.signal('paymentReceived');
}

async function atConsignment({ handle, orderId, plan, signal, untilAt }) {
  const consignment = await untilAt(`consignment-${orderId}`, 'WAITING_FOR_DISPATCH');
  if (plan.cancelled === 'dispatch') return cancel(handle, consignment);
  if (plan.parcel === 'never dispatched') return;
  if (plan.confirmed) await signal(orderId, 'customerConfirmed');
  await signal(orderId, 'shipmentDispatched');
  if (plan.cancelled !== 'sleep') return;
  await untilAt(consignment, 'SLEEPING');
  await cancel(handle, consignment);
}

/**
 * Cancels an order, and waits until what it waits for has ended: as soon as a result is awaited, time is skipped, and would
 * overtake the cancellation. The server also never ends an activity that is asked to stop while it runs.
 */
async function cancel(order, waiting) {
  await order.cancel();
  const deadline = Date.now() + 30_000;
  while ((await waiting.describe()).status.name === 'RUNNING') {
    if (Date.now() > deadline) throw new Error(`${waiting.workflowId} runs on although it was cancelled`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The server that skips time, the workers, and scripted activities. */
async function openPlatform() {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  });
  const path = process.env.GANTRY_TEMPORAL_TEST_SERVER;
  const temporal = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  const orders = new Map();
  const workers = await startWorkers(temporal, orders);
  const { workflow } = temporal.client;
  return {
    temporal,
    script(orderId, plan) {
      const order = { plan, attempts: {}, refunds: 0, status: undefined, stored: undefined };
      orders.set(orderId, order);
      return order;
    },
    signal: (orderId, name) => workflow.getHandle(`consignment-${orderId}`).signal(name),
    untilAt: (workflowOrId, step) => untilAt(temporal.client, workflowOrId, step),
    async close() {
      for (const { worker } of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(workers.map(({ ended }) => ended));
      await temporal.teardown();
    },
  };
}

async function startWorkers(temporal, orders) {
  const bundle = (service) => ({
    codePath: fileURLToPath(new URL(`../../services/${service}/dist/workflow-bundle.js`, import.meta.url)),
  });
  const parts = {
    order: { workflowBundle: bundle('order'), activities: { recordOrder: (progress) => record(orders, progress) } },
    email: {
      activities: failing(orders, [
        'sendOrderPlacedNotification',
        'sendPaymentCompletedNotification',
        'sendOrderCancelledNotification',
      ]),
    },
    payment: { activities: failing(orders, ['refundPayment']) },
    consignment: {
      workflowBundle: bundle('consignment'),
      activities: { checkShipping: (id) => checkShipping(orders, id) },
    },
  };
  return Promise.all(
    Object.entries(parts).map(async ([service, options]) => {
      const worker = await Worker.create({
        connection: temporal.nativeConnection,
        taskQueue: taskQueues[service],
        ...options,
      });
      return { worker, ended: worker.run() };
    }),
  );
}

async function record(orders, { orderId, status }) {
  const order = orders.get(orderId);
  order.status = status;
  if (order.plan.isRowLost) throw ApplicationFailure.nonRetryable('the database is lost');
  order.stored = status;
  return status;
}

function failing(orders, names) {
  const activity = (name) => async (orderId) => {
    const order = orders.get(orderId);
    order.attempts[name] = (order.attempts[name] ?? 0) + 1;
    if (order.attempts[name] <= (order.plan.failures[name] ?? 0)) {
      // Until a result is awaited, time is not skipped: the delays of the retry policy would be real.
      throw ApplicationFailure.create({ message: `${name} fails on purpose`, nextRetryDelay: 1 });
    }
    if (name === 'refundPayment') order.refunds += 1;
  };
  return Object.fromEntries(names.map((name) => [name, activity(name)]));
}

async function checkShipping(orders, orderId) {
  const { parcel } = orders.get(orderId).plan;
  if (parcel === 'check fails') throw ApplicationFailure.nonRetryable('the carrier does not know the parcel');
  return parcel === 'delivered';
}

/** Resolves as soon as a workflow is at a step. */
async function untilAt(client, workflowOrId, step) {
  const handle = typeof workflowOrId === 'string' ? client.workflow.getHandle(workflowOrId) : workflowOrId;
  const query = handle.workflowId.startsWith('order-') ? 'orderState' : 'consignmentState';
  const deadline = Date.now() + 30_000;
  for (;;) {
    const state = await client.withDeadline(Date.now() + 5_000, () => handle.query(query)).catch(() => undefined);
    if (state?.step === step) return handle;
    if (Date.now() > deadline) throw new Error(`${handle.workflowId} is at ${state?.step}, not at ${step}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
