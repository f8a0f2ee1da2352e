import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { create, readText } from '../support/content';
import { accessibilityFindings, pathOf, type AdminTab } from '../support/open-pages';

export function describeMoneyAndKeys(host: TestHost, tab: () => AdminTab): void {
  const save = async (): Promise<number> => {
    const { page } = tab();
    const answer = page.waitForResponse(
      (response) => ['POST', 'PATCH'].includes(response.request().method()) && response.url().includes('/items/venue'),
    );
    await page.keyboard.press('Control+s');
    return (await answer).status();
  };

  /** The console may report the answer after the page has shown it. */
  const saveRefused = async (): Promise<void> => {
    expect(await save()).toBe(400);
    await eventually(() => tab().errors.length > 0);
    tab().forgetErrors();
  };

  /** The values of the venue that is open, as they are sent. */
  const stored = (): Promise<string> =>
    readText(host.address, 'venue', new URL(tab().page.url()).pathname.split('/')[4] ?? '');

  describe('an amount of money', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    const part = (role: 'textbox' | 'combobox', name: string) =>
      tab().page.getByRole('group', { name: 'Entry fee' }).getByRole(role, { name });

    it('is typed with its currency by keyboard alone, keeps its digits, and is shown with both in lists', async () => {
      const { page, go } = tab();
      await go('/content/venue/new');
      await page.getByLabel('Name').fill('Museum');
      await part('textbox', 'Amount').focus();
      await page.keyboard.type('1024.90');
      await page.keyboard.press('Tab');
      await page.keyboard.type('EUR');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      expect(await save()).toBe(201);
      await page.waitForURL(/\/content\/venue\/\d+/);
      expect(await stored()).toContain('{"amount":1024.90,"currency":"EUR"}');

      await go(pathOf(page));
      expect(await part('textbox', 'Amount').inputValue()).toBe('1024.90');
      expect(await part('combobox', 'Currency').inputValue()).toBe('EUR');
      await go('/content/venue');
      await page.getByRole('cell', { name: '1,024.90 EUR' }).waitFor();
    });

    it('is refused where the amount is no number', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'venue', { name: 'Tower', fee: { amount: 5, currency: 'CHF' } });
      await go(`/content/venue/${id}`);
      await part('textbox', 'Amount').fill('12,5');
      await saveRefused();
      await page.getByText('Use a point as decimal separator').first().waitFor();
      expect(await part('textbox', 'Amount').inputValue()).toBe('12,5');
      await part('textbox', 'Amount').fill('.5');
      expect(await save()).toBe(200);
      expect(await stored()).toContain('{"amount":0.5,"currency":"CHF"}');
    });

    const noAmount = 'Enter an amount, or clear the currency.';
    const noCurrency = 'Choose a currency, or clear the amount.';
    const shows = (text: string) => tab().page.getByRole('group', { name: 'Entry fee', description: text }).waitFor();

    it('is never left out without a message: a currency without an amount is a problem of the field', async () => {
      const { page, go } = tab();
      await go('/content/venue/new');
      await page.getByLabel('Name').fill('Castle');
      await part('textbox', 'Amount').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.type('EUR');
      expect(await page.getByText(noAmount).count()).toBe(0);
      // Shown when the field is left.
      await page.getByLabel('Name').focus();
      await shows(noAmount);
      await saveRefused();
      await shows(noAmount);
      await page.locator('#field-fee:focus').waitFor();
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.keyboard.type('7.50');
      expect(await page.getByText(/Enter an amount|must be an amount/).count()).toBe(0);
      expect(await save()).toBe(201);
      await page.waitForURL(/\/content\/venue\/\d+/);
      expect(await stored()).toContain('{"amount":7.50,"currency":"EUR"}');
    });

    it('stays stored when only one of its parts is cleared, and is cleared as a whole by a button', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'venue', { name: 'Palace', fee: { amount: 5, currency: 'CHF' } });
      await go(`/content/venue/${id}`);
      await part('textbox', 'Amount').fill('');
      await saveRefused();
      await shows(noAmount);
      await part('textbox', 'Amount').fill('6');
      await part('combobox', 'Currency').focus();
      await part('combobox', 'Currency').selectOption('');
      await saveRefused();
      await shows(noCurrency);
      expect(await readText(host.address, 'venue', id)).toContain('{"amount":5,"currency":"CHF"}');
      await page.getByRole('button', { name: 'Clear Entry fee' }).press('Enter');
      await page.locator('#field-fee:focus').waitFor();
      expect(await page.getByText(noCurrency).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Clear Entry fee' }).count()).toBe(0);
      expect(await save()).toBe(200);
      expect(await stored()).toContain('"fee":null');
    });
  });

  describe('amounts of money in a list of structures', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('have the same control, and are found by their parts', async () => {
      const { page, go } = tab();
      const entry = page.getByRole('group', { name: 'Entry 1', exact: true });
      const price = () => entry.getByRole('group', { name: 'Price', exact: true });
      await go('/content/venue/new');
      await page.getByLabel('Name').fill('Zoo');
      await page.getByRole('button', { name: 'Add entry to Prices' }).press('Enter');
      await page.keyboard.type('Children');
      await price().getByRole('textbox', { name: 'Amount' }).fill('3.50');
      await saveRefused();
      await price().getByText('Choose a currency.').waitFor();
      await price().getByRole('combobox', { name: 'Currency' }).focus();
      await price().getByRole('combobox', { name: 'Currency' }).selectOption('SEK');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      expect(await save()).toBe(201);
      await page.waitForURL(/\/content\/venue\/\d+/);
      expect(await stored()).toMatch(
        /"prices":\s*\[{"whom":\s*"Children",\s*"price":\s*{"amount":\s*3.50,\s*"currency":\s*"SEK"}}\]/,
      );

      await go(pathOf(page));
      expect(await price().getByRole('combobox', { name: 'Currency' }).inputValue()).toBe('SEK');
      const found = async (value: string): Promise<number> => {
        const criteria = JSON.stringify([{ field: 'prices', operator: 'CONTAINS', value }]);
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${host.address}/api/cms/items/venue/list`, {
          method: 'POST',
          headers,
          body: criteria,
        });
        return ((await answer.json()) as { data: readonly unknown[] }).data.length;
      };
      expect(await Promise.all(['sek', '3.5', 'child', 'currency', 'amount'].map(found))).toEqual([1, 1, 1, 0, 0]);
    });
  });

  describe('entries that were not edited', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('are sent as they were received, with every digit', async () => {
      const { page, go } = tab();
      const prices = (first: string): string =>
        `[{"whom":"${first}","price":{"amount":3.50,"currency":"SEK"},"share":0.0000001},` +
        `{"whom":"Groups","price":{"amount":10.00,"currency":"EUR"},"share":1.50}]`;
      const id = await create(host.address, 'venue', `{"name":"Farm","prices":${prices('Children')}}`);
      await go(`/content/venue/${id}`);
      const first = page.getByRole('group', { name: 'Entry 1', exact: true });
      expect(await first.getByRole('textbox', { name: 'Share' }).inputValue()).toBe('0.0000001');
      await first.getByRole('textbox', { name: 'For whom' }).fill('Families');
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      expect(await save()).toBe(200);
      expect((await sent).postData()).toContain(prices('Families'));

      await first.getByRole('textbox', { name: 'Share' }).fill('1e-8');
      expect(await save()).toBe(200);
      expect(await stored()).toMatch(/"share":\s*0\.00000001/);
    });
  });

  describe('keys with texts', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('are added, changed and removed by keyboard alone', async () => {
      const { page, go } = tab();
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const row = (number: number, name: string) =>
        page.getByRole('group', { name: `Row ${number}`, exact: true }).getByRole('textbox', { name });
      await go('/content/venue/new');
      await page.getByLabel('Name').fill('Mill');
      for (const [key, value] of [
        ['built', '1926'],
        ['built', 'Ada "A." Lovelace'],
      ] as const) {
        await button('Add row to Facts').press('Enter');
        // The focus is in the new row.
        await page.keyboard.type(key);
        await page.keyboard.press('Tab');
        await page.keyboard.type(value);
      }
      expect(await page.getByText('This key is used more than once.').count()).toBe(2);
      await row(2, 'Key').fill('architect');
      expect(await page.getByText('This key is used more than once.').count()).toBe(0);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      expect(await save()).toBe(201);
      await page.waitForURL(/\/content\/venue\/\d+/);
      const { data } = JSON.parse(await stored()) as { data: { values: { facts: unknown } } };
      expect(data.values.facts).toEqual({ built: '1926', architect: 'Ada "A." Lovelace' });

      await button('Remove row 1').press('Enter');
      await page.locator('[id$="-remove-1"]:focus, [id$="-remove-0"]:focus').waitFor();
      await button('Remove row 1').press('Enter');
      await page.locator('button:focus', { hasText: 'Add row' }).waitFor();
      expect(await save()).toBe(200);
      expect(await stored()).toContain('"facts":null');
    });
  });
}
