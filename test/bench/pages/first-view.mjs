import { setTimeout as delay } from 'node:timers/promises';
import { fill } from '../content/fill.mjs';
import { launchChromium } from '../lib/launch-chromium.mjs';
import { median } from '../lib/load.mjs';
import { startDatabase, startHost } from '../lib/servers.mjs';

/** Pages, and what is there when a reader can use them. */
const pages = {
  home: { path: '/admin/', shown: '.home-tiles > li' },
  list: { path: '/admin/content/product', shown: 'tbody a[href*="/content/"]' },
  form: { path: '/admin/content/product/1', shown: '#field-code' },
};

/**
 * Milliseconds from the beginning of a navigation until a page can be used: with an empty cache of the browser, and with a full one.
 * Told by the browser's own clock, when what the page is for is painted and the main thread is free.
 */
export async function compareFirstViews({ rounds, environment }) {
  const database = await startDatabase();
  try {
    await (await startHost(database, environment)).stop();
    await fill(database.url, 1_000);
    const host = await startHost(database, environment);
    const browser = await launchChromium();
    try {
      return await measureAll(browser, host.address, rounds);
    } finally {
      await browser.close();
      await host.stop();
    }
  } finally {
    await database.stop();
  }
}

async function measureAll(browser, address, rounds) {
  const rows = [];
  for (const [page, { path, shown }] of Object.entries(pages)) {
    const samples = [];
    // The first round warms up PostgreSQL and the host.
    for (let round = 0; round <= rounds; round += 1) samples.push(await visit(browser, address + path, shown));
    const of = (name) => median(samples.slice(1).map((sample) => sample[name]));
    rows.push({ page, 'cold ms': of('cold'), 'warm ms': of('warm') });
  }
  return rows;
}

/** A visit with a separate cache, and another one with what the first left in it. */
async function visit(browser, address, shown) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(watch(shown));
  try {
    return { cold: await open(context, address), warm: await open(context, address) };
  } finally {
    await context.close();
  }
}

async function open(context, address) {
  const page = await context.newPage();
  await page.goto(address);
  const deadline = Date.now() + 60_000;
  for (;;) {
    const usableAt = await page.evaluate('window.usableAt');
    if (usableAt !== undefined) {
      await page.close();
      return usableAt;
    }
    if (Date.now() > deadline) throw new Error(`Not usable after a minute: ${address}`);
    await delay(10);
  }
}

function watch(shown) {
  return `
    const observer = new MutationObserver(() => {
      if (document.querySelector(${JSON.stringify(shown)}) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.usableAt = performance.now())));
    });
    observer.observe(document, { childList: true, subtree: true });`;
}
