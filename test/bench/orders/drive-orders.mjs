import { randomBytes } from 'node:crypto';

/**
 * Takes orders from their placing to their delivery, so that both sides are asked for the same.
 * @param {import('@temporalio/client').Client} client of the side's namespace
 * @param {{ orders: number, atOnce: number, address?: string }} options with an address, orders are placed, paid, dispatched and
 * confirmed by its routes, else through Temporal alone
 * @returns {Promise<readonly number[]>} milliseconds of every order
 */
export async function driveOrders(client, { orders, atOnce, address }) {
  const drive = address === undefined ? driveOrder : driveOrderByRoutes(address);
  const times = [];
  let left = orders;
  const driver = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await drive(client, `bench-${randomBytes(8).toString('hex')}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, driver));
  return times;
}

async function driveOrder(client, orderId) {
  const startedAt = performance.now();
  const workflowId = `order-${orderId}`;
  await client.workflow.signalWithStart('placeOrder', {
    workflowId,
    taskQueue: 'order-tq',
    args: [{ orderId }],
    signal: 'paymentReceived',
  });
  await untilEvent(client, workflowId, (event) => event.childWorkflowExecutionStartedEventAttributes);
  const consignment = client.workflow.getHandle(`consignment-${orderId}`);
  await consignment.signal('shipmentDispatched');
  await consignment.signal('customerConfirmed');
  await untilDelivered(client, workflowId);
  return performance.now() - startedAt;
}

function driveOrderByRoutes(address) {
  const post = async (path, body) => {
    const response = await fetch(address + path, {
      method: 'POST',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  };
  return async (client, orderId) => {
    const startedAt = performance.now();
    const workflowId = `order-${orderId}`;
    await post('/place-order', { orderId });
    await post(`/payment?orderId=${orderId}`);
    await untilEvent(client, workflowId, (event) => event.childWorkflowExecutionStartedEventAttributes);
    await post(`/consignments/${orderId}/dispatched`);
    await post(`/consignments/${orderId}/confirmed`);
    await untilDelivered(client, workflowId);
    return performance.now() - startedAt;
  };
}

async function untilDelivered(client, workflowId) {
  const { outcome } = await client.workflow.getHandle(workflowId).result();
  if (outcome !== 'DELIVERED') throw new Error(`The order ended as ${outcome}.`);
}

/** The server answers when there is something new, so that nothing is polled. */
async function untilEvent(client, workflowId, isWanted) {
  let nextPageToken;
  do {
    const answer = await client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId },
      waitNewEvent: true,
      nextPageToken,
    });
    if (answer.history?.events?.some(isWanted)) return;
    ({ nextPageToken } = answer);
  } while (nextPageToken?.length > 0);
  throw new Error(`${workflowId} ended before its consignment began.`);
}
