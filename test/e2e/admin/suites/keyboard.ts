import type { TestHost } from '../../../support/platform';
import { create, idsOf } from '../support/content';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';
import { shown } from '../support/lists';

export function describeKeyboard(host: TestHost, tab: () => AdminTab): void {
  describe('by keyboard alone, one can', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('skip the navigation', async () => {
      const { page, open } = tab();
      await open('/');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');

      await page.locator('#main:focus').waitFor();
    });

    it('go to a page by its name', async () => {
      const { page } = tab();
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('new catalog');
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { level: 1, name: 'New catalog' }).waitFor();
    });

    it('see that the platform is open, and how to require sign-in', async () => {
      const { page, go } = tab();
      await go('/');
      await page.getByRole('button', { name: 'Open on this machine' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('link', { name: 'How to require sign-in' }).waitFor();
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      await page.getByRole('link', { name: 'How to require sign-in' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
    });

    it('create an item', async () => {
      const { page, go } = tab();
      await go('/content/catalog/new');
      await page.getByLabel('Name').focus();
      await page.keyboard.type('Orchard tools');
      await page.keyboard.press('Tab');
      await page.keyboard.type('orchard');
      await page.keyboard.press('Control+s');

      await page.getByRole('heading', { level: 1, name: 'Orchard tools' }).waitFor();
    });

    it('choose a reference, and clear what was typed', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      await page.getByRole('combobox', { name: 'Catalog', exact: true }).focus();
      // The choices of an empty search are there first, and those of the word take their place.
      const answered = page.waitForResponse((response) => (response.request().postData() ?? '').includes('orch'));
      await page.keyboard.type('orch');
      await answered;
      await page.getByRole('option', { name: /Orchard tools/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');

      expect(await page.getByRole('combobox', { name: 'Catalog', exact: true }).inputValue()).toBe('Orchard tools');
      await page.getByRole('button', { name: 'Discard changes' }).press('Enter');
    });

    it.each(['ArrowDown', 'Space'])('choose from a list of choices that %s opens', async (key) => {
      const { page, go } = tab();
      await go('/content/product/new');
      const choice = page.getByRole('combobox', { name: 'Approval status' });
      const option = page.getByRole('option', { name: 'Approved', exact: true });
      await choice.focus();
      expect(await choice.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press(key);
      await option.waitFor();
      await choice.and(page.locator('[aria-expanded="true"]')).waitFor();
      await page.keyboard.press('Escape');
      await option.waitFor({ state: 'detached' });
      // The library forgets where a list was in a timer, also when the list is open again by then.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      // From the one that is chosen to the next.
      await page.keyboard.press('ArrowDown');
      await choice.and(page.locator('[aria-activedescendant]')).waitFor();
      // It marks the chosen option once more in a timer, too.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');

      expect(await choice.inputValue()).toBe('Approved');
      await page.getByRole('button', { name: 'Discard changes' }).press('Enter');
    });

    it('search, and take the search away again', async () => {
      const { page, go } = tab();
      await create(host.address, 'catalog', { code: 'house', name: 'House' });
      await go('/content/catalog');
      await page.keyboard.press('/');
      await page.keyboard.type('orch');
      await page.keyboard.press('Enter');
      await shown(page, 1);
      await page.keyboard.press('Escape');

      await shown(page, (await idsOf(host.address, 'catalog')).length);

      // As keyboards write it on which it is above another character.
      await page.getByRole('button', { name: 'View', exact: true }).focus();
      await page.evaluate(`document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: '/', shiftKey: true, bubbles: true, cancelable: true }),
    )`);
      await page.locator('[aria-label="Search name and code"]:focus').waitFor();
    });

    it('open and leave a dialog, with the focus back where it was', async () => {
      const { page } = tab();
      await page.getByRole('button', { name: /^More actions for House/ }).press('Enter');
      await page.locator('[role=menu] :focus').waitFor({ state: 'attached' });
      await page.getByRole('menuitem', { name: 'Delete …' }).press('Enter');
      // The dialog takes the focus a moment after it is drawn.
      await page.locator('[role=dialog] :focus').waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await page.locator(':focus[aria-label^="More actions for House"]').waitFor();
    });

    it('go through a list: one stop for its head and one for its rows, arrows within them', async () => {
      const { page, go } = tab();
      const focused = (): Promise<string> =>
        page.evaluate<string>(`(() => {
          const { tagName, textContent, ariaLabel } = document.activeElement;
          return tagName + ' ' + (ariaLabel ?? textContent).trim();
        })()`);
      const press = async (...keys: readonly string[]): Promise<string> => {
        for (const key of keys) await page.keyboard.press(key);
        return focused();
      };
      await go('/content/catalog?sort=code');
      await page.getByRole('textbox', { name: 'Search name and code' }).focus();
      const [first = '', second = ''] = await page.locator('.label-link').allInnerTexts();
      const last = await page.locator('.label-link').last().innerText();
      const stops: string[] = [];
      for (let count = 0; count < 8; count += 1) stops.push(await press('Tab'));
      expect(stops.slice(0, 6)).toEqual([
        ...['BUTTON Filter', 'BUTTON Sorted by Code, ascending', 'BUTTON View', 'INPUT Select the items of this page'],
        expect.stringContaining(`INPUT Select ${first} (`),
        `A ${first}`,
      ]);
      expect(stops[6]).toContain(`BUTTON More actions for ${first} (`);
      // Behind the rows, not in the next one.
      expect(stops[7]).toBe('SELECT Items per page');

      await page.getByRole('checkbox', { name: 'Select the items of this page' }).focus();
      expect(await press('ArrowRight')).toBe('BUTTON Name');
      expect(await press('ArrowRight')).toBe('BUTTON Code');
      expect(await press('Home', 'Shift+Tab', 'Tab')).toBe('INPUT Select the items of this page');
      expect(await press('ArrowRight', 'Shift+ArrowRight')).toBe('BUTTON Name');
      expect(await page.getByRole('separator', { name: 'Width of Name' }).getAttribute('aria-valuetext')).toMatch(
        /pixels/,
      );
      await press('Shift+Enter');

      expect(await press('ArrowDown')).toBe(`A ${first}`);
      expect(await press('ArrowDown')).toBe(`A ${second}`);
      expect(await press('Space')).toBe(`A ${second}`);
      await page.getByText('1 selected').first().waitFor();
      expect(await press('ArrowUp', 'Shift+Space', 'ArrowLeft')).toContain(`INPUT Select ${first} (`);
      await page.getByText('2 selected').first().waitFor();
      await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
      await page.locator('.items:focus').waitFor();
      expect(await press('ArrowDown')).toBe(`A ${first}`);
      expect(await press('End')).toBe(`A ${last}`);
      await press('Home', 'Enter');
      await page.getByRole('heading', { level: 1, name: first }).waitFor();
    });

    it('duplicate the item of a row by a letter, unless letters are switched off', async () => {
      const { page, go } = tab();
      await go('/content/catalog?sort=code');
      await page.keyboard.press('d');
      await page.keyboard.press('?');
      await page.getByRole('checkbox', { name: /^Single-character shortcuts/ }).press('Space');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator('.label-link').first().focus();
      for (const key of ['d', '/', '?']) await page.keyboard.press(key);
      await page.locator('.label-link:focus').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);

      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await page.getByRole('checkbox', { name: /^Single-character shortcuts/ }).press('Space');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.locator('.label-link').first().focus();
      await page.keyboard.press('d');
      await page.waitForURL(/\/content\/catalog\/new\?from=\d+$/);
      await page.getByRole('button', { name: 'Discard changes' }).press('Enter');
    });

    it('find an item type by the search of the navigation', async () => {
      const { page } = tab();
      await page.getByRole('button', { name: 'Search or go to' }).press('Enter');
      await page.getByRole('textbox', { name: 'Go to' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.type('trend');
      await page.locator('.palette-list [data-selected]', { hasText: 'Trending articles' }).waitFor();
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { level: 1, name: 'Trending articles' }).waitFor();
    });

    it('open the navigation of a narrow window, leave it, and choose the page that is open already', async () => {
      const { page, open } = tab();
      await page.setViewportSize({ width: 390, height: 850 });
      await open('/plugins');
      const button = page.getByRole('button', { name: 'Navigation', exact: true });
      const entry = page.getByRole('link', { name: 'Plugins', exact: true });
      await button.press('Enter');
      await entry.focus();
      await page.keyboard.press('Escape');
      await entry.waitFor({ state: 'hidden' });
      await page.locator(':focus[aria-label="Navigation"]').waitFor();

      await button.press('Enter');
      await entry.press('Enter');
      await entry.waitFor({ state: 'hidden' });

      await button.press('Enter');
      await page.getByRole('link', { name: 'Home', exact: true }).press('Enter');
      await page.locator('h1:focus', { hasText: 'Home' }).waitFor();
      await entry.waitFor({ state: 'hidden' });
    });

    it('get from the home page to a saved item in fewer than 25 presses', async () => {
      const { page, go } = tab();
      const keys = { pressed: 0 };
      const press = async (key: string): Promise<void> => {
        keys.pressed += 1;
        await page.keyboard.press(key);
      };
      const type = async (text: string): Promise<void> => {
        for (const key of text) await press(key);
      };
      await go('/');
      await press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).and(page.locator(':focus')).waitFor();
      await type('new cata');
      await page.locator('.palette-list [data-selected]', { hasText: 'New catalog' }).waitFor();
      await press('Enter');
      await page.locator('#field-name:focus').waitFor();
      await type('Toys');
      await press('Tab');
      await type('toys');
      await press('Control+s');
      await page.getByRole('heading', { level: 1, name: 'Toys' }).waitFor();

      expect(keys.pressed).toBeLessThan(25);
      const list = await (
        await fetch(`${host.address}/api/cms/items/catalog/list`, {
          method: 'POST',
          body: '[]',
          headers: { 'content-type': 'application/json' },
        })
      ).text();
      expect(list).toContain('"code":"toys"');
    });
  });
}
