import { Client } from 'pg';
import type { Page } from 'playwright-core';
import type { TestHost } from '../../../support/platform';
import { findingsInOppositeLooks } from '../support/all-looks';
import { change, create, createSpades } from '../support/content';
import { choose, drag, heads, press, query, shown, viewTab } from '../support/lists';
import type { AdminTab } from '../support/open-pages';

export function describeViews(host: TestHost, tab: () => AdminTab): void {
  /** Ids, in the order of their codes. */
  let products: readonly number[] = [];

  beforeAll(async () => {
    products = await createSpades(host.address);
  });

  afterEach(() => expect(tab().errors).toEqual([]));

  const findings = (part: string): Promise<readonly string[]> => findingsInOppositeLooks(tab().page, part);

  describe('the columns of a list', () => {
    it('are chosen and put in order by keyboard, without asking for the items again', async () => {
      const { page, open, requests } = tab();
      await open('/content/product?f=price.LESS_THAN.3');
      expect(requests.length).toBeLessThanOrEqual(4);
      await choose(page, 'View', 'Columns …');
      await page.getByRole('checkbox', { name: 'Catalog', exact: true }).press('Space');
      await page.getByRole('checkbox', { name: 'Version', exact: true }).press('Space');
      await page.getByRole('button', { name: 'Move up Price' }).press('Enter');
      // The focus goes with the column.
      await page.keyboard.press('Enter');
      expect(await findings('[role=dialog]')).toEqual([]);
      const before = requests.length;
      await press(page, 'Apply once');

      await page.getByRole('columnheader', { name: 'Version', exact: true }).waitFor();
      const expected = ['Name', 'Price', 'Code', 'Catalog version', 'Approval status', 'Created'];
      expect(await heads(page)).toEqual([...expected, 'Version', 'Id', 'Actions']);
      expect(query(page).get('columns')).toBe('price,code,name,catalogVersion,approvalStatus,createdAt,version');
      expect(requests.length).toBe(before);

      await page.goBack();
      await page.getByRole('columnheader', { name: 'Catalog', exact: true }).waitFor();
    });

    it('are put in order by dragging, and kept for the type until they are reset', async () => {
      const { page, go, open } = tab();
      await go('/content/product');
      await choose(page, 'View', 'Columns …');
      await page.getByRole('checkbox', { name: 'Catalog', exact: true }).click();
      await drag(page, 0, 1);
      await page.getByRole('status').getByText('Code is now 2 of').waitFor();
      await press(page, 'Save as my default');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await open('/content/product');
      expect(await heads(page)).not.toContain('Catalog');
      expect((await heads(page)).slice(0, 3)).toEqual(['Name', 'Code', 'Price']);

      await choose(page, 'View', 'Columns …');
      const all = page.getByRole('checkbox', { name: 'All columns' });
      await all.click();
      expect(await page.getByRole('checkbox', { name: 'Catalog', exact: true }).isChecked()).toBe(true);
      await all.click();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
      await press(page, 'Reset');
      await press(page, 'Save as my default');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await open('/content/product');
      expect(await heads(page)).toContain('Catalog');
    });

    it('and a sort order that the type does not have are left out, and named', async () => {
      const { page, go } = tab();
      await go('/content/product?columns=code,weight&sort=-depth&f=colour.EQUALS.red');

      expect(await heads(page)).toEqual(['Code', 'Id', 'Actions']);
      const notices = await page.getByRole('status').allInnerTexts();
      expect(notices.join(' ')).toMatch(/colour.*weight.*depth/s);
    });
  });

  describe('a saved view', () => {
    it('keeps filters, sorting, size and columns, and opens by its address', async () => {
      const { page, go } = tab();
      await go('/content/product?f=price.LESS_THAN.3&sort=price&limit=100&columns=code,price');
      await choose(page, 'View', /Save as a new view/);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cheap');
      await page.keyboard.press('Enter');
      await viewTab(page, 'Cheap').waitFor();

      const address = page.url();
      await go('/content/article');
      await page.goto(address);
      await viewTab(page, 'Cheap').waitFor();
      await shown(page, 3);
      expect(await heads(page)).toEqual(['Code', 'Price', 'Id', 'Actions']);
    });

    it('shows that the list differs from it, and takes the difference over', async () => {
      const { page } = tab();
      await page.getByRole('button', { name: 'Price', exact: true }).click();
      await choose(page, 'View', 'Save the changes to this view');
      await viewTab(page, 'Cheap').waitFor();
      await page.getByRole('button', { name: 'Remove filter Price' }).click();
      await shown(page, 60);

      await viewTab(page, 'Cheap (changed)').click();
      await shown(page, 3);
      expect(query(page).get('sort')).toBe('-price');
    });

    it('is renamed, and refuses the name of another one', async () => {
      const { page } = tab();
      await choose(page, 'View', /Save as a new view/);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(' cheap ');
      await page.keyboard.press('Enter');
      await page.getByText('Another view has this name.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await choose(page, 'View', /Rename/);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bargains');
      await page.keyboard.press('Enter');

      await viewTab(page, 'Bargains').waitFor();
    });

    it('opens by default, and leaves the way to all items free', async () => {
      const { page, open, requests } = tab();
      await choose(page, 'View', 'Open it by default');
      await page.getByText('The list opens with Bargains').waitFor();
      await open('/content/product');
      await shown(page, 3);
      expect(query(page).getAll('f')).toEqual(['price.LESS_THAN.3']);
      expect(requests.length).toBeLessThanOrEqual(4);

      await press(page, 'View');
      expect(await findings('[role=menu]')).toEqual([]);
      await page.keyboard.press('Escape');
      await viewTab(page, 'All').click();
      await shown(page, 50);
    });

    it('does not move a list that is read already when it comes to be known late', async () => {
      const { page } = tab();
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const locking = new Client({ connectionString: host.databaseUrl });
      await locking.connect();
      await locking.query('BEGIN; LOCK TABLE admin_ui_preference');
      await page.route('**/admin/api/preferences', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${host.address}/admin/content/product`);
      await shown(page, 50);
      await locking.end();
      release();
      await viewTab(page, 'Bargains').waitFor();
      await page.unroute('**/admin/api/preferences');
      expect(query(page).getAll('f')).toEqual([]);
      await shown(page, 50);

      await page.getByRole('navigation').getByRole('link', { name: 'Products', exact: true }).first().click();
      await shown(page, 3);
    });

    it('that another tab saves meanwhile is not lost', async () => {
      const { page, go } = tab();
      await go('/content/product?view=all');
      const other = await page.context().newPage();
      await other.goto(`${host.address}/admin/content/product?view=all`);
      for (const [where, name] of [
        [other, 'Theirs'],
        [page, 'Mine'],
      ] as const) {
        await choose(where, 'View', /Save as a new view/);
        await where.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
        await where.keyboard.press('Enter');
        await viewTab(where, name).waitFor();
      }
      // It does not know of the other one yet.
      await choose(other, 'View', /Rename/);
      await other.getByRole('textbox', { name: 'Name', exact: true }).fill('mine');
      await other.keyboard.press('Enter');
      await other.getByText('Another view has this name.').waitFor();
      await other.close();
      tab().forgetErrors();

      await viewTab(page, 'Theirs').waitFor();
      await viewTab(page, 'Bargains').waitFor();
      await choose(page, 'View', /Delete/);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await viewTab(page, 'Mine').waitFor({ state: 'detached' });
    });

    it('is missed, but the list works, while what is kept cannot be read', async () => {
      const { page, open } = tab();
      const locking = new Client({ connectionString: host.databaseUrl });
      await locking.connect();
      await locking.query('BEGIN; LOCK TABLE admin_ui_preference');
      await page.route('**/admin/api/preferences', (route) => route.fulfill({ status: 503, body: '{}' }));
      await open('/content/product');
      await locking.end();
      await shown(page, 50);
      await press(page, 'View');
      await page.getByText(/Saved views cannot be read now/).waitFor();
      await page.keyboard.press('Escape');
      await page.unroute('**/admin/api/preferences');
      tab().forgetErrors();
    });
  });

  describe('a favourite', () => {
    it('is at the top of the navigation until it is taken away', async () => {
      const { page, open } = tab();
      await open('/content/product?view=all');
      const star = page.getByRole('button', { name: /^Favourite:/ });
      let [stored, answer] = [0, (): void => undefined];
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/preferences/favourites', async (route) => {
        stored += 1;
        await held;
        await route.continue();
      });
      await star.dblclick();
      answer();
      await page.getByRole('group', { name: 'Favourites' }).getByRole('link', { name: 'Product' }).waitFor();
      expect(stored).toBe(1);
      await page.unroute('**/preferences/favourites');
      await open('/');
      await page.getByRole('group', { name: 'Favourites' }).getByRole('link', { name: 'Product' }).click();
      await star.click();

      await page.getByRole('group', { name: 'Favourites' }).waitFor({ state: 'detached' });
    });
  });

  describe('selected items', () => {
    const box = (page: Page, index: number) =>
      page.getByRole('checkbox', { name: `Select P-${1000 + index} `, exact: false });

    it('are none of another filter: what is ticked while its items are on their way counts for the filter before', async () => {
      const { page, go } = tab();
      await go('/content/product?view=all');
      await box(page, 58).waitFor();
      let answer = (): void => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/product/list?*sort*', async (route) => {
        await held;
        await route.continue();
      });
      await viewTab(page, 'Bargains').click();
      await viewTab(page, 'Bargains').waitFor();
      await box(page, 58).press('Space');
      answer();
      await shown(page, 3);
      expect(await page.getByRole('group', { name: 'Selected items' }).count()).toBe(0);
      await page.unroute('**/product/list?*sort*');
    });

    it('are ticked by mouse and keyboard, with Shift for all between, and survive paging', async () => {
      const { page, go } = tab();
      await go('/content/product?view=all');
      await box(page, 58).click();
      // Beside the box: all of its cell is the target.
      const cell = page.getByRole('row').filter({ hasText: 'P-1055' }).getByRole('cell').first();
      await cell.click({ modifiers: ['Shift'], position: { x: 4, y: 4 } });
      await page.getByText('4 selected').first().waitFor();
      await box(page, 53).focus();
      await page.keyboard.press('Shift+Space');
      await page.getByText('6 selected').first().waitFor();
      await press(page, 'Next page');
      await box(page, 3).press('Space');
      expect((await page.getByRole('status').allInnerTexts()).join(' ')).toContain('7 selected');

      await press(page, 'Previous page');
      await box(page, 58).waitFor();
      expect(await box(page, 55).isChecked()).toBe(true);
    });

    it('get a value, four at a time; what failed is named and tried again', async () => {
      const { page } = tab();
      await change(host.address, 'product', products[3] ?? 0, { name: 'Spade of another editor' });
      let [now, most] = [0, 0];
      await page.route('**/api/cms/items/product/*', async (route) => {
        // The list is read again meanwhile, too.
        if (route.request().method() === 'PATCH') most = Math.max(most, (now += 1));
        await route.continue();
      });
      page.on('requestfinished', (request) => (request.method() === 'PATCH' ? (now -= 1) : now));
      await press(page, 'Edit …');
      const edit = page.getByRole('button', { name: 'Edit 7 products' });
      expect(await edit.isDisabled()).toBe(true);
      await page.getByLabel('Field to edit').selectOption('Price');
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('7.5');
      const preview = page.getByRole('table', { name: 'Preview' });
      expect(await preview.getByRole('cell', { name: '7.5', exact: true }).count()).toBe(3);
      await press(page, 'Edit 7 products');
      await page.getByText('6 of 7 changed, 1 failed', { exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'Failed items' })
        .getByText(/It was changed after it was selected/)
        .waitFor();
      await press(page, 'Retry the failed item');
      await page.getByText('7 of 7 changed', { exact: true }).waitFor();
      await page.unroute('**/api/cms/items/product/*');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

      expect(most).toBeLessThanOrEqual(4);
      tab().forgetErrors();
      await page.getByRole('group', { name: 'Selected items' }).waitFor({ state: 'detached' });
      await page
        .getByRole('row')
        .filter({ hasText: 'P-1058' })
        .getByRole('cell', { name: /^7\.50*$/ })
        .waitFor();
    });

    it('are refused at once when the value itself is wrong', async () => {
      const { page } = tab();
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).click();
      await press(page, 'Edit …');
      await page.getByLabel('Field to edit').selectOption('Price');
      await page.getByRole('textbox', { name: 'Price', exact: true }).fill('much');
      await press(page, 'Edit 50 products');
      await page
        .getByRole('alert')
        .getByText(/number/)
        .waitFor();
      const shown = await page.getByText(/^0 of 50 changed, \d failed$/).innerText();

      expect(Number(/(\d) failed/.exec(shown)?.[1])).toBeLessThanOrEqual(4);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      tab().forgetErrors();
    });

    it('can be read and reached by everybody', async () => {
      const { page, go } = tab();
      await create(host.address, 'promotion', { name: 'Spring', code: 'spring', products: [products[1]] });
      await go('/content/product?f=name.CONTAINS.spade+1&columns=code,name');
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).press('Space');
      expect(await findings('.list-page')).toEqual([]);
    });

    it('are deleted as far as nothing refers to them: all that match, after their number was named', async () => {
      const { page } = tab();
      await page.getByRole('button', { name: /^Select all / }).click();
      await press(page, 'Delete …');
      await page.getByText('All 11 products that match the filters').waitFor();
      await press(page, 'Delete 11 products');

      await page.getByText('10 of 11 deleted, 1 failed', { exact: true }).waitFor();
      await page.locator('[role=dialog] :focus').waitFor({ state: 'attached' });
      await page.getByText(/Not deleted, because 1 item refers to it \(promotion/).waitFor();
      expect(await findings('[role=dialog]')).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
      // The failed item is still selected.
      await page.locator('.page-total', { hasText: /^1$/ }).waitFor();
      tab().forgetErrors();
    });
  });
}
