import { setTimeout as delay } from 'node:timers/promises';
import { launchChromium } from '../lib/launch-chromium.mjs';
import { inTurn, median } from '../lib/load.mjs';

/**
 * Milliseconds from the beginning of a navigation until every field of a form has its control and is painted, by the browser's own clock, and
 * of processor time of the page's main thread until then.
 * @param names of the fields
 */
export async function compareForms(address, names, rounds) {
  const browser = await launchChromium();
  try {
    const ids = { mixed: await firstId(address, 'mixed'), texts: await firstId(address, 'texts') };
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.addInitScript(watch(names));
    const measure = (type) => () => open(context, `${address}/admin/content/${type}/${ids[type]}`);
    // The first rounds fill the cache of the browser.
    const pairs = (await inTurn(rounds + 2, measure('mixed'), measure('texts'))).slice(2);
    const ofAll = (value) => median(pairs.map(value));
    return {
      'kinds ms': ofAll(([kinds]) => kinds.ms),
      'texts ms': ofAll(([, texts]) => texts.ms),
      ratio: ofAll(([kinds, texts]) => kinds.ms / texts.ms),
      'kinds cpu ms': ofAll(([kinds]) => kinds.cpuMs),
      'texts cpu ms': ofAll(([, texts]) => texts.cpuMs),
      'cpu ratio': ofAll(([kinds, texts]) => kinds.cpuMs / texts.cpuMs),
    };
  } finally {
    await browser.close();
  }
}

/** Notes in the page when the last of the controls is in the document and painted. */
function watch(names) {
  return `
    const missing = new Set(${JSON.stringify(names)});
    window.missingFields = () => [...missing];
    const look = () => {
      for (const name of missing) if (document.getElementById('field-' + name) !== null) missing.delete(name);
      if (missing.size > 0) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.formVisibleAt = performance.now())));
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });`;
}

async function open(context, url) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  const deadline = Date.now() + 60_000;
  for (;;) {
    const visibleAt = await page.evaluate('window.formVisibleAt');
    if (visibleAt !== undefined) {
      const { metrics } = await session.send('Performance.getMetrics');
      await page.close();
      return { ms: visibleAt, cpuMs: 1_000 * metrics.find(({ name }) => name === 'TaskDuration').value };
    }
    if (Date.now() > deadline) {
      throw new Error(
        `No control after a minute at ${url}: ${await page.evaluate('window.missingFields().join(", ")')}`,
      );
    }
    await delay(20);
  }
}

async function firstId(address, type) {
  const response = await fetch(`${address}/api/cms/items/${type}/list?limit=1`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' },
  });
  return (await response.json()).data[0].id;
}
