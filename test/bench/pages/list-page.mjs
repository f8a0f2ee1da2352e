/**
 * How long after its list request begins a list of the admin pages shows rows, as a multiple of the time until the answer
 * is there, both told by the browser's own clock. `node test/bench/pages/list-page.mjs`, in quiet; needs a build and
 * Chromium (GANTRY_TEST_CHROMIUM, or `chromium` on the PATH). BENCH_PRODUCTS and BENCH_ROUNDS as for the other benchmarks;
 * BENCH_DATABASE_URL takes an empty database instead of starting a server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { analyse, fill } from '../content/fill.mjs';
import { startDatabase, startHost } from '../lib/servers.mjs';

const products = Number(process.env.BENCH_PRODUCTS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);

/** What the reader does, as addresses: each is a page load of its own. */
const visits = {
  'first page': 'view=all',
  'filtered by price': 'f=price.LESS_THAN.5',
  'sorted by name': 'sort=name',
  '200 rows': 'view=all&limit=200',
};

/** Notes in the page when the first row is in the document, and when it has been painted. */
const watchRows = `
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('tbody a[href*="/content/product/"]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.rowsVisibleAt = performance.now())));
  }).observe(document, { childList: true, subtree: true });`;

const database = process.env.BENCH_DATABASE_URL ? givenDatabase(process.env.BENCH_DATABASE_URL) : await startDatabase();
try {
  await (await startHost(database, { GANTRY_PLUGIN_PATH: 'plugins' })).stop();
  await fill(database.url, products);
  const host = await startHost(database, { GANTRY_PLUGIN_PATH: 'plugins' });
  await analyse(database.url);
  try {
    console.table(await measureAll(host.address));
  } finally {
    await host.stop();
  }
} finally {
  await database.stop();
}

async function measureAll(address) {
  const browser = await chromium.launch({
    executablePath: process.env.GANTRY_TEST_CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const results = {};
  for (const [name, query] of Object.entries(visits)) {
    const samples = [];
    for (let round = 0; round <= rounds; round += 1) samples.push(await measure(browser, address, query));
    // The first visit warms up PostgreSQL and the host.
    results[name] = summary(samples.slice(1));
  }
  await browser.close();
  return results;
}

async function measure(browser, address, query) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(watchRows);
  await page.goto(`${address}/admin/content/product?${query}`);
  // Asked again and again from outside: the pages do not allow code from text, which waitForFunction would be.
  while (!(await page.evaluate('window.rowsVisibleAt !== undefined'))) await delay(10);
  const sample = await page.evaluate(`(() => {
    const [list] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/product/list'));
    return { answerMs: list.responseEnd - list.startTime, rowsMs: window.rowsVisibleAt - list.startTime };
  })()`);
  await page.close();
  return sample;
}

function summary(samples) {
  const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
  const round = (value) => Math.round(value * 100) / 100;
  return {
    'answer ms': round(median(samples.map(({ answerMs }) => answerMs))),
    'rows ms': round(median(samples.map(({ rowsMs }) => rowsMs))),
    'rows - answer ms': round(median(samples.map(({ answerMs, rowsMs }) => rowsMs - answerMs))),
    ratio: round(median(samples.map(({ answerMs, rowsMs }) => rowsMs / answerMs))),
  };
}

function givenDatabase(url) {
  const home = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  return { home, url, stop: async () => rmSync(home, { recursive: true, force: true }) };
}
