import { randomBytes } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { freePort } from '../support/free-port';
import { startLocalTemporal } from '../support/local-temporal';
import { startTestHost, type TestHost } from '../support/platform';
import { send, sendJson } from '../support/rest-client';
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver';

describe('changes for webhooks', () => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  const hosts: TestHost[] = [];
  let temporal: TestWorkflowEnvironment | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
    await temporal?.teardown();
    temporal = undefined;
    await receiver.close();
    await database.drop();
  });

  test('wait while Temporal is not available, and are delivered afterwards', async () => {
    const port = await freePort();
    const host = await start(port);
    await createWebhook(host);
    for (let index = 0; index < 5; index += 1) await createCatalog(host, `W${index}`);
    expect(receiver.received).toEqual([]);

    temporal = await startLocalTemporal({ server: { port } });
    const requests = await receiver.untilReceived(5, 60_000);
    expect(requests.map(({ event }) => event.data.values.code)).toEqual(['W0', 'W1', 'W2', 'W3', 'W4']);
  });

  test('come once to each webhook of two hosts on one database, and go on when one of them stops', async () => {
    const port = await freePort();
    temporal = await startLocalTemporal({ server: { port } });
    const one = await start(port);
    const other = await start(port);
    await createWebhook(one);
    for (let index = 0; index < 40; index += 1) await createCatalog(index % 2 === 0 ? one : other, `T${index}`);
    const subjects = (await receiver.untilReceived(40)).map(({ event }) => event.subject);
    expect(new Set(subjects).size).toBe(40);

    await hosts.shift()?.stop();
    for (let index = 40; index < 50; index += 1) await createCatalog(other, `T${index}`);
    const all = (await receiver.untilReceived(50)).map(({ event }) => event.subject);
    expect([all.length, new Set(all).size]).toEqual([50, 50]);
  });

  const key = randomBytes(32).toString('base64');

  async function start(port: number): Promise<TestHost> {
    const environment = {
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
      // Hosts of one platform have the same key.
      GANTRY_SECRET_KEY: key,
    };
    const host = await startTestHost({ databaseUrl: database.url, environment });
    hosts.push(host);
    return host;
  }

  async function createWebhook({ address }: TestHost): Promise<void> {
    const { status } = await sendJson(address, 'POST', '/api/platform/webhooks', { name: 'All', url: receiver.url });
    expect(status).toBe(201);
    expect((await send(address, '/api/platform/webhooks')).json.data).toHaveLength(1);
  }

  async function createCatalog({ address }: TestHost, code: string): Promise<void> {
    const { status } = await sendJson(address, 'POST', '/api/cms/items/catalog', { code });
    expect(status).toBe(201);
  }
});
