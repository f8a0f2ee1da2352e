import { askUntil } from '../../../support/ask-until';
import { heads } from '../support/lists';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

/** A list of 210 products, in windows of several widths. */
export function describeListTable(tab: () => AdminTab): void {
  afterEach(async () => {
    await tab().page.setViewportSize({ width: 1280, height: 900 });
    expect(tab().errors).toEqual([]);
  });

  it('shows what names the items first, then the columns in order, creation time, id and actions, in at most four requests', async () => {
    const { page, open, requests } = tab();
    await page.setViewportSize({ width: 1600, height: 900 });
    await open('/content/product');
    await page.getByRole('columnheader', { name: 'Actions' }).waitFor();

    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((text) => text.trim())).toEqual([
      'Name',
      'Code',
      'Price',
      'Catalog',
      'Catalog version',
      'Approval status',
      'Created',
      'Id',
      'Actions',
    ]);
    const row = page.getByRole('row').filter({ hasText: 'P-1208' });
    await row.getByRole('link', { name: 'Garden tools' }).waitFor();
    // The picture is decorative: the name beside it says what it shows.
    await row.getByRole('link', { name: 'Spade 208', exact: true }).locator('img').waitFor();
    await row.getByRole('button', { name: /^More actions/ }).waitFor();
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(await page.locator('.page-total').innerText()).toBe('210');
  });

  it('leaves out columns that have no room, those first that say the least, but none that was chosen', async () => {
    const { page, go } = tab();
    const at = async (width: number): Promise<readonly string[]> => {
      await page.setViewportSize({ width, height: 900 });
      return (await heads(page)).slice(0, -1);
    };
    // The table is drawn again a moment after the window has changed.
    const shows = (width: number, expected: readonly string[]): Promise<unknown> =>
      askUntil(
        () => at(width),
        (found) => found.join() === expected.join(),
      );
    await go('/content/product');
    const all = ['Name', 'Code', 'Price', 'Catalog', 'Catalog version', 'Approval status', 'Created', 'Id'];
    await shows(1600, all);
    await shows(1100, ['Name', 'Code', 'Price', 'Catalog version', 'Approval status']);
    await page.setViewportSize({ width: 1280, height: 900 });
    await go(
      '/content/product?columns=code,name,price,catalog,catalogVersion,approvalStatus,image,createdAt,updatedAt',
    );
    expect(await at(1100)).toHaveLength(10);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('shows cards where a table has no room, in which items can be selected', async () => {
    const { page, go } = tab();
    await page.setViewportSize({ width: 390, height: 850 });
    await go('/content/product');
    const card = page.getByRole('listitem').filter({ hasText: 'Spade 209' });
    await card.getByText('P-1209 · Garden tools').waitFor();
    await card.getByText('Check', { exact: true }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    // Filters are in sight without scrolling sideways.
    await go('/content/product?f=price.LESS_THAN.3&f=code.CONTAINS.P&f=name.CONTAINS.Spade');
    const filters = page.getByRole('group', { name: 'Filters' }).getByRole('button');
    await filters.first().waitFor();
    for (const filter of await filters.all()) {
      const { x = 0, width = 0 } = (await filter.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(390);
    }
    await go('/content/product');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Select items' }).click();
    await page.getByRole('checkbox', { name: /^Select P-1209/ }).check();
    await page.getByText('1 selected').first().waitFor();
    expect(await accessibilityFindings(page, 'main')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('checkbox').first().waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('counts up to a limit, and further on request', async () => {
    const { page, go } = tab();
    await page.route('**/product/list?*cappedTotal=true*', (route) =>
      route.fulfill({ json: { data: [], meta: { total: 10_000, isTotalCapped: true } } }),
    );
    await go('/content/product?sort=name');
    await page.getByText('1–50 of 10,000+').waitFor();
    await page.getByRole('button', { name: 'Count all' }).press('Enter');
    await page.getByText('1–50 of 210').waitFor();
    await page.locator('[role="status"]:focus').waitFor();
    await page.unroute('**/product/list?*cappedTotal=true*');
  });
}
