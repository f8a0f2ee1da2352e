import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { request } from '../../../scripts/lib/gantry.mjs';

/**
 * Writers that create items with images, change them, and place and pay orders, one after the other each, and remember what
 * was acknowledged when.
 */
export async function startLoad({ address, databaseUrl, writers, rows }) {
  await fill(databaseUrl, rows);
  const stopping = new AbortController();
  const known = { items: new Map(), orders: new Map() };
  const load = { address, known, signal: stopping.signal, failures: [], acknowledged: 0 };
  const work = Array.from({ length: writers }, async (_, writer) => {
    try {
      await (writer % 2 === 0 ? writeItems(load, writer) : writeOrders(load, writer));
    } catch (error) {
      load.failures.push(error);
    }
  });
  return {
    assertGoesOn: () => assertGoesOn(load),
    async stop() {
      stopping.abort();
      await Promise.all(work);
      assertNoFailure(load);
      return known;
    },
  };
}

async function writeItems(load, writer) {
  for (let index = 0; !load.signal.aborted; index += 1) {
    const code = `proof-${writer}-${index}`;
    const image = index % 3 === 0 ? await storePicture(load) : null;
    const item = await send(load, 'POST', '/api/cms/items/event', { code, name: 'name 0', image });
    const change = { name: 'name 1', acknowledged: Infinity };
    load.known.items.set(code, { image, names: [{ name: 'name 0', acknowledged: performance.now() }, change] });
    await send(load, 'PATCH', `/api/cms/items/event/${item.id}`, { name: 'name 1', version: item.version });
    change.acknowledged = performance.now();
  }
}

async function writeOrders(load, writer) {
  for (let index = 0; !load.signal.aborted; index += 1) {
    const orderId = `proof-${writer}-${index}`;
    const order = { placed: Infinity, paid: Infinity };
    load.known.orders.set(orderId, order);
    await sendUntilTaken(load, '/place-order', { orderId });
    order.placed = performance.now();
    if (index % 4 === 3) continue;
    await sendUntilTaken(load, `/payment?orderId=${orderId}`, {});
    order.paid = performance.now();
    // The development server of Temporal takes about thirty workflows a second, whatever it runs on.
    await delay(100);
  }
}

/** Throws unless something more is acknowledged. */
async function assertGoesOn(load) {
  const before = load.acknowledged;
  const deadline = performance.now() + 30_000;
  while (load.acknowledged === before) {
    assertNoFailure(load);
    if (performance.now() > deadline) throw new Error('Nothing is acknowledged any more after a backup.');
    await delay(50);
  }
}

function assertNoFailure({ failures: [cause] }) {
  if (cause !== undefined) throw new Error(`A request under load failed: ${cause.message}`, { cause });
}

/** @returns the address of the image */
async function storePicture(load) {
  const picture = await sharp(randomBytes(64 * 64 * 3), { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer();
  return (await send(load, 'POST', '/media/images', picture)).url;
}

/** Sends a request of an order again while it is answered by 503, as docs/orders.md asks of clients. */
async function sendUntilTaken(load, path, body) {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { status, text } = await request(load, 'POST', path, body);
    if (status !== 503 || performance.now() > deadline) return acknowledged(load, `POST ${path}`, { status, text });
    await delay(500);
  }
}

async function send(load, method, path, body) {
  return acknowledged(load, `${method} ${path}`, await request(load, method, path, body));
}

function acknowledged(load, subject, { status, text }) {
  if (status >= 300) throw new Error(`${subject} answers ${status}: ${text}`);
  load.acknowledged += 1;
  return JSON.parse(text).data;
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

export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
