import type { TestHost } from '../../../support/platform';
import { change, create, readText } from '../support/content';
import { chooseByKeyboard } from '../support/lists';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

export function describeCellEdit(host: TestHost, tab: () => AdminTab): void {
  describe('a cell of a column that its type declares as editable', () => {
    const product = { id: 0 };

    beforeAll(async () => {
      const catalog = await create(host.address, 'catalog', { code: 'cells' });
      product.id = await create(host.address, 'product', { code: 'CELL', name: 'Hoe', price: 5, catalog });
    });

    beforeEach(async () => {
      await tab().go('/content/product?q=CELL');
      await row().waitFor();
    });

    const row = () => tab().page.getByRole('row').filter({ hasText: 'CELL' });
    const editor = (field: string) => tab().page.getByRole('dialog', { name: `Edit ${field} of CELL (${product.id})` });
    const stored = () => readText(host.address, 'product', product.id);

    /** From the menu of the row, as one does without a mouse. */
    async function edit(field: string): Promise<void> {
      await chooseByKeyboard(tab().page, `More actions for CELL (${product.id})`, `Edit ${field} …`);
      await editor(field).locator(':focus').waitFor();
    }

    it('is changed with Enter, and its row has the focus then', async () => {
      const { page } = tab();
      await edit('Price');
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('7.25');
      await page.keyboard.press('Enter');

      await editor('Price').waitFor({ state: 'detached' });
      await row().getByRole('cell', { name: '7.25' }).waitFor();
      expect(await stored()).toContain('"price":7.2500');
      await row()
        .getByRole('button', { name: /^More actions/ })
        .and(page.locator(':focus'))
        .waitFor();
    });

    it('is left as it is by Escape, after anything was typed', async () => {
      const { page } = tab();
      await row().hover();
      await page.getByTitle(`Edit Name of CELL (${product.id})`).click();
      await editor('Name').locator(':focus').waitFor();
      await page.keyboard.type('Something else');
      await page.keyboard.press('Escape');

      await editor('Name').waitFor({ state: 'detached' });
      expect(await stored()).toContain('"name":"Hoe"');
    });

    it('says what is wrong with a value, and keeps what was typed', async () => {
      const { page } = tab();
      await edit('Price');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('cheap');
      await page.keyboard.press('Enter');

      await editor('Price').getByText('Price must be a number').waitFor();
      expect(await editor('Price').getByLabel('Price').inputValue()).toBe('cheap');
      tab().forgetErrors();
    });

    it('shows the value that somebody else has stored meanwhile, and replaces it only when asked to again', async () => {
      const { page } = tab();
      await edit('Name');
      await change(host.address, 'product', product.id, { name: 'Rake' });
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Fork');
      await page.keyboard.press('Enter');

      await editor('Name').getByRole('alert').getByText('Name is now: Rake.').waitFor();
      expect(await stored()).toContain('"name":"Rake"');
      await editor('Name').getByRole('button', { name: 'Save' }).click();
      await editor('Name').waitFor({ state: 'detached' });
      expect(await stored()).toContain('"name":"Fork"');
      tab().forgetErrors();
    });

    it('keeps what somebody else has changed in another field', async () => {
      const { page } = tab();
      await edit('Name');
      await change(host.address, 'product', product.id, { price: 9 });
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Trowel');
      await page.keyboard.press('Enter');

      await editor('Name').waitFor({ state: 'detached' });
      expect(await stored()).toContain('"name":"Trowel"');
      expect(await stored()).toContain('"price":9.0000');
      tab().forgetErrors();
    });
  });

  describe('a form with tabs and conditions', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    const panel = (name: string) => tab().page.getByRole('tabpanel', { name });
    const choose = async (kind: string): Promise<void> => {
      await tab().page.getByRole('combobox', { name: 'Kind' }).click();
      await tab().page.getByRole('option', { name: kind, exact: true }).click();
    };

    it('shows fields only while their conditions hold, and keeps what was typed', async () => {
      const { page, go } = tab();
      await go('/content/banner/new');
      await page.locator('#field-name:focus').waitFor();
      await page.keyboard.type('Spring');
      expect(await page.getByLabel('Address').isVisible()).toBe(false);
      await choose('Link');
      await page.getByLabel('Address').fill('/spring');
      await page.getByLabel('Label of the link').fill('Spring sale');
      await choose('Text');
      expect(await page.getByLabel('Label of the link').isVisible()).toBe(false);
      await choose('Link');
      expect(await page.getByLabel('Label of the link').inputValue()).toBe('Spring sale');
      expect(await page.getByRole('textbox', { name: 'Text' }).getAttribute('aria-required')).toBe('true');
    });

    it('is used by keyboard, one stop for all tabs', async () => {
      const { page } = tab();
      await page.getByRole('tab', { name: 'Content' }).focus();
      await page.keyboard.press('ArrowRight');
      await panel('Display').waitFor();
      await page.keyboard.press('End');
      await panel('Search engines').waitFor();
      await page.locator('[role=tab]:focus', { hasText: 'Search engines' }).waitFor();
      await page.keyboard.press('Tab');
      await page.locator('#field-title:focus').waitFor();
    });

    it('names the problems of all tabs, and leads to each', async () => {
      const { page, forgetErrors } = tab();
      await page.getByRole('tab', { name: 'Display' }).click();
      await page.getByLabel('Width').fill('0');
      await page
        .getByRole('switch', { name: 'Scheduled' })
        .or(page.getByRole('checkbox', { name: 'Scheduled' }))
        .click();
      await page.getByRole('tab', { name: 'Search engines' }).click();
      await page.keyboard.press('Control+s');

      await page.locator('#field-text:focus').waitFor();
      await page.getByRole('alert').getByText('Not saved: 3 fields have problems').waitFor();
      expect(await page.getByRole('tab').allTextContents()).toEqual([
        'Content1 problem',
        'Display2 problems',
        'Search engines',
      ]);
      await page.getByRole('button', { name: 'First day (Display)' }).click();
      await page.locator('#field-startsOn:focus').waitFor();
      await panel('Display').getByText('First day is required if Last day is empty.').waitFor();
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      forgetErrors();
    });

    it('has one column where it is narrow', async () => {
      const { page } = tab();
      const left = async (name: string) => (await page.locator(`#field-${name}`).boundingBox())?.x;
      expect(await left('name')).toBeLessThan((await left('kind')) ?? 0);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await left('name')).toBe(await left('kind'));
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
    });

    it('is saved when nothing is missing, and shown as it was', async () => {
      const { page } = tab();
      await page.getByLabel('Width').fill('300');
      await page.getByRole('textbox', { name: 'Last day' }).fill('2026-06-14');
      await page.getByRole('tab', { name: 'Content' }).click();
      await page.getByRole('textbox', { name: 'Text' }).fill('It begins.');
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
      await page.waitForURL(/\/content\/banner\/\d+/);
      expect(await page.getByText('Not saved').count()).toBe(0);
      expect(await page.getByLabel('Address').inputValue()).toBe('/spring');
    });
  });
}
