import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';

/**
 * Writers that create items with images, change them, and place and pay orders, one after the other each, and remember what
 * was acknowledged when.
 */
export async function startLoad({ address, databaseUrl, writers, rows }) {
  await fill(databaseUrl, rows);
  const known = { items: new Map(), orders: new Map() };
  const stopping = new AbortController();
  const failures = [];
  let acknowledged = 0;
  const post = async (path, body, headers = { 'content-type': 'application/json' }, method = 'POST') => {
    const response = await fetch(new URL(path, address), {
      method,
      headers,
      body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${JSON.stringify(answer)}`);
    acknowledged += 1;
    return answer.data;
  };
  const writeItems = async (writer) => {
    for (let index = 0; !stopping.signal.aborted; index += 1) {
      const code = `proof-${writer}-${index}`;
      const picture = await randomPicture();
      const image = index % 3 === 0 ? await post('/media/images', picture, { 'content-type': 'image/png' }) : undefined;
      const url = image?.url ?? null;
      const item = await post('/api/cms/items/event', { code, name: 'name 0', image: url });
      const entry = { id: item.id, image: url, names: [{ name: 'name 0', sent: 0, acknowledged: performance.now() }] };
      known.items.set(code, entry);
      const sent = performance.now();
      const change = { name: 'name 1', sent, acknowledged: Infinity };
      entry.names.push(change);
      await post(`/api/cms/items/event/${item.id}`, { name: 'name 1', version: item.version }, undefined, 'PATCH');
      change.acknowledged = performance.now();
    }
  };
  const writeOrders = async (writer) => {
    for (let index = 0; !stopping.signal.aborted; index += 1) {
      const orderId = `proof-${writer}-${index}`;
      const order = { placed: Infinity, paid: Infinity };
      known.orders.set(orderId, order);
      await post('/place-order', { orderId });
      order.placed = performance.now();
      if (index % 4 === 3) continue;
      await post(`/payment?orderId=${orderId}`, {});
      order.paid = performance.now();
      // The development server of Temporal takes about thirty workflows a second, whatever it runs on.
      await delay(100);
    }
  };
  const work = Array.from({ length: writers }, (_, writer) =>
    (writer % 2 === 0 ? writeItems(writer) : writeOrders(writer)).catch((error) => void failures.push(error)),
  );
  return {
    /** Throws unless something more is acknowledged. */
    async assertGoesOn() {
      const before = acknowledged;
      const deadline = performance.now() + 30_000;
      while (acknowledged === before || failures.length > 0) {
        if (failures.length > 0) throw failures[0];
        if (performance.now() > deadline) throw new Error('Nothing is acknowledged any more after a backup.');
        await delay(50);
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(work);
      if (failures.length > 0) throw failures[0];
      return known;
    },
  };
}

/** Makes a backup take a while. */
async function fill(databaseUrl, rows) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO events_event (code, name, description, version, created_at, updated_at)
       SELECT 'bulk-' || n, 'bulk ' || n, repeat(md5(n::text), 10), 1, now(), now() FROM generate_series(1, $1) AS n`,
      [rows],
    );
  } finally {
    await client.end();
  }
}

function randomPicture() {
  return sharp(randomBytes(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer();
}

export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
