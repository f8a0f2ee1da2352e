/**
 * The benchmarks: ratios against hand-written processes, measured side by side in one run on the same PostgreSQL and rows,
 * and for the orders the same Temporal. Prints tables, writes reports/bench.json, and draws no conclusion.
 * BENCH_ONLY=content or BENCH_ONLY=orders runs one half.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { analyse, fill } from './content/fill.mjs';
import { startWithManyTypes } from './content/many-types.mjs';
import { compareRequests } from './content/requests.mjs';
import { compareStreaming } from './content/streaming.mjs';
import { project, startDatabase, startHandWritten, startHost } from './lib/servers.mjs';
import { compareOrders } from './orders/compare-orders.mjs';

const settings = {
  products: Number(process.env.BENCH_PRODUCTS ?? 1_000_000),
  seconds: Number(process.env.BENCH_SECONDS ?? 6),
  rounds: Number(process.env.BENCH_ROUNDS ?? 5),
  orders: Number(process.env.BENCH_ORDERS ?? 100),
  latencyOrders: Number(process.env.BENCH_LATENCY_ORDERS ?? 20),
  atOnce: Number(process.env.BENCH_ORDERS_AT_ONCE ?? 10),
};
const halves = { content: benchContent, orders: async () => ({ orders: await compareOrders({ ...settings, note }) }) };
/** Content only: the services' workers are compared by themselves. */
const contentOnly = { GANTRY_PLUGIN_PATH: 'plugins' };

const results = { node: process.version, processors: cpus().length, settings };
for (const half of chosenHalves()) Object.assign(results, await halves[half]());
mkdirSync(join(project, 'reports'), { recursive: true });
writeFileSync(join(project, 'reports', 'bench.json'), `${JSON.stringify(results, undefined, 2)}\n`);
if (results.requests !== undefined) printContent(results);
if (results.orders !== undefined) printOrders(results.orders);

function chosenHalves() {
  const only = process.env.BENCH_ONLY;
  if (!only) return Object.keys(halves);
  if (only in halves) return [only];
  throw new Error(`BENCH_ONLY must be ${Object.keys(halves).join(' or ')}; found "${only}".`);
}

async function benchContent() {
  const database = await startDatabase();
  try {
    note(`filling ${settings.products} products`);
    await (await startHost(database, contentOnly)).stop();
    await fill(database.url, settings.products);
    const host = await startHost(database, contentOnly);
    await analyse(database.url);
    const handWritten = await startHandWritten(database);
    note('requests a second');
    const requests = await compareRequests(host, handWritten, settings);
    note('streaming');
    const streaming = await compareStreaming(host, handWritten, {
      ...settings,
      rows: Math.min(100_000, settings.products),
    });
    await Promise.all([host.stop(), handWritten.stop()]);
    note('many types');
    const manyTypes = await startWithManyTypes(database, { plugins: 50, typesEach: 20 });
    return { requests, streaming, manyTypes };
  } finally {
    await database.stop();
  }
}

function note(text) {
  process.stderr.write(`${text} …\n`);
}

function printContent({ requests, streaming, manyTypes }) {
  console.log('\nRequests a second, 32 connections');
  console.table(requests.map((row) => rounded(row)));
  console.log('Uncapped search, streamed');
  console.table([rounded(streaming)]);
  console.log('Start with many types');
  console.table([rounded(manyTypes)]);
}

function printOrders({ cost, latency, start, memory }) {
  console.log(`\nProcessor time of the process per order, ${cost.atOnce} orders at once`);
  console.table([rounded(cost)]);
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
      typeof value === 'number' ? Number(value.toFixed(value < 10 ? 2 : 0)) : value,
    ]),
  );
}
