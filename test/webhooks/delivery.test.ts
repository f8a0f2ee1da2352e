import { randomBytes } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { startLocalTemporal } from '../support/local-temporal';
import { contentPlugins, startTestHost, type TestHost, type TestHostOptions } from '../support/platform';
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

  test('of a type whose plugin is not in use wait for it, and others go on', async () => {
    const port = await freePort();
    temporal = await startLocalTemporal({ server: { port } });
    const one = await start(port);
    const { data: webhook } = (
      await sendJson(one.address, 'POST', '/api/platform/webhooks', {
        ...{ name: 'Wanted ones', url: receiver.url, types: ['catalog', 'event'] },
        filter: [{ field: 'name', operator: 'EQUALS', value: 'Wanted' }],
      })
    ).json;
    const act = (host: TestHost, action: string) =>
      sendJson(host.address, 'POST', `/api/platform/webhooks/${webhook.id}/${action}`, {});
    const create = async (type: string, code: string, name = 'Wanted'): Promise<void> => {
      const { status } = await sendJson(one.address, 'POST', `/api/cms/items/${type}`, { code, name });
      expect(status).toBe(201);
    };
    await create('catalog', 'first');
    await receiver.untilReceived(1);
    await act(one, 'pause');
    await create('event', 'unwanted', 'Other');
    await create('event', 'missed');
    await create('catalog', 'second');
    await hosts.shift()?.stop();

    const without = await start(port, { plugins: contentPlugins, disabled: ['events'] });
    await act(without, 'resume');
    await receiver.untilReceived(2);
    await eventually(async () => {
      const { position } = (await send(without.address, `/api/platform/webhooks/${webhook.id}`)).json.data;
      return position !== webhook.position;
    });
    await hosts.shift()?.stop();
    const again = await start(port);
    const codes = (await receiver.untilReceived(3)).map(({ event }) => event.data.values.code);
    expect(codes).toEqual(['first', 'second', 'missed']);
    await eventually(
      async () => (await send(again.address, `/api/platform/webhooks/${webhook.id}`)).json.data.waiting === 0,
    );
    expect(receiver.received).toHaveLength(3);
  });

  test('are shown as not in use while their plugins are disabled, and can be changed or forgotten', async () => {
    const plugins = [...contentPlugins, 'test/webhooks/fixtures/follower'];
    const one = await start(await freePort(), { plugins });
    const types = ['catalog', 'article'];
    const body = { name: 'All', url: receiver.url, types };
    const { data: webhook } = (await sendJson(one.address, 'POST', '/api/platform/webhooks', body)).json;
    expect(webhook.typesNotInUse).toEqual([]);
    expect((await send(one.address, subscriptions)).json.data).toMatchObject([{ types: ['catalog'] }]);
    await hosts.shift()?.stop();
    await run('UPDATE gantry_subscription SET failing_since = now(), last_error = $1', 'Status 500.');

    const { address } = await start(await freePort(), { plugins, disabled: ['follower', 'articles'] });
    const path = `/api/platform/webhooks/${webhook.id}`;
    expect((await send(address, path)).json.data.typesNotInUse).toEqual(['article']);
    expect((await sendJson(address, 'PATCH', path, { types, name: 'Changed' })).json.data.name).toBe('Changed');
    expect((await sendJson(address, 'PATCH', path, { types: ['event', 'nothing'] })).status).toBe(400);
    const id = 'follower/catalogs';
    expect((await send(address, subscriptions)).json.data).toMatchObject([{ id, types: null, state: 'active' }]);
    // It is no fault that it does not deliver.
    await eventually(async () => (await subscriptionsInTrouble(address)).join() === webhook.id);
    expect((await sendJson(address, 'DELETE', `${subscriptions}/${id}`, {})).status).toBe(204);
    expect((await send(address, subscriptions)).json.data).toEqual([]);
  });

  const subscriptions = '/api/platform/subscriptions';

  async function subscriptionsInTrouble(address: string): Promise<readonly string[]> {
    const { parts } = (await send(address, '/readyz')).json.data;
    return parts.flatMap((part: { subscription?: string }) => part.subscription ?? []);
  }

  async function run(statement: string, value: string): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(statement, [value]);
    await client.end();
  }

  const key = randomBytes(32).toString('base64');

  async function start(port: number, options: Pick<TestHostOptions, 'plugins' | 'disabled'> = {}): Promise<TestHost> {
    const environment = {
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
      // Hosts of one platform have the same key.
      GANTRY_SECRET_KEY: key,
    };
    const host = await startTestHost({ ...options, databaseUrl: database.url, environment });
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
