import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Client } from 'pg';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { eventually } from '../../../../test/support/eventually';
import { startLocalTemporal } from '../../../../test/support/local-temporal';
import { startTestHost, type TestHost } from '../../../../test/support/platform';
import { send, sendJson } from '../../../../test/support/rest-client';
import { startReceiver, type WebhookReceiver } from '../../../../test/webhooks/support/webhook-receiver';

const never = new AbortController().signal;
const key = randomBytes(32).toString('base64');
const follower = '/api/platform/subscriptions/follower/catalogs';

describe('the subscriptions of a platform that was restored from a backup', () => {
  let folder: string;
  let receiver: WebhookReceiver;
  let temporal: TestWorkflowEnvironment;
  const databases: TestDatabase[] = [];
  const hosts: TestHost[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-test-subscriptions-'));
    [receiver, temporal] = await Promise.all([startReceiver(), startLocalTemporal()]);
  });
  afterEach(async () => {
    await stopHosts();
    await Promise.all([receiver.close(), temporal.teardown()]);
    await Promise.all(databases.splice(0).map((database) => database.drop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('continue in the new epoch: with what waited, what was not read, and what changes afterwards', async () => {
    const source = await createDatabase();
    const { address } = await open(source.url);
    const { data: webhook } = (
      await sendJson(address, 'POST', '/api/platform/webhooks', { name: 'Receiver', url: receiver.url })
    ).json;
    await createCatalog(address, 'taken');
    await receiver.untilReceived(1);
    await eventually(async () => (await send(address, follower)).json.data.lastDeliveredAt !== null);
    receiver.answer((response) => void response.writeHead(503).end());
    await createCatalog(address, 'waiting');
    await eventually(async () => (await read(address, webhook.id)).waiting === 1);
    for (const path of [`/api/platform/webhooks/${webhook.id}`, follower]) {
      await sendJson(address, 'POST', `${path}/pause`, {});
    }
    await createCatalog(address, 'unread');
    await stopHosts();

    const target = await restoreFromServerAhead(source);
    receiver.answer((response) => void response.writeHead(204).end());
    const before = receiver.received.length;
    const restored = (await open(target.url)).address;
    for (const path of [`/api/platform/webhooks/${webhook.id}`, follower]) {
      await sendJson(restored, 'POST', `${path}/resume`, {});
    }
    await createCatalog(restored, 'afterwards');

    const requests = (await receiver.untilReceived(before + 3)).slice(before);
    expect(requests.map(({ event }) => event.data.values.code).toSorted()).toEqual(['afterwards', 'unread', 'waiting']);
    const inNewEpoch = requests.filter(({ event }) => epochOf(event.data.position) > 1);
    expect(inNewEpoch.map(({ event }) => event.data.values.code)).toEqual(['afterwards']);
    await eventually(async () => {
      const webhookNow = await read(restored, webhook.id);
      const pluginNow = (await send(restored, follower)).json.data;
      return [webhookNow, pluginNow].every(
        ({ position, backlog, waiting }) => epochOf(position) > 1 && backlog === 0 && waiting === 0,
      );
    });
    expect(receiver.received.length).toBe(before + 3);
  }, 180_000);

  /** Positions of the backup are of a server whose transaction ids are higher. */
  async function restoreFromServerAhead(source: TestDatabase): Promise<TestDatabase> {
    for (const table of ['gantry_change', 'gantry_subscription', 'gantry_waiting_change', 'gantry_delivery']) {
      await run(source.url, `UPDATE ${table} SET transaction_id = transaction_id + 1000000000`);
    }
    const manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
    const target = await createDatabase();
    await loadDatabase({ url: target.url, folder, manifest, signal: never });
    return target;
  }

  async function createDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    databases.push(database);
    return database;
  }

  async function open(databaseUrl: string): Promise<TestHost> {
    const host = await startTestHost({
      plugins: ['plugins/catalog', 'test/webhooks/fixtures/follower'],
      databaseUrl,
      environment: {
        TEMPORAL_ADDRESS: temporal.address,
        GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow',
        // Restored together with the home.
        GANTRY_SECRET_KEY: key,
      },
    });
    hosts.push(host);
    return host;
  }

  async function stopHosts(): Promise<void> {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
  }
});

function epochOf(position: string): number {
  return Number(position.split('.', 1)[0]);
}

async function createCatalog(address: string, code: string): Promise<void> {
  const { status, text } = await sendJson(address, 'POST', '/api/cms/items/catalog', { code });
  if (status !== 201) throw new Error(text);
}

async function read(address: string, id: string) {
  return (await send(address, `/api/platform/webhooks/${id}`)).json.data;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
