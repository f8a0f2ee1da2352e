import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { create, createMany, remove } from '../support/content';
import { chooseByKeyboard, chooseInRow, shown } from '../support/lists';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';
import { describeListTable } from './list-table';

/** By the query client of the pages, which the tree of React has. */
const readItemsAgain = `(() => {
  const root = document.getElementById('root');
  const container = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
  const find = (node) => node && (node.memoizedProps?.client ?? find(node.child) ?? find(node.sibling));
  return find(root[container].stateNode.current).invalidateQueries({ queryKey: ['items'] });
})()`;

export function describeLists(host: TestHost, tab: () => AdminTab): void {
  beforeAll(async () => {
    await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
    const products = Array.from({ length: 210 }, (_, index) => ({
      code: `P-${1000 + index}`,
      name: `Spade ${index}`,
      price: index,
      catalog: 'garden',
      image: index % 2 === 0 ? '/admin/icon.svg' : null,
    }));
    await createMany(host.address, 'product', products);
    await create(
      host.address,
      'gauge',
      '{"name":"Deep","long":9007199254740993,"exact":1234567890123456789.123456789}',
    );
  });

  function addEvent(name: string): Promise<number> {
    return create(host.address, 'event', { code: name });
  }

  describe('the table of a type', () => describeListTable(tab));

  describe('the list of a type', () => {
    afterEach(() => {
      expect(tab().errors).toEqual([]);
      expect(tab().outside).toEqual([]);
    });

    it('keeps only rows in sight in the document, and brings the others while scrolling', async () => {
      const { page, go } = tab();
      await go('/content/product?limit=200');
      await page.getByRole('cell', { name: 'P-1209', exact: true }).waitFor();
      expect(await page.getByRole('row').count()).toBeLessThan(40);

      await page.getByRole('region', { name: 'Items of Product' }).focus();
      // The end is where it seems to be: rows that come into sight may be higher than estimated.
      await eventually(async () => {
        await page.keyboard.press('End');
        return page.getByRole('cell', { name: 'P-1010', exact: true }).isVisible();
      });
    });

    it('pages forward and back by cursor, and says where one is', async () => {
      const { page, go } = tab();
      await go('/content/product');
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('cell', { name: 'P-1159', exact: true }).waitFor();
      expect(page.url()).toContain('after=');
      await page.getByText('51–100 of 210').waitFor();

      await page.getByRole('button', { name: 'Previous page' }).click();
      await page.getByRole('cell', { name: 'P-1209', exact: true }).waitFor();
      await page.getByText('1–50 of 210').waitFor();
    });

    it('says that a page is on its way, and goes one step however often one clicks meanwhile', async () => {
      const { page, go } = tab();
      await go('/content/product?columns=code');
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/product/list?*after*', async (route) => {
        await held;
        await route.continue();
      });
      const next = page.getByRole('button', { name: 'Next page' });
      await next.click();
      await page.getByRole('status').filter({ hasText: 'Loading …' }).waitFor();
      await next.click({ force: true });
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      answer();
      await page.getByRole('cell', { name: 'P-1159', exact: true }).waitFor();
      await page.unroute('**/product/list?*after*');

      await page.getByRole('button', { name: 'Previous page' }).click();
      await page.getByRole('cell', { name: 'P-1209', exact: true }).waitFor();
    });

    it('says the place of an item that was opened from it, and leads from one item to the next', async () => {
      const { page, go } = tab();
      await go('/content/product?sort=price');
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('link', { name: 'Spade 50', exact: true }).click();
      await page.getByText('51 of 210', { exact: true }).waitFor();
      const previous = page.getByRole('button', { name: 'Previous item' });
      expect(await previous.getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('button', { name: 'Next item' }).click();
      await page.getByRole('heading', { level: 1, name: 'Spade 51' }).waitFor();
      await page.getByText('52 of 210', { exact: true }).waitFor();
      await previous.click();
      await page.getByRole('heading', { level: 1, name: 'Spade 50' }).waitFor();

      await page.goBack();
      await page.getByText('51–100 of 210').waitFor();
      await go('/content/product');
      await page.getByRole('cell', { name: 'P-1209', exact: true }).waitFor();
    });

    it('is found again as it was left: with its filters, its order and its page', async () => {
      const { page, go } = tab();
      await go('/content/product?f=name.CONTAINS.spade&sort=price');
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('cell', { name: 'P-1050', exact: true }).waitFor();
      const left = page.url();
      await page.getByRole('link', { name: 'Spade 50', exact: true }).click();
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
      await page.getByRole('cell', { name: 'P-1050', exact: true }).waitFor();
      expect(page.url()).toBe(left);

      await page.getByRole('link', { name: 'Spade 50', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'P-1050' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Previous page' }).click();
      await page.getByRole('cell', { name: 'P-1000', exact: true }).waitFor();
    });

    it('is found again with the rows that were in sight, but begins at its top where one opens it again', async () => {
      const { page, go } = tab();
      const table = page.getByRole('region', { name: 'Items of Product' });
      const openLast = async (): Promise<void> => {
        await table.press('End');
        await page.getByRole('link', { name: 'Spade 162', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'P-1162' }).waitFor();
      };
      await go('/content/product');
      await openLast();
      await page.goBack();
      await page.getByRole('cell', { name: 'P-1162', exact: true }).waitFor();
      await openLast();
      await page.keyboard.press('Escape');
      await page.getByRole('cell', { name: 'P-1162', exact: true }).waitFor();

      await page.getByRole('button', { name: 'Price', exact: true }).click();
      await page.getByRole('cell', { name: 'P-1000', exact: true }).waitFor();
      await table.press('End');
      await page.getByRole('link', { name: 'Spade 47', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'P-1047' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Product' }).click();
      await page.getByRole('cell', { name: 'P-1209', exact: true }).waitFor();
    });

    it('shows what items refer to by its newest name, however soon one comes back', async () => {
      const { page, go } = tab();
      const catalog = await create(host.address, 'catalog', { code: 'old-name' });
      await create(host.address, 'category', { code: 'beds', catalog });
      await go('/content/category');
      await page.getByRole('link', { name: 'old-name' }).click();
      // The list stays until the item has come; it has a filter of the same label.
      await page.getByRole('heading', { level: 1, name: 'old-name' }).waitFor();
      await page.getByRole('textbox', { name: 'Name' }).fill('New name');
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { level: 1, name: 'New name' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Categories' }).click();
      await page.getByRole('link', { name: 'New name' }).waitFor();
    });

    it('keeps the focus near, whatever goes or can do nothing any more', async () => {
      const { page, go } = tab();
      const focused = (selector: string) => page.locator(`:focus${selector}`).waitFor();
      await go('/content/product');
      await page.getByRole('textbox', { name: 'Search name and code' }).fill('Q');
      await page.getByRole('button', { name: 'Clear search' }).press('Enter');
      await focused('[aria-label="Search name and code"]');
      await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
      await focused('[aria-label="Field"]');
      await page.getByLabel('Value of Code').fill('Q');
      await page.getByRole('button', { name: 'Clear value' }).press('Enter');
      await focused('[aria-label="Value of Code"]');
      await page.getByLabel('Value of Code').fill('P-1');
      await page.getByRole('button', { name: 'Add filter' }).press('Enter');
      await page.getByRole('button', { name: 'Remove filter Code' }).waitFor();
      await focused('[aria-label="Value of Code"]');
      await page.getByRole('button', { name: 'Remove filter Code' }).press('Enter');
      await page.locator(':focus', { hasText: 'Filter' }).waitFor();

      const next = page.getByRole('button', { name: 'Next page' });
      for (const last of ['P-1159', 'P-1109', 'P-1059', 'P-1009']) {
        await next.press('Enter');
        await page.getByRole('cell', { name: last, exact: true }).waitFor();
      }
      expect(await next.isDisabled()).toBe(true);
      await focused('[aria-label="Next page"]');

      await page.getByRole('checkbox', { name: /^Select P-1009/ }).press('Space');
      await page.getByRole('button', { name: /^Select all / }).press('Enter');
      await focused('.items');
      await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
      await focused('.items');

      await chooseByKeyboard(page, 'View', 'Save as a new view …');
      // By then the dialog has noted what had the focus before it.
      await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'View', exact: true }).and(page.locator(':focus')).waitFor();
    });

    it('keeps the focus with its item while others come and go, and gives it to the table when that item goes', async () => {
      const { page, go } = tab();
      const focused = (selector: string) => page.locator(`:focus${selector}`).waitFor();
      const [first, , third] = [await addEvent('a'), await addEvent('b'), await addEvent('c')];
      const refreshed = async (newest: string): Promise<void> => {
        await addEvent(newest);
        // By the query client, so that no button gets the focus.
        await page.evaluate(readItemsAgain);
        await page.getByRole('link', { name: newest, exact: true }).waitFor();
      };
      await go('/content/event');
      await page.getByRole('link', { name: 'b', exact: true }).focus();
      await remove(host.address, 'event', third);
      await refreshed('d');
      await focused('.label-link');
      expect(await page.locator(':focus').innerText()).toBe('b');

      await page.getByRole('button', { name: 'More actions for a' }).focus();
      await remove(host.address, 'event', first);
      await refreshed('e');
      await focused('.items');
    });

    it('scrolls on by keys when the row with the focus is out of sight', async () => {
      const { page, go } = tab();
      await go('/content/product?limit=200');
      const link = page.getByRole('link', { name: 'Spade 208', exact: true });
      await page.evaluate(
        `document.querySelector('.items').addEventListener('scrollend', ({ target }) => (target.dataset.scrolled = 'yes'))`,
      );
      await link.focus();
      // A key that comes while the list is still being drawn may not scroll it.
      await eventually(async () => {
        await page.keyboard.press('PageDown');
        return (await link.count()) === 0;
      });
      await page.locator('.items:focus').waitFor();
      // Chromium ignores a key that scrolls while it still animates the key before.
      await page.locator('.items[data-scrolled]').waitFor();
      // The end is where it seems to be: rows that come into sight may be higher than estimated.
      await eventually(async () => {
        await page.keyboard.press('End');
        return page.getByRole('cell', { name: 'P-1010', exact: true }).isVisible();
      });
    });

    it('keeps the question of a deletion open until the platform has answered', async () => {
      const { page, go } = tab();
      await addEvent('doomed');
      await go('/content/event');
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/items/event/*', async (route) => {
        if (route.request().method() === 'DELETE') await held;
        await route.continue();
      });
      await chooseInRow(page, 'doomed', 'Delete …');
      const dialog = page.getByRole('dialog', { name: /^Delete event / });
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
      answer();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'doomed', exact: true }).waitFor({ state: 'detached' });
      await page.unroute('**/items/event/*');
    });

    it('leaves out an item that somebody has deleted while it was to be deleted', async () => {
      const { page, go } = tab();
      const id = await addEvent('gone');
      await go('/content/event');
      await chooseInRow(page, 'gone', 'Delete …');
      await remove(host.address, 'event', id);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Event gone was already deleted').waitFor();
      await page.getByRole('link', { name: 'gone', exact: true }).waitFor({ state: 'detached' });
      tab().forgetErrors();
    });

    it('filters with the operators of the field, as chips, with the address as the only state', async () => {
      const { page, go } = tab();
      await go('/content/product');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field').selectOption('Price');
      expect(await page.getByLabel('Operator').locator('option').allInnerTexts()).toEqual([
        ...['equals', 'more than', 'less than', 'is not', 'is one of', 'is empty', 'between'],
      ]);
      await page.getByLabel('Operator').selectOption('less than');
      await page.getByLabel('Value of Price').fill('3');
      await page.keyboard.press('Enter');
      await shown(page, 3);

      await page.getByLabel('Field').selectOption('Name');
      expect(await page.getByLabel('Operator').locator('option').allInnerTexts()).toEqual([
        ...[
          'contains',
          'equals',
          'more than',
          'less than',
          'is not',
          'is one of',
          'is empty',
          'between',
          'starts with',
        ],
      ]);
      await page.getByLabel('Value of Name').fill('spade 2');
      await page.getByRole('button', { name: 'Add filter' }).click();
      await shown(page, 1);

      await page.goBack();
      await shown(page, 3);
      await page.reload();
      await shown(page, 3);
      await page.getByRole('button', { name: 'Remove filter Price' }).click();
      await shown(page, 50);
    });

    it('offers the options of a field as choices', async () => {
      const { page, go } = tab();
      await go('/content/product');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field').selectOption('Approval status');

      const choices = await page.getByLabel('Value of Approval status').locator('option').allInnerTexts();
      expect(choices.slice(1)).toEqual(['Check', 'Approved', 'Unapproved']);
    });

    it('filters by what items refer to, which goes by its name', async () => {
      const { page, go } = tab();
      await go('/content/category');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field').selectOption('Catalog');
      const picker = page.getByRole('combobox', { name: 'Value of Catalog' });
      await picker.click();
      await page.getByRole('option', { name: /^Garden tools/ }).click();
      expect(await picker.inputValue()).toBe('Garden tools');
      await page.getByRole('button', { name: 'Clear choice' }).press('Enter');
      await picker.and(page.locator(':focus')).waitFor();
      await picker.press('ArrowDown');
      await page.getByRole('option', { name: /^Garden tools/ }).click();
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByText('Catalog equals “Garden tools”').waitFor();
      expect(await picker.inputValue()).toBe('');
    });

    it('sorts by a head of the table, up and down', async () => {
      const { page, go } = tab();
      await go('/content/product');
      await page.getByRole('button', { name: 'Price', exact: true }).click();
      await page.getByRole('cell', { name: 'P-1000', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Price', exact: true }).click();
      await page.getByRole('cell', { name: 'P-1209', exact: true }).waitFor();

      expect(new URL(page.url()).searchParams.get('sort')).toBe('-price');
      expect(await page.getByRole('columnheader', { name: 'Price' }).getAttribute('aria-sort')).toBe('descending');
    });

    it('makes two changes in a row, however close they follow', async () => {
      const { page, go } = tab();
      await go('/content/product?f=code.CONTAINS.P-10');
      await page.getByRole('button', { name: 'Clear all' }).waitFor();

      // Both before the platform can have answered the first.
      await page.evaluate(`for (const name of ['Name', 'Clear all']) {
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name).click();
    }`);

      await page.waitForURL(({ searchParams }) => searchParams.get('sort') === 'name' && !searchParams.has('f'));
    });

    it('tells nothing yet, no match and a lost page apart', async () => {
      const { page, go } = tab();
      await go('/content/promotion');
      await page.getByRole('heading', { name: 'No promotions yet' }).waitFor();
      await page.getByRole('link', { name: 'New promotion' }).waitFor();

      await go('/content/product?f=name.CONTAINS.nothing+of+the+kind');
      await page.getByRole('heading', { name: 'No results' }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await shown(page, 50);

      await go('/content/product?sort=price&after=of+another+list');
      await page.getByRole('button', { name: 'Go to the first page' }).click();
      await page.getByRole('cell', { name: 'P-1000', exact: true }).waitFor();
      tab().forgetErrors();
    });

    it('fits a narrow window, however long the name of the type', async () => {
      const { page, go } = tab();
      await page.setViewportSize({ width: 390, height: 850 });
      await go('/content/averylongclassnamewhosetableandindexesneednamesofmorethan63byte');
      await page.getByRole('link', { name: /^New AVery Long/ }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 900 });
    });

    it('shows every digit of a number', async () => {
      const { page, go } = tab();
      await go('/content/gauge/1');

      expect(await page.getByLabel('Long').inputValue()).toBe('9007199254740993');
      expect(await page.getByLabel('Exact').inputValue()).toBe('1234567890123456789.123456789');
    });

    it('exports all that the filters leave, and escapes what a spreadsheet would run', async () => {
      const { page, go } = tab();
      // Without it, as in most browsers: the question where to store the file has no answer.
      await create(host.address, 'article', { title: '=1+1', slug: 'sum' });
      await go('/content/article');
      await page.evaluate('(window.showSaveFilePicker = undefined)');
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Spreadsheet for editing (CSV, with ids)' }).click();

      const download = await downloading;
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      expect(download.suggestedFilename()).toBe('article.csv');
      expect(text).toContain('id,title,slug,body,image,createdAt,updatedAt,version');
      expect(text).toContain(",'=1+1,sum,");
    });
  });
}
