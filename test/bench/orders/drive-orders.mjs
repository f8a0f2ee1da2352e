import { randomBytes } from 'node:crypto';

/**
 * Takes orders from their placing to their delivery, through Temporal alone, so that both sides are asked for the same.
 * @param {import('@temporalio/client').Client} client of the side's namespace
 * @returns {Promise<readonly number[]>} milliseconds of every order
 */
export async function driveOrders(client, { orders, atOnce }) {
  const times = [];
  let left = orders;
  const driver = async () => {
    while (left > 0) {
      left -= 1;
      times.push(await driveOrder(client, `bench-${randomBytes(8).toString('hex')}`));
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
  const { outcome } = await client.workflow.getHandle(workflowId).result();
  if (outcome !== 'DELIVERED') throw new Error(`The order ended as ${outcome}.`);
  return performance.now() - startedAt;
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
