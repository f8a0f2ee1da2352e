/**
 * When a list of the admin pages shows its rows, and when the answer with them is there, told by the browser's own clock:
 * since the list request began, and since the reader asked, that is since the navigation for a page that is loaded again
 * and since the click for what readers do most, a change within the application. `node test/bench/pages/list-page.mjs`, in quiet;
 * needs a build and the Chromium of the tests. BENCH_PRODUCTS and BENCH_ROUNDS as for the
 * other benchmarks; BENCH_DATABASE_URL takes an empty database instead of starting a server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { analyse, fill } from '../content/fill.mjs';
import { launchChromium } from '../lib/launch-chromium.mjs';
import { startDatabase, startHost } from '../lib/servers.mjs';

const products = Number(process.env.BENCH_PRODUCTS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);

/** The first list of a visit, as addresses: each is a separate page load. */
const loads = {
  'load: first page': 'view=all',
  'load: filtered by price': 'f=price.LESS_THAN.5',
  'load: sorted by name': 'sort=name',
  'load: 200 rows': 'view=all&limit=200',
};

/** Actions of readers in a list that is open. */
const changes = {
  'change: next page': (page) => page.getByRole('button', { name: 'Next page' }).click(),
  'change: sorted by name': (page) => page.getByRole('button', { name: 'Name', exact: true }).click(),
  'change: searched by code': async (page) => {
    await page.getByRole('textbox', { name: 'Value of Code' }).fill('P77');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
  },
  'change: another type': (page) => page.getByRole('link', { name: 'Catalogs', exact: true }).click(),
};

/** As people do it: the button is under the pointer for a moment before it is pressed, and the page asks meanwhile. */
async function pointThenClick(page) {
  const button = page.getByRole('button', { name: 'Next page' });
  await page.mouse.move(0, 0);
  await button.hover();
  await delay(150);
  await button.click();
}

/** Notes in the page when another first row is in the document, and when it has been painted. */
const watchRows = `
  window.firstRow = () => document.querySelector('tbody a[href*="/content/"]')?.getAttribute('href');
  window.watchRows = (before) => {
    window.rowsVisibleAt = undefined;
    new MutationObserver((_changes, observer) => {
      if ([undefined, before].includes(window.firstRow())) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.rowsVisibleAt = performance.now())));
    }).observe(document, { childList: true, subtree: true, attributes: true });
  };
  addEventListener('click', ({ timeStamp }) => (window.clickedAt = timeStamp), true);
  window.watchRows(undefined);`;

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
  const browser = await launchChromium();
  const results = {};
  for (const [name, query] of Object.entries(loads)) {
    results[name] = await measureOften(() => measure(browser, address, query));
  }
  for (const [name, change] of Object.entries(changes)) {
    results[name] = await measureOften(() => measure(browser, address, 'view=all', change));
  }
  results['in use: next page'] = await measureInUse(browser, address, changes['change: next page']);
  results['in use: next page, pointed at first'] = await measureInUse(browser, address, pointThenClick);
  await browser.close();
  return results;
}

async function measureOften(measureOnce) {
  const samples = [];
  for (let round = 0; round <= rounds; round += 1) samples.push(await measureOnce());
  // The first one warms up PostgreSQL and the host.
  return summary(samples.slice(1));
}

async function measure(browser, address, query, change) {
  const page = await openList(browser, address, query);
  const sample = change === undefined ? await readSample(page) : await measureChange(page, change);
  await page.close();
  return sample;
}

/** One change after the other in the same tab, as readers make them: by then the browser has compiled what it needs. */
async function measureInUse(browser, address, change) {
  const page = await openList(browser, address, 'view=all');
  for (let warmUp = 0; warmUp < 5; warmUp += 1) await measureChange(page, change);
  const result = await measureOften(() => measureChange(page, change));
  await page.close();
  return result;
}

async function openList(browser, address, query) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(watchRows);
  await page.goto(`${address}/admin/content/product?${query}`);
  await rowsAreVisible(page);
  return page;
}

async function measureChange(page, change) {
  await page.evaluate('performance.clearResourceTimings(); window.watchRows(window.firstRow())');
  await change(page);
  await rowsAreVisible(page);
  return readSample(page);
}

function readSample(page) {
  return page.evaluate(`(() => {
    const list = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('/list?'));
    return {
      answerMs: list.responseEnd - list.startTime,
      rowsMs: window.rowsVisibleAt - list.startTime,
      readerAnswerMs: list.responseEnd - (window.clickedAt ?? 0),
      readerRowsMs: window.rowsVisibleAt - (window.clickedAt ?? 0),
    };
  })()`);
}

/** Asked again and again from outside: the pages do not allow code from text, which waitForFunction would be. */
async function rowsAreVisible(page) {
  const deadline = Date.now() + 60_000;
  while (!(await page.evaluate('window.rowsVisibleAt !== undefined'))) {
    if (Date.now() > deadline) throw new Error(`No rows after a minute at ${page.url()}`);
    await delay(10);
  }
}

function summary(samples) {
  const median = (values) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
  const round = (value) => Math.round(value * 100) / 100;
  const medianOf = (valueOf) => round(median(samples.map(valueOf)));
  return {
    'answer ms': medianOf(({ answerMs }) => answerMs),
    'rows ms': medianOf(({ rowsMs }) => rowsMs),
    ratio: medianOf(({ answerMs, rowsMs }) => rowsMs / answerMs),
    'reader: answer ms': medianOf(({ readerAnswerMs }) => readerAnswerMs),
    'reader: rows ms': medianOf(({ readerRowsMs }) => readerRowsMs),
    'reader: ratio': medianOf(({ readerAnswerMs, readerRowsMs }) => readerRowsMs / readerAnswerMs),
  };
}

function givenDatabase(url) {
  const home = mkdtempSync(join(tmpdir(), 'gantry-bench-'));
  return { home, url, stop: async () => rmSync(home, { recursive: true, force: true }) };
}
