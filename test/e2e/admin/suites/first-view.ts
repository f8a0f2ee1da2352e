import type { Response } from 'playwright-core';
import { brotliCompressSync, constants } from 'node:zlib';
import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import type { AdminTab } from '../support/open-pages';

export function describeFirstView(host: TestHost, tab: () => AdminTab): void {
  let article = 0;
  beforeAll(async () => {
    article = await create(host.address, 'article', { title: 'Ten tools', slug: 'first-view' });
  });

  /** Files that a page loads until it is idle, compressed as they are served. */
  async function load(path: string) {
    const { page } = tab();
    const responses: Response[] = [];
    const note = (response: Response): void => void responses.push(response);
    await page.goto('about:blank');
    page.on('response', note);
    await page.goto(`${host.address}/admin${path}`);
    await page.getByRole('heading').first().waitFor();
    await page.waitForLoadState('networkidle');
    page.off('response', note);
    const bytesOf = async (extension: string): Promise<readonly number[]> => {
      const files = responses.filter((response) => new URL(response.url()).pathname.endsWith(extension));
      return Promise.all(files.map(async (file) => compressed(await file.body())));
    };
    return { scripts: await bytesOf('.js'), styles: await bytesOf('.css'), shift: await page.evaluate(layoutShift) };
  }

  it.each([
    ['the start page', () => '/', { files: 12, script: 260_000 }],
    ['a list', () => '/content/product', { files: 12, script: 260_000 }],
    ['a form with rich text', () => `/content/article/${article}`, { files: 12, script: 330_000 }],
  ])('of %s takes few files, few bytes, and moves nothing', async (_name, pathOf, limit) => {
    const { scripts, styles, shift } = await load(pathOf());

    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.length).toBeLessThanOrEqual(limit.files);
    expect(sum(scripts)).toBeLessThanOrEqual(limit.script);
    expect(sum(styles)).toBeLessThanOrEqual(26_000);
    expect(shift).toBeLessThanOrEqual(0.02);
  });
}

function compressed(content: Buffer): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** In the page: how far what was in sight has moved, by the measure of the browser. */
const layoutShift = `new Promise((resolve) => {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) total += entry.hadRecentInput ? 0 : entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(total), 100);
})` as unknown as () => Promise<number>;
