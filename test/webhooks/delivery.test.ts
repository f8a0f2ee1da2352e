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
  let port: number;
  /** Hosts that run. */
  const hosts: TestHost[] = [];
  let temporal: TestWorkflowEnvironment | undefined;

  beforeAll(async () => {
    port = await freePort();
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    const [host] = hosts;
    for (const { id } of await webhooksOf(host)) await sendJson(host?.address ?? '', 'DELETE', `${webhooks}/${id}`, {});
    await receiver.close();
  });
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await temporal?.teardown();
    await database.drop();
  });

  // The first two without Temporal, which runs from then on. A host that runs is used by the next test.
  test('are shown as not in use while their plugins are disabled, and can be changed or forgotten', async () => {
    const plugins = [...contentPlugins, 'test/webhooks/fixtures/follower'];
    const one = await start({ plugins });
    const types = ['catalog', 'article'];
    const body = { name: 'All', url: receiver.url, types };
    const { data: webhook } = (await sendJson(one.address, 'POST', webhooks, body)).json;
    expect(webhook.typesNotInUse).toEqual([]);
    expect((await send(one.address, subscriptions)).json.data).toMatchObject([{ types: ['catalog'] }]);
    await hosts.shift()?.stop();
    await run('UPDATE gantry_subscription SET failing_since = now(), last_error = $1', 'Status 500.');

    const { address } = await start({ plugins, disabled: ['follower', 'articles'] });
    const path = `${webhooks}/${webhook.id}`;
    expect((await send(address, path)).json.data.typesNotInUse).toEqual(['article']);
    await run(
      'UPDATE gantry_webhook SET filter = $1',
      JSON.stringify([{ field: 'gone', operator: 'EQUALS', value: '' }]),
    );
    expect((await send(address, path)).json.data.fieldsNotInUse).toEqual(['gone']);
    await run('UPDATE gantry_webhook SET filter = $1', '[]');
    expect((await sendJson(address, 'PATCH', path, { types, name: 'Changed' })).json.data.name).toBe('Changed');
    expect((await sendJson(address, 'PATCH', path, { types: ['event', 'nothing'] })).status).toBe(400);
    const id = 'follower/catalogs';
    expect((await send(address, subscriptions)).json.data).toMatchObject([{ id, types: null, state: 'active' }]);
    // It is no fault that it does not deliver.
    await eventually(async () => (await subscriptionsInTrouble(address)).join() === webhook.id);
    expect((await sendJson(address, 'DELETE', `${subscriptions}/${id}`, {})).status).toBe(204);
    expect((await send(address, subscriptions)).json.data).toEqual([]);
  });

  test('wait while Temporal is not available, and are delivered afterwards', async () => {
    const host = hosts[0] ?? (await start());
    await createWebhook(host);
    for (let index = 0; index < 5; index += 1) await createCatalog(host, `W${index}`);
    expect(receiver.received).toEqual([]);
    expect(await metricsOf(host)).toEqual({ failing: 0, backlog: 5, waiting: 0, undelivered: 0 });

    await startTemporal();
    const requests = await receiver.untilReceived(5);
    expect(requests.map(({ event }) => event.data.values.code)).toEqual(['W0', 'W1', 'W2', 'W3', 'W4']);
  });

  test('come once to each webhook of two hosts on one database, and go on when one of them stops', async () => {
    await startTemporal();
    const one = hosts[0] ?? (await start());
    const other = await start();
    await createWebhook(one);
    for (let index = 0; index < 20; index += 1) await createCatalog(index % 2 === 0 ? one : other, `T${index}`);
    const subjects = (await receiver.untilReceived(20)).map(({ event }) => event.subject);
    expect(new Set(subjects).size).toBe(20);

    await hosts.shift()?.stop();
    for (let index = 20; index < 25; index += 1) await createCatalog(other, `T${index}`);
    const all = (await receiver.untilReceived(25)).map(({ event }) => event.subject);
    expect([all.length, new Set(all).size]).toEqual([25, 25]);
  });

  test('of a type whose plugin is not in use wait for it, and others go on', async () => {
    await startTemporal();
    const one = hosts[0] ?? (await start());
    const { data: webhook } = (
      await sendJson(one.address, 'POST', webhooks, {
        ...{ name: 'Wanted ones', url: receiver.url, types: ['catalog', 'event'] },
        filter: [{ field: 'name', operator: 'EQUALS', value: 'Wanted' }],
      })
    ).json;
    const act = (host: TestHost, action: string) =>
      sendJson(host.address, 'POST', `${webhooks}/${webhook.id}/${action}`, {});
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

    const without = await start({ disabled: ['events'] });
    await act(without, 'resume');
    await receiver.untilReceived(2);
    await eventually(async () => {
      const { position } = (await send(without.address, `${webhooks}/${webhook.id}`)).json.data;
      return position !== webhook.position;
    });
    await hosts.shift()?.stop();
    const again = await start();
    const codes = (await receiver.untilReceived(3)).map(({ event }) => event.data.values.code);
    expect(codes).toEqual(['first', 'second', 'missed']);
    await eventually(async () => (await send(again.address, `${webhooks}/${webhook.id}`)).json.data.waiting === 0);
    expect(receiver.received).toHaveLength(3);
  });

  const subscriptions = '/api/platform/subscriptions';
  const webhooks = '/api/platform/webhooks';

  async function metricsOf({ address }: TestHost): Promise<Readonly<Record<string, number>>> {
    const { text } = await send(address, '/metrics');
    const lines = text.matchAll(
      /^gantry_subscription_(failing|changes)\{kind="webhook",id="[^"]+"(?:,state="(\w+)")?\} (\d+)$/gm,
    );
    return Object.fromEntries([...lines].map(([, name = '', state = name, value]) => [state, Number(value)]));
  }

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

  async function startTemporal(): Promise<void> {
    temporal ??= await startLocalTemporal({ server: { port } });
  }

  async function webhooksOf(host: TestHost | undefined): Promise<readonly { readonly id: string }[]> {
    return host === undefined ? [] : (await send(host.address, webhooks)).json.data;
  }

  async function start(options: Pick<TestHostOptions, 'plugins' | 'disabled'> = {}): Promise<TestHost> {
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
    const { status } = await sendJson(address, 'POST', webhooks, { name: 'All', url: receiver.url });
    expect(status).toBe(201);
    expect((await send(address, webhooks)).json.data).toHaveLength(1);
  }

  async function createCatalog({ address }: TestHost, code: string): Promise<void> {
    const { status } = await sendJson(address, 'POST', '/api/cms/items/catalog', { code });
    expect(status).toBe(201);
  }
});
