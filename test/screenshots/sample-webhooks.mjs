import { once } from 'node:events';
import { createServer } from 'node:http';

/** A receiver that takes what comes to /taken, and refuses the rest. */
export async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/taken') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('queued');
    else response.writeHead(503, { 'Content-Type': 'text/plain' }).end('The newsletter is being updated.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A webhook that works, one that is paused and one that fails. Resolves with the ids of those that pictures open. */
export async function createSampleWebhooks(address, receiver) {
  const create = async (webhook) => (await send(address, 'POST', '/api/platform/webhooks', webhook)).id;
  const search = await create({
    name: 'Search index',
    url: `${receiver}/taken`,
    types: ['product'],
    filter: [{ field: 'approvalStatus', operator: 'EQUALS', value: 'APPROVED' }],
    headers: { Authorization: 'Bearer 5f2c' },
  });
  const newsletter = await create({ name: 'Newsletter', url: `${receiver}/refused`, types: ['article'] });
  const warehouse = await create({ name: 'Warehouse', url: 'https://warehouse.example.com/hooks', types: ['product'] });
  await send(address, 'POST', `/api/platform/webhooks/${warehouse}/pause`, {});
  return { search, newsletter };
}

/** Resolves when the webhooks have delivered and failed to deliver, and the state of the platform says so. */
export async function untilDelivered(address, { search, newsletter }) {
  await until(async () => (await read(address, search)).lastAttempt !== null);
  await until(async () => (await read(address, newsletter)).failingSince !== null);
  await until(async () => (await send(address, 'GET', '/readyz')).status === 'degraded');
}

const read = (address, id) => send(address, 'GET', `/api/platform/webhooks/${id}`);

async function until(condition) {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The webhooks do not deliver.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function send(address, method, path, body) {
  const init =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${address}${path}`, { method, ...init });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()).data;
}
