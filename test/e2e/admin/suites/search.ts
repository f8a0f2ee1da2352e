import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';
import { shown } from '../support/lists';

export function describeSearch(host: TestHost, tab: () => AdminTab): void {
  beforeAll(async () => {
    const catalog = await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
    const approvalStatus = ['CHECK', 'APPROVED'];
    for (let index = 0; index < 12; index += 1) {
      await create(host.address, 'product', {
        code: `P-${5000 + index}`,
        name: `Spade ${index}`,
        price: index,
        catalog,
        approvalStatus: approvalStatus[index % 2],
      });
    }
    await create(host.address, 'article', { title: 'How to choose a spade', slug: 'choose-a-spade' });
  });

  afterEach(() => {
    expect(tab().errors).toEqual([]);
    expect(tab().outside).toEqual([]);
  });

  describe('the search of a list', () => {
    const searchInput = () => tab().page.getByRole('textbox', { name: 'Search name and code' });

    it('finds items by their label fields as the reader types, and keeps the text in the address', async () => {
      const { page, go, requests } = tab();
      await go('/content/product');
      const before = requests.length;
      await page.keyboard.press('/');
      await page.keyboard.type('spade 1');
      await shown(page, 3);
      expect(new URL(page.url()).searchParams.get('q')).toBe('spade 1');
      expect(requests.slice(before).filter((url) => url.includes('/list')).length).toBeLessThanOrEqual(2);

      await searchInput().fill('p-5007');
      await shown(page, 1);
      await page.reload();
      await shown(page, 1);
      expect(await searchInput().inputValue()).toBe('p-5007');
      await page.goBack();
      await shown(page, 12);
      expect(await searchInput().inputValue()).toBe('');
    });

    it('has the choices of the type in sight, and other criteria behind a button', async () => {
      const { page, go } = tab();
      await go('/content/product');
      await page.getByRole('combobox', { name: 'Approval status' }).selectOption('CHECK');
      await shown(page, 6);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field').selectOption('Price');
      await page.getByLabel('Operator').selectOption('more than');
      await page.getByLabel('Value of Price').fill('5');
      await page.getByRole('button', { name: 'Add filter' }).click();
      await shown(page, 3);
      await searchInput().fill('spade 10');
      await shown(page, 1);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);

      await page.getByRole('button', { name: 'Clear search' }).click();
      await shown(page, 3);
      await page.getByRole('combobox', { name: 'Approval status' }).selectOption('');
      await page.getByRole('button', { name: 'Remove filter Price' }).click();
      await shown(page, 12);
    });

    it('limits what is done with all that match', async () => {
      const { page, go } = tab();
      await go('/content/product?q=spade%201');
      await page.evaluate('(window.showSaveFilePicker = undefined)');
      await shown(page, 3);
      const body = page.waitForRequest((request) => request.url().includes('/api/cms/exports/product'));
      await page.getByRole('button', { name: 'More', exact: true }).click();
      const download = page.waitForEvent('download').catch(() => undefined);
      await page
        .getByRole('menuitem', { name: /CSV\)$/ })
        .first()
        .click();
      expect(new URL((await body).url()).searchParams.get('q')).toBe('spade 1');
      await download;
    });

    it('offers to clear the search when nothing matches', async () => {
      const { page, go } = tab();
      await go('/content/product?q=nothing%20like%20this');
      await page.getByText('No results').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await shown(page, 12);
    });
  });

  describe('the palette', () => {
    const palette = () => tab().page.getByRole('dialog', { name: 'Go to' });
    const entries = () => palette().locator('[data-action]');

    async function ask(text: string): Promise<void> {
      const { page } = tab();
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.insertText(text);
    }

    it('finds items of all types, which the keyboard opens', async () => {
      const { page, go } = tab();
      await go('/');
      await ask('spade');
      await palette().getByText('How to choose a spade').waitFor();
      expect(await palette().getByText('All products with').count()).toBe(1);
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      await page.getByRole('textbox', { name: 'Go to' }).fill('p-5003');
      await entries().filter({ hasText: 'Spade 3' }).and(page.locator('[data-selected]')).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/content\/product\/4$/);
    });

    it('has the latest items of a type by the beginning of its name', async () => {
      const { page, go } = tab();
      await go('/');
      await ask('art');
      await entries()
        .last()
        .filter({ hasText: /Article$/ })
        .waitFor();
      // The page of the type comes first and is what Enter opens; its items come last.
      expect(await entries().first().innerText()).toMatch(/^Articles/);
      expect(await entries().first().getAttribute('data-selected')).toBe('true');
      await entries().filter({ hasText: 'How to choose a spade' }).click();
      await page.getByRole('heading', { level: 1, name: 'How to choose a spade' }).waitFor();
    });

    it('leads to all matches of a type', async () => {
      const { page, go } = tab();
      await go('/');
      await ask('spade');
      await palette().getByText('All products with').click();
      await shown(page, 12);
      expect(new URL(page.url()).searchParams.get('q')).toBe('spade');
    });

    it('shows pages that were open, and does what the page offers', async () => {
      const { page, go } = tab();
      await go('/content/article');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Catalogs' }).click();
      await page.getByRole('heading', { level: 1, name: 'Catalogs' }).waitFor();
      // The palette has what the head of the page offers at the moment when it is opened.
      await page.getByRole('main').getByRole('link', { name: 'New catalog' }).first().waitFor();
      await ask('');
      // Actions in the head of the page come first, then the previous page.
      await entries().nth(0).filter({ hasText: 'New catalog' }).waitFor();
      const offered = await entries().allInnerTexts();
      expect(offered.indexOf('Articles')).toBeGreaterThan(0);
      expect(offered.filter((label) => ['More', 'Refresh'].includes(label))).toEqual([]);
      await entries().nth(0).click();
      await page.getByRole('heading', { level: 1, name: 'New catalog' }).waitFor();
    });

    it('says what could not be searched, and tries again', async () => {
      const { page, go, forgetErrors } = tab();
      await go('/');
      const path = '**/api/cms/search*';
      await page.route(path, (route) =>
        route.fulfill({ status: 500, json: { error: { code: 'INTERNAL', message: 'Broken', requestId: 'r' } } }),
      );
      const answered = page.waitForResponse((response) => response.url().endsWith('q=spade'));
      await ask('spade');
      await answered;
      await palette().getByRole('alert').filter({ hasText: 'Broken' }).waitFor();
      await page.unroute(path);
      await palette().getByRole('button', { name: 'Retry' }).click();
      await palette().getByText('How to choose a spade').waitFor();
      forgetErrors();
    });
  });
}
