import { askUntil } from '../../../support/ask-until';
import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import { query } from '../support/lists';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

export function describeFilters(host: TestHost, tab: () => AdminTab, inZone: (zone: string) => Promise<void>): void {
  const keys = ['1', '5', '9'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);

  beforeAll(async () => {
    const first = await create(host.address, 'ticket', {
      ...{ title: 'Adult, day', price: { amount: 24.9, currency: 'EUR' }, key: keys[0], language: 'EN' },
      ...{ starts: '2026-03-01T09:30:00Z', details: { row: 1, seat: 2 } },
    });
    await create(host.address, 'ticket', {
      ...{ title: 'Child', price: { amount: 5, currency: 'EUR' }, key: keys[1], language: 'DE', before: first },
      ...{ starts: '2026-03-02T09:30:00Z', details: { row: 2, seat: 2 } },
    });
    await create(host.address, 'ticket', { title: 'Group', key: keys[2], language: 'A,B' });
    await inZone('Europe/Berlin');
    await tab().open('/content/ticket');
  });
  afterEach(() => expect(tab().errors).toEqual([]));

  const titles = ['Adult, day', 'Child', 'Group'];

  /** The titles in the list as soon as it has so many. */
  const shown = (count: number): Promise<readonly string[]> =>
    askUntil(
      async () =>
        (await tab().page.locator('tbody tr').allInnerTexts()).map(
          (row) => titles.find((one) => row.includes(one)) ?? row,
        ),
      (found) => found.length === count,
    );

  const operators = () => tab().page.getByLabel('Operator').locator('option').allInnerTexts();
  const value = (field: string) =>
    tab().page.getByLabel(`Value of ${field}`, { exact: true }).and(tab().page.locator('input'));
  const button = (name: string) => tab().page.getByRole('button', { name, exact: true });
  const criterion = (): string | null => query(tab().page).get('f');

  async function openFilter(field: string, operator?: string): Promise<void> {
    const { page, go } = tab();
    await go('/content/ticket?sort=title');
    await button('Filter').press('Enter');
    await page.getByLabel('Field', { exact: true }).selectOption({ label: field });
    if (operator !== undefined) await page.getByLabel('Operator').selectOption({ label: operator });
  }

  describe('the operators of a filter', () => {
    it('are those of the field, also for kinds of plugins', async () => {
      const { page } = tab();
      await openFilter('Price');
      expect(await operators()).toEqual(['equals', 'more than', 'less than', 'is not', 'is one of', 'is empty']);
      await page.getByLabel('Operator').selectOption({ label: 'more than' });
      await value('Price').fill('10 EUR');
      await value('Price').press('Enter');
      expect(await shown(1)).toEqual(['Adult, day']);
      expect(criterion()).toBe('price.MORE_THAN.10 EUR');

      await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Key' });
      expect(await operators()).toEqual([
        ...['equals', 'more than', 'less than', 'is not', 'is one of', 'is empty', 'between'],
      ]);
      await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Details' });
      expect((await operators())[0]).toBe('contains');
    });

    it('keep what is entered where another one takes the same', async () => {
      const { page } = tab();
      await openFilter('Before');
      await value('Before').click();
      await page.getByRole('option', { name: /^Adult/ }).click();
      await page.getByLabel('Operator').selectOption({ label: 'is not' });
      expect(await value('Before').inputValue()).toBe('Adult, day');
    });
  });

  describe('a filter by one of several values', () => {
    it('offers options by their labels, and is filled by keyboard alone', async () => {
      const { page } = tab();
      await openFilter('Language', 'is one of');
      await value('Language').focus();
      await page.keyboard.type('germ');
      await page.keyboard.press('Enter');
      await page.keyboard.type('either');
      await page.getByRole('option', { name: 'Either, or', exact: true }).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      // The list is closed, so that the key is for the form.
      await page.keyboard.press('Enter');
      expect(await shown(2)).toEqual(['Child', 'Group']);
      expect(criterion()).toBe('language.IN.["DE","A,B"]');
      await page.getByText('Language is one of “German, Either, or”').waitFor();
      // The next filter begins without the options of this one.
      expect(await page.locator('form .mantine-Pill-root').count()).toBe(0);

      await value('Language').press('ArrowDown');
      await page.keyboard.type('nothing');
      await page.getByText('No such option').waitFor();
    });

    it('takes texts with commas, each of which Enter ends', async () => {
      const { page } = tab();
      await openFilter('Title', 'is one of');
      await value('Title').focus();
      await page.keyboard.type('Adult, day');
      await page.keyboard.press('Enter');
      await page.keyboard.type('Nothing');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.locator('button:focus', { hasText: 'Add value' }).press('Enter');
      await value('Title').and(page.locator(':focus')).waitFor();
      await button('Remove value 2').press('Enter');
      await value('Title').and(page.locator(':focus')).waitFor();
      // The text that was entered last counts, too.
      await page.keyboard.type('Group');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await button('Add filter').press('Enter');
      expect(await shown(2)).toEqual(['Adult, day', 'Group']);
      expect(criterion()).toBe('title.IN.["Adult, day","Group"]');
      expect(await value('Title').inputValue()).toBe('');
      expect(await button('Remove value 1').count()).toBe(0);
    });

    it('has the control of the kind: local times, items by their names, JSON as it is', async () => {
      const { page } = tab();
      await openFilter('Starts', 'is one of');
      await value('Starts').fill('2026-03-01 10:30');
      await value('Starts').press('Enter');
      await page.getByRole('group', { name: 'Value of Starts, one of' }).getByText('10:30').waitFor();
      await value('Starts').press('Enter');
      expect(await shown(1)).toEqual(['Adult, day']);

      await openFilter('Before', 'is one of');
      await value('Before').focus();
      await page.keyboard.type('Adult');
      await page.getByRole('option', { name: /^Adult/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await value('Before').inputValue()).toBe('Adult, day');
      await value('Before').press('Enter');
      await page.getByRole('group', { name: 'Value of Before, one of' }).getByText('Adult, day').waitFor();
      await value('Before').press('Enter');
      expect(await shown(1)).toEqual(['Child']);

      await openFilter('Details', 'is one of');
      for (const text of ['{"seat":2,"row":1}', '{"row":2,"seat":2}']) {
        await value('Details').fill(text);
        await value('Details').press('Enter');
      }
      await value('Details').press('Enter');
      expect(await shown(2)).toEqual(['Adult, day', 'Child']);
    });

    it('has room on a narrow screen', async () => {
      const { page } = tab();
      await page.setViewportSize({ width: 390, height: 850 });
      await openFilter('Title', 'is one of');
      for (const text of ['A '.repeat(60), 'b'.repeat(80)]) {
        await value('Title').fill(text);
        await value('Title').press('Enter');
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  });

  describe('a filter by a range', () => {
    it('counts once both of its ends are there', async () => {
      await openFilter('Key', 'between');
      await value('Key, from').fill(keys[0] ?? '');
      expect(await button('Add filter').isDisabled()).toBe(true);
      await value('Key, to').fill(keys[1] ?? '');
      expect(await value('Key, from').inputValue()).toBe(keys[0]);
      await value('Key, to').press('Enter');
      expect(await shown(2)).toEqual(['Adult, day', 'Child']);
      expect(await value('Key, from').inputValue()).toBe('');
    });
  });
}
