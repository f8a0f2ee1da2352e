import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from './random.mjs';

/**
 * Clients that create, change, link and delete items over REST, one after the other each, and imports that create and change items;
 * they remember what was acknowledged. What a request without an answer did is unknown: its item is left alone from then on.
 */
export async function startClients({ address, seed, clients, importedRows }) {
  const load = { address, isStopped: false, acknowledged: [], imports: 0, failures: [] };
  load.catalog = (await created(load, 'catalog', { code: 'proof', name: 'Proof' })).id;
  const work = Array.from({ length: clients }, (_, client) => writeItems(load, client, createRandom(seed + client)));
  const writers = [...work, importItems(load, importedRows)];
  const follower = followChanges(load);
  for (const one of [...writers, follower]) one.catch((error) => load.failures.push(error));
  return {
    load,
    async stopWriting() {
      load.isStopped = true;
      await Promise.allSettled(writers);
      assertNoFailure(load);
    },
    /** Lets the reader of the feed read to its end. */
    async stop() {
      load.isWritten = true;
      await Promise.allSettled([follower]);
      assertNoFailure(load);
    },
    assertNoFailure: () => assertNoFailure(load),
  };
}

function assertNoFailure({ failures: [cause] }) {
  if (cause !== undefined) throw new Error(`A client failed: ${cause.message}`, { cause });
}

async function writeItems(load, client, random) {
  const products = [];
  const promotions = [];
  const pick = (items) => items[Math.floor(random() * items.length)];
  const forget = (items, item) => void items.splice(items.indexOf(item), 1);
  const links = () => [...new Set([pick(products), pick(products), pick(products)].flatMap((one) => one?.id ?? []))];
  const change = async (type, items, values) => {
    const item = pick(items);
    if (item === undefined) return;
    const answer = await send(load, 'PATCH', `/api/cms/items/${type}/${item.id}`, values);
    if (answer?.status === 200) acknowledge(load, type, answer.data, 'updated', values);
    // It may be there all the same, or not: the feed agrees with the items in both cases.
    else if (answer === undefined) forget(items, item);
  };
  const remove = async (type, items) => {
    const item = pick(items);
    if (item === undefined) return;
    const answer = await send(load, 'DELETE', `/api/cms/items/${type}/${item.id}`);
    // A product to which a promotion refers stays.
    if (answer?.status === 409) return;
    if (answer?.status === 204) acknowledge(load, type, item, 'deleted');
    forget(items, item);
  };
  for (let index = 0; !load.isStopped; index += 1) {
    const code = `proof-${client}-${index}`;
    const choice = random();
    const name = `name ${Math.floor(random() * 5)}`;
    if (choice < 0.35) {
      const item = await created(load, 'product', {
        code,
        name,
        catalog: load.catalog,
        price: Math.floor(random() * 100),
      });
      if (item !== undefined) products.push(item);
    } else if (choice < 0.55) await change('product', products, { name, price: Math.floor(random() * 100) });
    else if (choice < 0.7) {
      const item = await created(load, 'promotion', { code, name, products: links() });
      if (item !== undefined) promotions.push(item);
    } else if (choice < 0.8) await change('promotion', promotions, { products: links() });
    else if (choice < 0.9) await change('promotion', promotions, { name, products: links() });
    else if (choice < 0.95) await remove('product', products);
    else await remove('promotion', promotions);
  }
}

/** One import after the other: half of the rows of each change what the one before has created. */
async function importItems(load, rows) {
  for (let first = 0; !load.isStopped; first += rows / 2) {
    const lines = Array.from({ length: rows }, (_, row) => `import-${first + row},${first} ${row}`);
    const response = await fetch(`${load.address}/api/cms/imports/catalog?match=code`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: `code,name\n${lines.join('\n')}\n`,
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined);
    const answer = await response?.json().catch(() => undefined);
    if (response?.status === 200) load.imports += 1;
    else if (answer !== undefined && ![500, 503].includes(response.status)) {
      throw new Error(`The import answers ${response.status}: ${JSON.stringify(answer)}`);
    }
    if (response?.status !== 200) await delay(200);
  }
}

/** Reads the feed as a program that keeps its position does. */
async function followChanges(load) {
  load.seen = [];
  let after = '0.0.0';
  for (let isAtEnd = false; !isAtEnd;) {
    const isWritten = load.isWritten === true;
    const answer = await send(load, 'GET', `/api/cms/changes?limit=1000&after=${after}`);
    if (answer?.status !== 200) {
      await delay(100);
      continue;
    }
    load.seen.push(
      ...answer.data.map(({ position, type, id, version, action }) => [position, type, id, version, action]),
    );
    ({ next: after } = answer.meta);
    isAtEnd = !answer.meta.hasMore && isWritten;
    if (!answer.meta.hasMore) await delay(50);
  }
}

async function created(load, type, values) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(load, 'POST', `/api/cms/items/${type}`, values);
    if (answer?.status === 201) {
      acknowledge(load, type, answer.data, 'created', values);
      return answer.data;
    }
    if (type !== 'catalog' || attempt > 100) return undefined;
  }
}

function acknowledge(load, type, { id, version }, action, values) {
  load.acknowledged.push({ type, id: Number(id), version, action, values });
}

/** @returns undefined where nobody knows what became of it */
async function send({ address }, method, path, body) {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(`${address}${path}`, { method, signal, ...content }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  if (response === undefined || text === undefined || response.status === 503) {
    await delay(100);
    return undefined;
  }
  const { data, meta, error } = text === '' ? {} : JSON.parse(text);
  if (response.status >= 400 && ![404, 409].includes(response.status)) {
    // A link to a product that was deleted in a request without an answer.
    if (response.status === 400 && error?.code === 'VALIDATION_FAILED') return undefined;
    throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
  }
  const version = Number(response.headers.get('etag')?.replaceAll('"', ''));
  return { status: response.status, data: Array.isArray(data) ? data : { ...data, version }, meta };
}
