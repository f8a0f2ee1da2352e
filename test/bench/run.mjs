/**
 * The benchmarks: ratios against hand-written processes, measured side by side in one run on the same PostgreSQL and rows,
 * and for the orders the same Temporal. Prints tables, writes reports/bench.json, and draws no conclusion.
 * BENCH_ONLY chooses parts: requests, streaming, changes, types, rights, kinds, pages, orders. BENCH_HOME names a folder that keeps the filled database.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { assertChromium } from '../../scripts/lib/find-chromium.mjs';
import { analyse, fill, isFilled } from './content/fill.mjs';
import { startWithManyTypes } from './content/many-types.mjs';
import { compareChanges } from './content/changes.mjs';
import { compareRequests } from './content/requests.mjs';
import { compareRights } from './content/rights.mjs';
import { compareStreaming } from './content/streaming.mjs';
import { compareKinds } from './kinds/compare-kinds.mjs';
import { project, startDatabase, startHandWritten, startHost } from './lib/servers.mjs';
import { compareFirstViews } from './pages/first-view.mjs';
import { compareOrders } from './orders/compare-orders.mjs';

const settings = {
  products: Number(process.env.BENCH_PRODUCTS ?? 1_000_000),
  seconds: Number(process.env.BENCH_SECONDS ?? 3),
  rounds: Number(process.env.BENCH_ROUNDS ?? 5),
  scenarios: process.env.BENCH_SCENARIOS ?? '',
  orders: Number(process.env.BENCH_ORDERS ?? 100),
  latencyOrders: Number(process.env.BENCH_LATENCY_ORDERS ?? 20),
  atOnce: Number(process.env.BENCH_ORDERS_AT_ONCE ?? 10),
};
const allParts = ['requests', 'streaming', 'changes', 'types', 'rights', 'kinds', 'pages', 'orders'];
const parts = chosenParts();
if (parts.includes('kinds') || parts.includes('pages')) assertChromium();
/** Content only: the services' workers are compared by themselves. */
const contentOnly = { GANTRY_PLUGIN_PATH: 'plugins' };

const results = { node: process.version, processors: cpus().length, settings };
if (parts.some((part) => !['orders', 'rights', 'changes', 'kinds', 'pages'].includes(part))) {
  Object.assign(results, await benchContent());
}
if (parts.includes('changes')) {
  note('changes');
  results.changes = await compareChanges({ ...settings, environment: contentOnly, note });
}
if (parts.includes('rights')) {
  note('rights');
  results.rights = await compareRights({ ...settings, environment: contentOnly });
}
if (parts.includes('kinds')) results.kinds = await compareKinds({ ...settings, note });
if (parts.includes('pages')) {
  note('pages');
  results.pages = await compareFirstViews({ ...settings, environment: contentOnly });
}
if (parts.includes('orders')) results.orders = await compareOrders({ ...settings, note });
mkdirSync(join(project, 'reports'), { recursive: true });
writeFileSync(join(project, 'reports', 'bench.json'), `${JSON.stringify(results, undefined, 2)}\n`);
print(results);

function chosenParts() {
  const chosen = (process.env.BENCH_ONLY || allParts.join(',')).split(',');
  const unknown = chosen.find((part) => !allParts.includes(part));
  if (unknown === undefined) return chosen;
  throw new Error(`BENCH_ONLY must name parts of ${allParts.join(',')}; got "${unknown}".`);
}

async function benchContent() {
  const database = await startDatabase(process.env.BENCH_HOME);
  try {
    const compared = await compareContent(database);
    if (!parts.includes('types')) return compared;
    note('many types');
    return { ...compared, manyTypes: await startWithManyTypes(database, { plugins: 50, typesEach: 20, roles: 20 }) };
  } finally {
    await database.stop();
  }
}

async function compareContent(database) {
  if (!parts.includes('requests') && !parts.includes('streaming')) return {};
  if (!(await isFilled(database.url, settings.products))) {
    note(`filling ${settings.products} products`);
    await (await startHost(database, contentOnly)).stop();
    await fill(database.url, settings.products);
  }
  const host = await startHost(database, contentOnly);
  await analyse(database.url);
  const handWritten = await startHandWritten(database);
  try {
    const compared = {};
    if (parts.includes('requests')) {
      note('requests');
      compared.requests = await compareRequests(host, handWritten, database, settings);
    }
    if (parts.includes('streaming')) {
      note('streaming');
      const rows = Math.min(100_000, settings.products);
      compared.streaming = await compareStreaming(host, handWritten, { ...settings, rows });
    }
    return compared;
  } finally {
    await Promise.all([host.stop(), handWritten.stop()]);
  }
}

function note(text) {
  process.stderr.write(`${text} …\n`);
}

function print({ requests, streaming, changes, manyTypes, rights, kinds, pages, orders }) {
  if (requests !== undefined) {
    console.log('\nRequests a second with 32 connections, and milliseconds of processor time per request');
    console.table(requests.map((row) => rounded(row)));
  }
  if (streaming !== undefined) {
    console.log('Uncapped search, streamed');
    console.table([rounded(streaming)]);
  }
  if (changes !== undefined) {
    console.log('Writes a second with the triggers of the change feed and without, 32 connections');
    console.table(changes.writes.map((row) => rounded(row)));
    console.log('Reading the feed, 1,000 changes a request, and the history of one item');
    console.table([rounded(changes.reading)]);
  }
  if (manyTypes !== undefined) {
    console.log('Start with many types');
    console.table([rounded(manyTypes)]);
  }
  if (rights !== undefined) {
    console.log('Microseconds of processor time per request, with sign-in and open');
    console.table(rights.signIn.map((row) => rounded(row)));
    console.log('Lists of a role with a condition on items, requests a second');
    console.table(rights.conditions.map((row) => rounded(row)));
    console.log('Milliseconds of a read by token, alone and in a flood of sign-ins');
    console.table([rounded(rights.flood)]);
  }
  if (kinds !== undefined) {
    console.log(
      'Lists of a type with 60 fields of every kind, and of one with the same values as text; processor time of host and PostgreSQL',
    );
    console.table(kinds.lists.map((row) => rounded(row)));
    console.log('Milliseconds until the form of such an item has all its controls, in Chromium');
    console.table([rounded(kinds.forms)]);
  }
  if (pages !== undefined) {
    console.log('Milliseconds until a page can be used, with an empty cache of the browser and with a full one');
    console.table(pages.map((row) => rounded(row)));
  }
  if (orders !== undefined) printOrders(orders);
}

function printOrders({ cost, overHttp, latency, start, memory }) {
  console.log(`\nProcessor time of the process per order, ${cost.atOnce} orders at once`);
  console.table([rounded(cost)]);
  console.log('The same, driven over HTTP; the bare process does the same checks and writes the same rows');
  console.table([rounded(overHttp)]);
  console.log('Milliseconds of one order at a time');
  console.table([rounded(latency)]);
  console.log('Milliseconds from nothing to ready, Temporal and PostgreSQL running');
  console.table([rounded(start)]);
  console.log('Resident memory with all workers idle');
  console.table([rounded(memory)]);
}

function rounded(row) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(digitsOf(value))) : value,
    ]),
  );
}

function digitsOf(value) {
  if (value < 1) return 3;
  return value < 10 ? 2 : 0;
}
