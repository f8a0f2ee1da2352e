/**
 * The routes of the order services as a careful team would write them by hand: node:http, the same checks as the platform's routes,
 * the same rows, the same answers.
 */
import { createServer } from 'node:http';

const headers = { 'content-type': 'application/json' };

/** @returns {Promise<number>} the port */
export async function serveRoutes(client, pool) {
  const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace: client.options.namespace });
  const context = { client, pool, namespaceId: namespaceInfo.id };
  const server = createServer((request, response) => {
    answer(context, request).then(
      (data) => response.writeHead(202, headers).end(JSON.stringify({ data })),
      (error) => response.writeHead(500, headers).end(JSON.stringify({ error: { message: error.message } })),
    );
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server.address().port;
}

async function answer(context, request) {
  const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
  if (pathname === '/place-order') return place(context, checked(JSON.parse(await read(request)).orderId));
  if (pathname === '/payment') return pay(context, checked(searchParams.get('orderId')));
  const [, , orderId, step] = pathname.split('/');
  const signal = { dispatched: 'shipmentDispatched', confirmed: 'customerConfirmed' }[step];
  const workflowId = `consignment-${checked(orderId)}`;
  await signalTo(context, workflowId, 'startConsignment', signal);
  return { orderId, workflowId, signal };
}

async function place({ client, pool, namespaceId }, orderId) {
  const key = [orderId, namespaceId];
  const known = await pool.query({
    name: 'find',
    text: 'SELECT run_id FROM order_order WHERE order_id = $1 AND namespace_id = $2',
    values: key,
  });
  if (known.rows.length > 0) throw new Error('The order was placed before');
  const handle = await client.workflow.start('placeOrder', {
    workflowId: `order-${orderId}`,
    taskQueue: 'order-tq',
    args: [{ orderId }],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
  });
  await pool.query({
    name: 'remember',
    text: `INSERT INTO order_order (order_id, namespace_id, run_id, step, status, since, version, created_at, updated_at)
      VALUES ($1, $2, $3, 'START', 'OPEN', $4, 1, now(), now()) ON CONFLICT (order_id, namespace_id) DO NOTHING`,
    values: [...key, handle.firstExecutionRunId, new Date().toISOString()],
  });
  return { orderId, workflowId: handle.workflowId, runId: handle.firstExecutionRunId };
}

async function pay({ client, pool }, orderId) {
  const store = (state) =>
    pool.query({
      name: state,
      text: `INSERT INTO payment_payment AS payment (order_id, state, version, created_at, updated_at)
        VALUES ($1, '${state}', 1, now(), now()) ON CONFLICT (order_id) DO UPDATE
        SET state = EXCLUDED.state, version = payment.version + 1, updated_at = now() WHERE payment.state <> EXCLUDED.state`,
      values: [orderId],
    });
  await store('RECEIVED');
  const workflowId = `order-${orderId}`;
  await signalTo({ client }, workflowId, 'placeOrder', 'paymentReceived');
  await store('ACCEPTED');
  return { orderId, workflowId };
}

/** A workflow of others may have the id. */
async function signalTo({ client }, workflowId, type, signal) {
  const handle = client.workflow.getHandle(workflowId);
  const description = await handle.describe();
  if (description.type !== type) throw new Error(`${workflowId} is a ${description.type}`);
  await handle.signal(signal);
}

function checked(orderId) {
  if (/^[\w.-]{1,100}$/.test(orderId ?? '')) return orderId;
  throw new Error('The orderId is not valid');
}

async function read(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}
