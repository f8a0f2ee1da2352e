import type { TestHost } from '../../../support/platform';
import { findingsInOppositeLooks } from '../support/all-looks';
import { create, idsOf } from '../support/content';
import { choose, query, shown as pageShows, viewTab } from '../support/lists';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

export function describeListRows(host: TestHost, tab: () => AdminTab): void {
  beforeAll(async () => {
    const catalog = await create(host.address, 'catalog', { code: 'beds', name: 'Garden beds' });
    for (let index = 0; index < 3; index += 1) {
      const image = '/admin/icon.svg';
      await create(host.address, 'product', {
        code: `P-${index}`,
        name: `Spade ${index}`,
        price: 12_345,
        catalog,
        image,
      });
    }
  });

  describe('a row of a list', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('shows choices, numbers and times as people read them, and the image beside the label where no column has it', async () => {
      const { page, go } = tab();
      await go('/content/product?columns=code,price,approvalStatus,createdAt');
      const row = page.getByRole('row').filter({ hasText: 'P-1' });

      await row.getByRole('cell', { name: 'Check', exact: true }).waitFor();
      await row.getByRole('cell', { name: '12,345', exact: true }).waitFor();
      expect(await row.locator('time').innerText()).toMatch(/ago|now/);
      expect(await row.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d .* UTC$/);
      expect(await row.getByRole('link', { name: 'P-1', exact: true }).locator('img').count()).toBe(1);
    });

    it('opens its item wherever it is clicked', async () => {
      const { page, go } = tab();
      await go('/content/product');
      await page.getByRole('row').filter({ hasText: 'P-2' }).getByRole('cell', { name: 'Spade 2' }).click();

      await page.getByRole('heading', { level: 1, name: 'P-2' }).waitFor();
    });

    it('has a menu of all that can be done with its item, by keyboard too', async () => {
      const { page, go } = tab();
      await go('/content/product?columns=code,name,price,approvalStatus');
      const button = page.getByRole('button', { name: /^More actions for P-0/ });
      await button.press('Enter');
      await page.locator('[role=menu] :focus').waitFor({ state: 'attached' });
      const entries = await page.getByRole('menuitem').allInnerTexts();
      expect(entries.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
        ...['Edit', 'Duplicate D', 'Copy link L'],
        // The cells that the type declares as editable in the list.
        ...['Edit Name …', 'Edit Price …', 'Edit Approval status …'],
        'Delete …',
      ]);
      // Where it is narrow, there are cards, without this menu.
      expect(await accessibilityFindings(page, '[role=menu]')).toEqual([]);
      await page.keyboard.press('Escape');
      await button.and(page.locator(':focus')).waitFor();

      await button.press('Enter');
      // The menu moves the focus to its first entry a moment after it is drawn.
      await page.locator('[role=menu] :focus').waitFor({ state: 'attached' });
      await page.getByRole('menuitem', { name: 'Delete …' }).press('Enter');
      await page.getByRole('dialog', { name: /^Delete product / }).waitFor();
      await page.keyboard.press('Escape');
      await button.and(page.locator(':focus')).waitFor();
    });
  });

  describe('the table of a list', () => {
    it('keeps the width of a column that the arrow keys changed, and how high its rows are', async () => {
      const { page, go, open } = tab();
      await go('/content/product');
      const edge = page.getByRole('separator', { name: 'Width of Name' });
      const stored = page.waitForResponse((response) => response.request().method() === 'PUT');
      await edge.press('ArrowRight');
      await edge.press('ArrowRight');
      const width = await edge.getAttribute('aria-valuenow');
      await stored;
      await choose(page, 'View', /Compact rows/);
      await page.locator('.items[data-compact]').waitFor();
      await page.waitForLoadState('networkidle');

      await open('/content/product');
      await page.locator('.items[data-compact]').waitFor();
      expect(await edge.getAttribute('aria-valuenow')).toBe(width);
      expect((await page.getByRole('columnheader', { name: 'Name' }).boundingBox())?.width).toBeCloseTo(
        Number(width),
        0,
      );
      await edge.press('Enter');
      expect(await edge.getAttribute('aria-valuetext')).toBe('automatic');
    });
  });

  describe('the filters of a list', () => {
    const by = (field: string, operator: string, value: string) => ({ field, operator, value });
    const shown = (count: number): Promise<void> => pageShows(tab().page, count);
    const add = async (field: string, operator: string, value: string, to: string): Promise<void> => {
      const { page } = tab();
      const [own = '', related] = field.split(': ');
      await page.getByLabel('Field', { exact: true }).selectOption({ label: own });
      if (related !== undefined) await page.getByLabel(`Field of ${own}`).selectOption({ label: related });
      await page.getByLabel('Operator').selectOption({ label: operator });
      await page.getByLabel('Add to').selectOption({ label: to });
      await page.getByLabel(`Value of ${field}`, { exact: true }).fill(value);
      await page.keyboard.press('Enter');
    };
    const codeOfCatalog = by('catalog.code', 'EQUALS', 'other');
    const codes = by('code', 'IN', '["P-1","P-2"]');

    beforeAll(async () => {
      const catalog = await create(host.address, 'catalog', { code: 'other', name: 'Other' });
      const beds = await create(host.address, 'catalog', { code: 'more-beds', name: 'Garden beds' });
      await create(host.address, 'category', { code: 'X-1', name: 'Rakes', catalog });
      await create(host.address, 'category', { code: 'P-1', name: 'Spades 1', catalog: beds });
      await create(host.address, 'category', { code: 'P-2', name: 'Spades 2', catalog: beds });
      for (const [code, startsOn] of [
        ['early', '2026-03-09'],
        ['middle', '2026-03-15'],
        ['late', '2026-03-20'],
      ]) {
        await create(host.address, 'promotion', { code, startsOn });
      }
    });
    afterEach(() => expect(tab().errors).toEqual([]));

    it('can be groups of which one holds, and be about fields of referenced items; address and view keep them', async () => {
      const { page, go } = tab();
      await go('/content/category');
      await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
      await page.getByLabel('Field', { exact: true }).waitFor();
      await add('Catalog: Code', 'equals', 'other', 'Any of these');
      await shown(1);
      // The next one is added to the group that was made.
      expect(await page.getByLabel('Add to').inputValue()).toBe('1');
      await add('Code', 'equals', 'P-1', 'Any of these (group 1)');
      await shown(2);
      const first = page.getByRole('group', { name: 'Group 1, any of' });
      expect(await first.innerText()).toMatch(
        /^Group 1, any of\s+Catalog: Code equals “other”\s+or\s+Code equals “P-1”/,
      );
      await add('Name', 'contains', 'Spade', 'All of these');
      await shown(1);
      const group = { any: [codeOfCatalog, by('code', 'EQUALS', 'P-1')] };
      expect(query(page).getAll('f')).toEqual([JSON.stringify(group), 'name.CONTAINS.Spade']);
      expect(await findingsInOppositeLooks(page, '.search-bar')).toEqual([]);
      await page.setViewportSize({ width: 390, height: 850 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.setViewportSize({ width: 1280, height: 900 });

      await choose(page, 'View', /Save as a new view/);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Chosen');
      await page.keyboard.press('Enter');
      await viewTab(page, 'Chosen').waitFor();
      await go('/content/category?view=all');
      await viewTab(page, 'Chosen').click();
      await shown(1);
      await page.getByRole('button', { name: 'Remove filter Name' }).press('Enter');
      await shown(2);
      await first.getByRole('button', { name: 'Remove filter Catalog: Code' }).press('Enter');
      await first.getByText('other').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove filter Code', exact: true }).press('Enter');
      await shown((await idsOf(host.address, 'category')).length);
      expect(query(page).getAll('f')).toEqual([]);
    });

    it('of an address can be deeper, and stay what they are when others are added', async () => {
      const { page, go } = tab();
      const deep = {
        any: [codeOfCatalog, { all: [codes, { any: [by('id', 'LESS_THAN', '1'), by('name', 'CONTAINS', '2')] }] }],
      };
      await go(`/content/category?${new URLSearchParams({ f: JSON.stringify(deep) })}`);
      await shown(2);
      const group = page.getByRole('group', { name: 'Group 1, any of' });
      await group.getByText('(Code is one of “P-1, P-2” and (Id less than “1” or Name contains “2”))').waitFor();
      expect(await findingsInOppositeLooks(page, '.search-bar')).toEqual([]);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await add('Catalog: Name', 'contains', 'Garden', 'All of these');
      await shown(1);
      expect(query(page).getAll('f')).toEqual([JSON.stringify(deep), 'catalog.name.CONTAINS.Garden']);
      await page.getByRole('button', { name: 'Remove the group of filters' }).click();
      await page.getByText('No results').waitFor();
    });

    it('that cannot be read or applied leave the list as it is, and say so', async () => {
      const { page, go, forgetErrors } = tab();
      const selectAll = () => page.getByRole('button', { name: /^Select all / });
      const five = '{"any":[{"any":[{"any":[{"any":[]}]}]}]}';
      const search = new URLSearchParams();
      for (const text of ['{"any":"x"}', '{', five, 'secret.code.EQUALS.1']) search.append('f', text);
      await go(`/content/product?${search}`);
      await shown((await idsOf(host.address, 'product')).length);
      expect(await page.getByRole('status').allInnerTexts()).toContainEqual(expect.stringContaining('secret.code'));

      await go('/content/promotion?f=startsOn.CONTAINS.spring&f=code.EQUALS.late');
      await shown(1);
      await page
        .getByText(/A filter is not applied: the value "spring" for startsOn must be a .*2026-03\. Remove it/)
        .waitFor();
      expect(await findingsInOppositeLooks(page, '.list-page')).toEqual([]);
      forgetErrors();
      // All items of the list would be more than the filters say.
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).check();
      await page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
      expect(await selectAll().count()).toBe(0);
      await page.getByRole('button', { name: 'Remove filter First day' }).click();
      await page.getByText('A filter is not applied').waitFor({ state: 'detached' });
      await selectAll().waitFor();
      expect(query(page).getAll('f')).toEqual(['code.EQUALS.late']);
    });

    it.each([
      ['startsOn.CONTAINS.2026-03-1', 1, 'First day between “10 Mar 2026, 19 Mar 2026”'],
      ['startsOn.STARTS_WITH.2026-0', 3, 'First day between “1 Jan 2026, 30 Sept 2026”'],
      ['startsOn.LESS_THAN.2026-03-1', 1, 'First day before “10 Mar 2026”'],
      ['startsOn.MORE_THAN.2026-03-1', 2, 'First day between “10 Mar 2026, 31 Dec 9999”'],
      ['startsOn.CONTAINS.2026-03', 3, 'First day contains “2026-03”'],
    ])('on the text of days, as %s, are filters on these days', async (filter, count, text) => {
      const { page, go } = tab();
      await go(`/content/promotion?f=${filter}`);
      await shown(count);
      expect(await page.getByRole('group', { name: 'Filters' }).innerText()).toContain(text);
    });
  });
}
