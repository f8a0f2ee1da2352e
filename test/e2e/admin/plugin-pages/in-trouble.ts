import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import { goInside } from '../support/go-inside';
import type { AdminTab } from '../support/open-pages';
import { openPlugin } from '../support/plugins';
import type { UiPlugins } from '../support/ui-plugins';
import { onePage, sound } from './broken-plugins';

/** On a host with the broken plugins. */
export function testBrokenPlugins(host: TestHost, tab: () => AdminTab, plugins: UiPlugins): void {
  describe('a plugin whose pages are broken fails alone and is named:', () => {
    beforeAll(() => tab().open('/'));
    afterEach(async () => {
      const { page } = tab();
      expect(tab().outside).toEqual([]);
      tab().forgetErrors();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    });

    it.each([
      ['one that throws while it is drawn', 'throws', 'Throws failed', 'No paper in the drawer.'],
      ['one that throws when it is set up', 'breaks-at-set-up', 'Breaks at set-up could not', 'No drawer.'],
      ['one that never loads', 'never-loads', 'Never loads could not', 'did not load within'],
      ['one that imports an unknown package', 'imports-unknown', 'Imports could not', 'imports "left-pad"'],
      ['one with its own React', 'own-react', 'Own React failed', 'contain its own React'],
      ['one without defineUi', 'no-definition', 'No definition could not', 'is not the result of defineUi'],
      [
        'one that brings less than its manifest names',
        'differs',
        'Differs could not',
        'page "more", cell catalog.code',
      ],
      ['one that is not built', 'not-built', 'Not built', 'Build the pages of the package'],
    ])('%s', async (_what, id, named, reason) => {
      const { page } = tab();
      await page.getByRole('navigation', { name: 'Main' }).locator(`a[href="/admin/x/${id}"]`).click();

      const alert = page.getByRole('alert');
      await alert.getByText(reason).waitFor();
      const text = `${await page.getByRole('heading', { level: 1 }).textContent()} ${await alert.textContent()}`;
      expect(text).toContain(named);
      expect(text).toContain('Its page');
    });

    it('one that is written for another version of the UI API, with an entry that leads to the reason', async () => {
      const { page } = tab();
      await page.getByRole('link', { name: 'Newer: pages' }).click();

      await page.getByText('written for version 9 of the UI API').waitFor();
      await page.getByRole('link', { name: 'View plugins' }).click();
      const details = await openPlugin(page, 'Newer');
      await details.getByText('UI_API_INCOMPATIBLE').waitFor();
      await details.getByRole('button', { name: 'Close' }).click();
    });

    it('one that could not be started, and one that is disabled; neither is in the menu', async () => {
      const { page } = tab();
      await goInside(page, '/x/fails');
      await page.getByText('The plugin Fails is failed').waitFor();
      await goInside(page, '/x/asleep');
      await page.getByText('The plugin Asleep is disabled').waitFor();

      expect(await page.getByRole('link', { name: 'Its page' }).count()).toBe(9);
    });
  });

  describe('what a plugin breaks in lists and forms', () => {
    beforeAll(async () => {
      await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
    });
    beforeEach(() => tab().forgetErrors());

    it('is drawn by the platform in lists, with one notice for all rows, and Retry', async () => {
      const { page } = tab();
      await create(host.address, 'catalog', { code: 'house', name: 'House' });
      await goInside(page, '/content/catalog');

      const alert = page.getByRole('alert').filter({ hasText: 'Slots' });
      await alert.getByText('Additions of Slots to this page failed').waitFor();
      await alert.getByText('Out of ink.').waitFor();
      expect(await alert.count()).toBe(1);
      await page.getByRole('cell', { name: 'Garden tools', exact: true }).waitFor();

      await alert.getByRole('button', { name: 'Retry' }).click();
      await alert.getByText('Out of ink.').waitFor();
    });

    it('is reported when it was an action, and the list continues', async () => {
      const { page } = tab();
      await page.getByRole('button', { name: /^More actions for House/ }).click();
      await page.getByRole('menuitem', { name: 'Sell it' }).click();

      await page.getByText('Sell it (Slots) failed').waitFor();
      await page.getByRole('link', { name: 'Home', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      expect(await page.getByText('Additions of Slots to this page failed').count()).toBe(0);
      await page.getByRole('link', { name: 'Catalogs', exact: true }).first().click();
      await page.getByText('Additions of Slots to this page failed').waitFor();
    });

    it('is the built-in control in forms, which saves', async () => {
      const { page } = tab();
      await goInside(page, '/content/catalog/1');
      await page.getByRole('alert').getByText('The control of Slots for Name failed').waitFor();
      await page.getByRole('textbox', { name: 'Name' }).fill('Garden and yard');
      await page.keyboard.press('Control+s');

      await page.getByText('version 2').waitFor();
    });
  });

  describe('the author of a plugin', () => {
    it('fixes its module, and Retry shows it without a new start of the platform', async () => {
      const { page, open } = tab();
      await open('/x/throws');
      await page.getByText('No paper in the drawer.').waitFor();
      plugins.write('throws', { displayName: 'Throws', ui: onePage, module: sound });
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByText('All is well').waitFor();

      await open('/x/imports-unknown');
      await page.getByText('imports "left-pad"').waitFor();
      plugins.write('imports-unknown', { displayName: 'Imports', ui: onePage, module: sound });
      await page.getByRole('button', { name: 'Retry' }).click();

      await page.getByText('All is well').waitFor();
      tab().forgetErrors();
    });
  });
}
