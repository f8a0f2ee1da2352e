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
const catalogs = '/api/cms/items/catalog';
const follower = '/api/platform/subscriptions/follower/catalogs';
const plugins = ['plugins/catalog', 'plugins/articles', 'test/webhooks/fixtures/follower'];

let folder: string;
let receiver: WebhookReceiver;
let temporal: TestWorkflowEnvironment;
const databases: TestDatabase[] = [];
const hosts: TestHost[] = [];

/** The database of the backup, of a server that is ahead of the one that it is restored to, and no host on it. */
let source: TestDatabase;
let manifest: Awaited<ReturnType<typeof dumpDatabase>>;
/** Database to which it was restored, and the host on it. */
let target: TestDatabase;
let restored: TestHost;
/** State before the backup. */
let before: Before;

interface Before {
  /** Ids of catalogs by their codes. */
  readonly ids: Readonly<Record<string, string>>;
  readonly webhook: string;
  /** How many requests the receiver got. */
  readonly requests: number;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-test-restored-'));
  [receiver, temporal] = await Promise.all([startReceiver(), startLocalTemporal()]);
  source = await createDatabase();
  const host = await open(source.url, [...plugins, 'test/samples/recipes']);
  before = await fill(host.address);
  await stopHosts();
  for (const table of ['gantry_change', 'gantry_subscription', 'gantry_waiting_change', 'gantry_delivery']) {
    await run(source.url, `UPDATE ${table} SET transaction_id = transaction_id + 1000000000`);
  }
  manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
  target = await createDatabase();
  await loadDatabase({ url: target.url, folder, manifest, signal: never });
  receiver.answer((response) => void response.writeHead(204).end());
  restored = await open(target.url, [...plugins, 'test/samples/recipes']);
});

afterAll(async () => {
  await stopHosts();
  await Promise.all([receiver?.close(), temporal?.teardown()]);
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

async function fill(address: string): Promise<Before> {
  const ids = {
    garden: await createCatalog(address, { code: 'garden', name: 'Garden tools' }),
    gone: await createCatalog(address, { code: 'gone', name: 'Garden chairs' }),
    changed: await createCatalog(address, { code: 'changed', name: 'Plain' }),
  };
  const created = await sendJson(address, 'POST', '/api/platform/webhooks', { name: 'Receiver', url: receiver.url });
  const webhook = created.json.data.id as string;
  await createCatalog(address, { code: 'taken' });
  await receiver.untilReceived(1);
  await eventually(async () => (await send(address, follower)).json.data.lastDeliveredAt !== null);
  receiver.answer((response) => void response.writeHead(503).end());
  await createCatalog(address, { code: 'waiting' });
  await eventually(async () => (await webhookAt(address, webhook)).waiting === 1);
  for (const path of [`/api/platform/webhooks/${webhook}`, follower]) {
    await sendJson(address, 'POST', `${path}/pause`, {});
  }
  await createCatalog(address, { code: 'unread' });
  const enabled = await fetch(`${address}/api/platform/plugins/recipes/enable`, { method: 'POST' });
  expect(enabled.status).toBe(200);
  return { ids, webhook, requests: receiver.received.length };
}

describe('the subscriptions of a platform that was restored from a backup', () => {
  it('continue in the new epoch: with what waited, what was not read, and what changes afterwards', async () => {
    const { address } = restored;
    for (const path of [`/api/platform/webhooks/${before.webhook}`, follower]) {
      await sendJson(address, 'POST', `${path}/resume`, {});
    }
    await createCatalog(address, { code: 'afterwards' });

    const requests = (await receiver.untilReceived(before.requests + 3)).slice(before.requests);
    expect(requests.map(({ event }) => event.data.values.code).toSorted()).toEqual(['afterwards', 'unread', 'waiting']);
    const inNewEpoch = requests.filter(({ event }) => epochOf(event.data.position) > 1);
    expect(inNewEpoch.map(({ event }) => event.data.values.code)).toEqual(['afterwards']);
    await eventually(async () => {
      const webhookNow = await webhookAt(address, before.webhook);
      const pluginNow = (await send(address, follower)).json.data;
      return [webhookNow, pluginNow].every(
        ({ position, backlog, waiting }) => epochOf(position) > 1 && backlog === 0 && waiting === 0,
      );
    });
    expect(receiver.received.length).toBe(before.requests + 3);
  });
});

describe('the search of a platform that was restored from a backup', () => {
  it('finds what was stored before, and what is created, renamed and deleted after', async () => {
    const { address } = restored;
    // Items with the text at the beginning of their code come first.
    expect(await labelsFound(address, 'garden')).toEqual(['Garden tools', 'Garden chairs']);
    await createCatalog(address, { code: 'kitchen', name: 'Kitchen garden' });
    await sendJson(address, 'PATCH', `${catalogs}/${before.ids['garden']}`, { name: 'House' });
    await send(address, `${catalogs}/${before.ids['gone']}`, { method: 'DELETE' });

    expect([await labelsFound(address, 'kitchen gard'), await labelsFound(address, 'house')]).toEqual([
      ['Kitchen garden'],
      ['House'],
    ]);
    expect(await labelsFound(address, 'chairs')).toEqual([]);
  });
});

describe('the plugin set of a database that was restored from a backup', () => {
  it('is the same, whose packages a new host takes from its plugin folders', async () => {
    const set = 'SELECT generation, revision, plugins FROM gantry_plugin_set';
    const [stored] = await run(target.url, set);

    expect(stored).toMatchObject({ plugins: { recipes: { enabled: true, host: expect.any(String) as string } } });
    expect([stored]).toEqual(await run(source.url, set));
    expect(restored.report.plugins.find(({ id }) => id === 'recipes')).toMatchObject({ state: 'started' });
  });
});

describe('the change feed of a platform that was restored from a backup', () => {
  it('continues in a new epoch, behind the rows from before, whose transaction ids are higher', async () => {
    await sendJson(restored.address, 'PATCH', `${catalogs}/${before.ids['changed']}`, { name: 'Renamed' });

    expect(await changesOf(target.url)).toEqual(['1 false', '2 true']);
    expect(await partitionsOf(target.url)).toEqual(await partitionsOf(source.url));
    const again = await createDatabase();
    await loadDatabase({ url: again.url, folder, manifest, signal: never });
    expect(await feedEpochOf(again.url)).toBeGreaterThan(await feedEpochOf(target.url));
  });

  it('begins a new epoch also when another tool has brought it from a server that was ahead, and once only', async () => {
    expect(await feedEpochOf(source.url)).toBe(1);

    const { address, stop } = await open(source.url, plugins);
    await sendJson(address, 'PATCH', `${catalogs}/${before.ids['changed']}`, { name: 'Renamed' });

    expect(await changesOf(source.url)).toEqual(['1 false', '2 true']);
    const epoch = await feedEpochOf(source.url);
    await stop();
    await open(source.url, plugins);
    expect(await feedEpochOf(source.url)).toBe(epoch);
  });
});

/** Versions of the changed catalog, and whether the row is of a later epoch than the first, in the order of positions. */
async function changesOf(url: string): Promise<readonly unknown[]> {
  const rows = await run(
    url,
    `SELECT version || ' ' || (epoch > 1) AS text FROM gantry_change WHERE item_id = '${before.ids['changed']}'
     ORDER BY epoch, transaction_id, sequence`,
  );
  return rows.map(({ text }) => text);
}

async function partitionsOf(url: string): Promise<readonly unknown[]> {
  return run(
    url,
    `SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) AS bound,
       (SELECT count(*) FROM pg_index x JOIN pg_inherits xi ON xi.inhrelid = x.indexrelid WHERE x.indrelid = c.oid) AS indexes
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'gantry_change'::regclass ORDER BY c.relname`,
  );
}

/** Of rows that are written from now on, also through partitions that are made later. */
async function feedEpochOf(url: string): Promise<number> {
  const rows = await run(
    url,
    `SELECT DISTINCT pg_get_expr(d.adbin, d.adrelid)::int AS epoch FROM pg_attrdef d
     JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
     WHERE a.attname = 'epoch' AND d.adrelid::regclass::text ~ '^gantry_change'`,
  );
  expect(rows).toHaveLength(1);
  return Number(rows[0]?.['epoch']);
}

function epochOf(position: string): number {
  return Number(position.split('.', 1)[0]);
}

async function labelsFound(address: string, q: string): Promise<readonly string[]> {
  const { json } = await send(address, `/api/cms/search?q=${encodeURIComponent(q)}`, { method: 'POST' });
  const groups = json.data as readonly { readonly items: readonly { readonly label: string }[] }[];
  return groups.flatMap(({ items }) => items.map(({ label }) => label));
}

async function createCatalog(
  address: string,
  values: { readonly code: string; readonly name?: string },
): Promise<string> {
  const { status, text, json } = await sendJson(address, 'POST', catalogs, values);
  if (status !== 201) throw new Error(text);
  return json.data.id as string;
}

async function webhookAt(address: string, id: string) {
  return (await send(address, `/api/platform/webhooks/${id}`)).json.data;
}

async function createDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

async function open(databaseUrl: string, ofHost: readonly string[]): Promise<TestHost> {
  const host = await startTestHost({
    plugins: ofHost,
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

async function run(url: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
