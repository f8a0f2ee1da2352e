import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform } from '../../scripts/lib/gantry.mjs';
import { createRandom, killServer, untilReady } from './support/kill-servers.mjs';
import { startUnreliableReceiver } from './support/unreliable-receiver.mjs';

/**
 * Claim: each change of an item is delivered to a webhook at least once and in the order of the item, and attempts with the same change
 * have the same id, although the receiver fails, hangs, answers slowly and dies, and host and Temporal are killed with kill -9.
 */
export const sizes = {
  ci: { events: 250, kills: 2, hangs: 0.005, speed: 200, single: 20 },
  full: { events: 10_000, kills: 20, hangs: 0.005, speed: 5_000, single: 200 },
};

const writers = 8;
/** Milliseconds after the last change within which everything is delivered. */
const settleTimeoutMs = 600_000;

export default async function prove({ seed, size, log }) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-prove-webhooks-'));
  // Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const home = join(folder, 'home');
  const random = createRandom(seed);
  const platform = await startPlatform(home, { GANTRY_WEBHOOK_PRIVATE_ADDRESSES: 'allow' });
  const receiver = await startUnreliableReceiver({ random, failures: 0.3, hangs: size.hangs, slow: 0.05 });
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  try {
    await client.connect();
    const speed = await measureSpeed(platform, size);
    log(speed);
    const webhook = await createWebhook(platform, receiver.url);
    let isDone = false;
    const writing = writeAll(platform, size.events, random).finally(() => {
      isDone = true;
    });
    const harming = harm({
      home,
      address: platform.address,
      receiver,
      random,
      kills: size.kills,
      log,
      isDone: () => isDone,
    });
    const [, kills] = await Promise.all([writing, harming]);
    log(`written; ${receiver.requests.length} requests so far`);
    // Changes that were refused often would wait for minutes.
    receiver.becomeReliable();
    await untilReady(platform.address);
    await call(platform, 'POST', `/api/platform/webhooks/${webhook.id}/resume`, {});
    await untilDelivered(platform, webhook.id, client, receiver);
    return `${await judge(client, webhook, receiver.requests)} with ${kills} kills; ${speed}`;
  } finally {
    await client.end();
    await receiver.close();
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Changes a second to a fast receiver, and the time from the answer to a write to its arrival. */
async function measureSpeed(platform, { speed: count, single }) {
  const receiver = await startUnreliableReceiver({ random: () => 1, failures: 0, hangs: 0, slow: 0 });
  try {
    const webhook = await createWebhook(platform, receiver.url);
    // Without a change, it would be started first.
    await create(platform, 'speed-first');
    await until(() => receiver.requests.length === 1, 30_000);
    const latencies = [];
    for (let index = 0; index < single; index += 1) {
      const before = receiver.requests.length;
      await create(platform, `speed-one-${index}`);
      const written = Date.now();
      await until(() => receiver.requests.length > before, 30_000, 2);
      latencies.push(receiver.requests.at(-1).at - written);
      await delay(30 + (index % 5) * 20);
    }
    // The first burst is for the compiler of the host.
    await measureBurst(platform, webhook, receiver, count, 'first');
    const seconds = await measureBurst(platform, webhook, receiver, count, 'second');
    await call(platform, 'DELETE', `/api/platform/webhooks/${webhook.id}`, {});
    const sorted = latencies.toSorted((one, other) => one - other);
    const quantile = (share) => sorted[Math.floor((sorted.length - 1) * share)];
    return `${Math.round(count / seconds)} changes a second to a fast receiver, from commit to arrival p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms`;
  } finally {
    await receiver.close();
  }
}

/** Seconds in which that many changes arrive, which had waited. */
async function measureBurst(platform, webhook, receiver, count, name) {
  await call(platform, 'POST', `/api/platform/webhooks/${webhook.id}/pause`, {});
  const done = receiver.requests.length;
  await importItems(platform, count, name);
  await call(platform, 'POST', `/api/platform/webhooks/${webhook.id}/resume`, {});
  await until(() => receiver.requests.length >= done + count, 120_000);
  const burst = receiver.requests.slice(done);
  return (burst.at(-1).at - burst[0].at) / 1_000;
}

async function importItems(platform, count, name) {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ code: `speed-${name}-${index}`, name: 'Many' }),
  );
  const response = await fetch(`${platform.address}/api/cms/imports/catalog`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  if (!response.ok) throw new Error(`The import failed: ${await response.text()}`);
  await response.text();
}

/** Creates and changes items from several clients at once; a write whose answer is lost is made again, which is another change. */
async function writeAll(platform, events, random) {
  let left = events;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const ids = [];
      while (left > 0) {
        left -= 1;
        const known = ids[Math.floor(random() * ids.length)];
        if (known === undefined || random() < 0.3) ids.push(await create(platform, `${writer}-${ids.length}-${left}`));
        else await change(platform, known, `${writer} ${left}`);
      }
    }),
  );
}

async function create(platform, code) {
  for (;;) {
    const { status, data } = await call(platform, 'POST', '/api/cms/items/catalog', { code, name: code });
    if (status === 201) return data.id;
    // An answer was lost: the item is there.
    if (status === 409) {
      const found = await call(platform, 'POST', '/api/cms/items/catalog/list', [
        { field: 'code', operator: 'EQUALS', value: code },
      ]);
      if (found.data?.[0] !== undefined) return found.data[0].id;
    }
    await delay(100);
  }
}

async function change(platform, id, name) {
  for (;;) {
    const { status } = await call(platform, 'PATCH', `/api/cms/items/catalog/${id}`, { name });
    if (status === 200) return;
    await delay(100);
  }
}

/** @returns status 0 while the platform cannot be reached */
async function call(platform, method, path, body) {
  try {
    const response = await fetch(new URL(path, platform.address), {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (response.status >= 400 && ![409, 503].includes(response.status)) {
      throw new TypeError(`${method} ${path}: ${response.status} ${text}`, { cause: 'answer' });
    }
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text).data };
  } catch (error) {
    if (error.cause === 'answer') throw error;
    return { status: 0 };
  }
}

async function createWebhook(platform, url) {
  const { data } = await call(platform, 'POST', '/api/platform/webhooks', { name: 'Proof', url, types: ['catalog'] });
  return data;
}

/** One thing after the other, each at a random moment. */
async function harm({ home, address, receiver, random, kills, log, isDone }) {
  let count = 0;
  for (let turn = 0; !isDone() || count < kills; turn += 1) {
    await delay(500 + random() * 2_000);
    if (turn % 2 === 0) {
      await receiver.die();
      await delay(500 + random() * 2_500);
      await receiver.revive();
      continue;
    }
    if (count === kills) continue;
    const server = count % 2 === 0 ? 'host' : 'temporal';
    if (await killServer(home, server)) {
      count += 1;
      log(`killed ${server}`);
    }
    if (random() < 0.75) await untilReady(address);
  }
  return count;
}

async function untilDelivered(platform, id, client, receiver) {
  const deadline = performance.now() + settleTimeoutMs;
  for (;;) {
    const { data } = await call(platform, 'GET', `/api/platform/webhooks/${id}`);
    if (data?.waiting === 0 && data.position === (await endOf(client))) return;
    if (performance.now() > deadline) {
      throw new Error(`Not everything was delivered: ${JSON.stringify(data)}, ${receiver.requests.length} requests`);
    }
    await delay(200);
  }
}

async function endOf(client) {
  const { rows } = await client.query(
    'SELECT epoch, transaction_id, sequence FROM gantry_change ORDER BY epoch DESC, transaction_id DESC, sequence DESC LIMIT 1',
  );
  return [rows[0].epoch, rows[0].transaction_id, rows[0].sequence].join('.');
}

/** @throws Error that names what is wrong */
async function judge(client, webhook, requests) {
  const { rows } = await client.query(
    `SELECT epoch || '.' || transaction_id || '.' || sequence AS position, item_id::text AS item, version FROM gantry_change
     WHERE item_table = 'catalog_catalog' AND (epoch, transaction_id, sequence) > ($1::integer, $2::bigint, $3::bigint)`,
    webhook.position.split('.'),
  );
  const accepted = new Map();
  const ids = new Map();
  const last = new Map();
  for (const [index, { id, header, item, version, position, accepted: isAccepted }] of requests.entries()) {
    if (id !== header) throw new Error(`The id of the event is ${id}, the header ${header}.`);
    if ((ids.get(position) ?? id) !== id) throw new Error(`Two ids for ${position}: ${ids.get(position)} and ${id}.`);
    ids.set(position, id);
    const before = last.get(item);
    if (before !== undefined && version > before.version && !accepted.has(before.position)) {
      throw new Error(
        `Request ${index}: version ${version} of ${item} came before version ${before.version} was accepted.`,
      );
    }
    if (before === undefined || version > before.version) last.set(item, { version, position });
    if (isAccepted && !accepted.has(position)) accepted.set(position, version);
  }
  if (new Set(ids.values()).size !== ids.size) throw new Error('Two changes have the same id.');
  const lost = rows.filter(({ position }) => !accepted.has(position));
  if (lost.length > 0) {
    throw new Error(`${lost.length} of ${rows.length} changes are lost, such as ${JSON.stringify(lost[0])}.`);
  }
  const twice = requests.filter(({ accepted: isAccepted }) => isAccepted).length - accepted.size;
  return `${rows.length} changes in ${requests.length} requests: 0 lost, in order per item, ${twice} accepted more than once`;
}

async function until(holds, timeoutMs, intervalMs = 20) {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('Not delivered in time.');
    await delay(intervalMs);
  }
}
