import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import type { AdminTab } from '../support/open-pages';

export function describePickers(host: TestHost, tab: () => AdminTab): void {
  beforeAll(() => create(host.address, 'catalog', { code: 'hut', name: 'Hut tools' }));

  describe('the picker of a reference', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('offers nothing in a picker that does not have what was typed', async () => {
      const { page, go } = tab();
      await create(host.address, 'catalog', { code: 'kitchen', name: 'Kitchen' });
      await go('/content/product/new');
      await page.getByRole('combobox', { name: 'Catalog', exact: true }).click();
      await page.getByRole('option', { name: /Kitchen/ }).waitFor();
      let answer: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (answer = resolve));
      await page.route('**/catalog/list?*', async (route) => {
        await held;
        await route.continue();
      });
      await page.keyboard.type('hut');
      await page.getByRole('option', { name: /Kitchen/ }).waitFor({ state: 'detached' });
      answer();
      await page.getByRole('option', { name: /Hut tools/ }).waitFor();
      await page.unroute('**/catalog/list?*');
    });

    it('never asks more than once in 200 milliseconds while one types into a picker, and cancels what is overtaken', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      const picker = page.getByRole('combobox', { name: 'Catalog', exact: true });
      await page.evaluate('performance.clearResourceTimings()');
      const found = page.getByRole('option', { name: /^Hut tools/ });
      await picker.pressSequentially('hut tools', { delay: 30 });
      await found.waitFor();
      // So slowly that each key is searched for, and the next one comes while a search continues in another field.
      await picker.fill('');
      await picker.pressSequentially('tools', { delay: 270 });
      await found.waitFor();

      const times = (await page.evaluate(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.includes('/catalog/list')).map(({ startTime }) => startTime)`)) as readonly number[];
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(times.length).toBeGreaterThan(4);
      expect(gaps.filter((gap) => gap < 199)).toEqual([]);
    });
  });
}
