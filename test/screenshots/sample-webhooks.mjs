import { once } from 'node:events';
import { createServer } from 'node:http';
import { until } from './sample-requests.mjs';

/** A receiver that refuses what comes to /hooks/articles, and takes the rest. */
export async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/hooks/articles') response.writeHead(200, { 'Content-Type': 'text/plain' }).end('queued');
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

const path = '/api/platform/webhooks';

/** A webhook that works and one that is paused. */
export async function createSampleWebhooks({ receiver, clock, senders: { ann } }) {
  clock.at('2026-02-17T10:20:00Z');
  const search = await ann.send('POST', path, {
    name: 'Search index',
    url: `${receiver}/ingest`,
    types: ['product'],
    filter: [{ field: 'approvalStatus', operator: 'EQUALS', value: 'APPROVED' }],
    headers: { Authorization: 'Bearer 5f2c' },
  });
  const warehouse = await ann.send('POST', path, {
    name: 'Warehouse',
    url: 'https://warehouse.example.com/hooks',
    types: ['product'],
  });
  await ann.send('POST', `${path}/${warehouse.id}/pause`, {});
  return { search: search.id };
}

/** A webhook that fails as soon as an article is changed. Resolves with its id. */
export async function createFailingWebhook({ receiver, senders: { ann } }) {
  const url = `${receiver}/hooks/articles`;
  return (await ann.send('POST', path, { name: 'Newsletter', url, types: ['article'] })).id;
}

/** Resolves when a webhook has delivered all changes. */
export const untilDelivered = (ann, id) =>
  until(async () => {
    const { backlog, waiting, lastAttempt } = await ann.send('GET', `${path}/${id}`);
    return backlog === 0 && waiting === 0 && lastAttempt !== null;
  });

/** Resolves when a webhook has failed to deliver, and the state of the platform says so. */
export async function untilFailing(ann, id) {
  await until(async () => (await ann.send('GET', `${path}/${id}`)).failingSince !== null);
  await until(async () => (await ann.send('GET', '/readyz')).status === 'degraded');
}
