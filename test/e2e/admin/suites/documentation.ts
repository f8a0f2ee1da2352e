import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

/** The pages are for users and for authors of plugins. */
const forMaintainers = new Set(['architecture.md', 'dependencies.md']);

export function describeDocumentation(tab: () => AdminTab): void {
  describe('the documentation', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('shows every document, each linked from the list, with links that lead somewhere', async () => {
      const { page, go, outside } = tab();
      await go('/documentation');
      const list = page.getByRole('navigation', { name: 'Documents' });
      const titles = await list.getByRole('link').allTextContents();
      const files = readdirSync(join(__dirname, '../../../../docs')).filter(
        (name) => name.endsWith('.md') && !forMaintainers.has(name),
      );
      const ids = new Set<string>();
      const links: string[] = [];

      for (const title of titles) {
        const link = list.getByRole('link', { name: title, exact: true });
        const target = await link.getAttribute('href');
        await link.click();
        // The first document is shown without its name in the address until the link is followed.
        await page.waitForURL((url) => url.pathname === target);
        await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
        await page.locator('.document-body > *').first().waitFor();
        const path = new URL(page.url()).pathname;
        ids.add(path);
        for (const id of await idsOn(page)) ids.add(`${path}#${id}`);
        for (const href of await linksOn(page)) links.push(href.startsWith('#') ? `${path}${href}` : href);
      }

      expect(titles).toHaveLength(files.length);
      expect(links.length).toBeGreaterThan(20);
      expect(links.filter((link) => !ids.has(link) && !link.startsWith('https://'))).toEqual([]);
      expect(outside).toEqual([]);
    });

    it('is opened at a heading, and follows links without loading the application again', async () => {
      const { page, open } = tab();
      await open('/documentation/operations#temporal');
      await page.evaluate('globalThis.isSameDocument = true');
      const heading = await page.getByRole('heading', { level: 2, name: 'Temporal', exact: true }).boundingBox();
      expect(heading?.y).toBeGreaterThan(0);
      expect(heading?.y).toBeLessThan(300);

      await page.locator('article').getByRole('link', { name: 'orders', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();

      expect(await page.evaluate('globalThis.isSameDocument')).toBe(true);
    });

    // Tables of the latter have a corner without a text.
    it.each(['projects', 'security'])('is accessible: %s', async (name) => {
      const { page, go } = tab();
      await go(`/documentation/${name}`);
      await page.locator('.document-body > *').first().waitFor();

      expect(await accessibilityFindings(page)).toEqual([]);
    });

    it('says that a document does not exist', async () => {
      const { page, go } = tab();
      await go('/documentation/nothing');

      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Document not found');
    });
  });
}

function idsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(`Array.from(document.querySelectorAll('article [id]'), ({ id }) => id)`);
}

function linksOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(`Array.from(document.querySelectorAll('article a[href]'), (link) => link.getAttribute('href'))`);
}
