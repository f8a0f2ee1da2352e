/**
 * The benchmarks: ratios against a hand-written server, measured side by side in one run on the same PostgreSQL and rows.
 * Prints tables, writes reports/bench.json, and draws no conclusion.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { analyse, fill } from './content/fill.mjs';
import { startWithManyTypes } from './content/many-types.mjs';
import { compareRequests } from './content/requests.mjs';
import { compareStreaming } from './content/streaming.mjs';
import { project, startDatabase, startHandWritten, startHost } from './lib/servers.mjs';

const settings = {
  products: Number(process.env.BENCH_PRODUCTS ?? 1_000_000),
  seconds: Number(process.env.BENCH_SECONDS ?? 6),
  rounds: Number(process.env.BENCH_ROUNDS ?? 5),
};
/** Content only: the services' workers have benchmarks of their own. */
const contentOnly = { GANTRY_PLUGIN_PATH: 'plugins' };

const results = { node: process.version, processors: cpus().length, settings, ...(await benchContent()) };
mkdirSync(join(project, 'reports'), { recursive: true });
writeFileSync(join(project, 'reports', 'bench.json'), `${JSON.stringify(results, undefined, 2)}\n`);
print(results);

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

function print({ requests, streaming, manyTypes }) {
  console.log('\nRequests a second, 32 connections');
  console.table(requests.map((row) => rounded(row)));
  console.log('Uncapped search, streamed');
  console.table([rounded(streaming)]);
  console.log('Start with many types');
  console.table([rounded(manyTypes)]);
}

function rounded(row) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(value < 10 ? 2 : 0)) : value,
    ]),
  );
}
