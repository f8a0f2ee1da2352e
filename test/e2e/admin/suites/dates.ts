import { askUntil } from '../../../support/ask-until';
import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';

export function describeDates(host: TestHost, tab: () => AdminTab, inZone: (zone: string) => Promise<void>): void {
  afterEach(() => expect(tab().errors).toEqual([]));

  async function values(id: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await fetch(`${host.address}/api/cms/items/appointment/${id}`);
    return ((await answer.json()) as { data: { values: Record<string, unknown> } }).data.values;
  }

  /** Saves the form and gives the id of the item. */
  async function save(): Promise<string> {
    const { page } = tab();
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/content\/appointment\/\d+/);
    return /\/appointment\/(\d+)/.exec(page.url())?.[1] ?? '';
  }

  describe('days and times that are typed', () => {
    it.each([
      // Clocks go forward and back on different days, by an hour or half of one, also at midnight, and on either side of the date line.
      ['UTC', '2026-03-29', '2026-03-29 02:30', '2026-03-29T02:30:00+00:00'],
      ['Europe/Berlin', '2026-03-29', '2026-03-29 03:00', '2026-03-29T01:00:00+00:00'],
      ['America/New_York', '2026-03-08', '2026-03-08 23:59', '2026-03-09T03:59:00+00:00'],
      ['America/Santiago', '2026-09-06', '2026-09-06 01:00', '2026-09-06T04:00:00+00:00'],
      ['Australia/Lord_Howe', '2026-04-05', '2026-04-05 12:15', '2026-04-05T01:45:00+00:00'],
      ['Asia/Kathmandu', '2024-02-29', '2024-02-29 00:00', '2024-02-28T18:15:00+00:00'],
      ['Pacific/Kiritimati', '2026-01-01', '2026-01-01 00:00', '2025-12-31T10:00:00+00:00'],
      ['Pacific/Pago_Pago', '2026-12-31', '2026-12-31 23:30', '2027-01-01T10:30:00+00:00'],
    ])('in %s are stored and shown again unchanged', async (zone, day, local, utc) => {
      await inZone(zone);
      const { page, go } = tab();
      await go('/content/appointment/new');
      await page.getByLabel('Title').fill(zone);
      await page.getByLabel('Day', { exact: true }).fill(day);
      await page.getByLabel('Starts at', { exact: true }).fill(local);
      // Browsers may have an older name of a zone.
      const shownZone = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
      await page.getByText(`${String(shownZone)}, UTC`).waitFor();
      const id = await save();

      expect(await values(id)).toMatchObject({ day, startsAt: utc });
      await go(`/content/appointment/${id}`);
      expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe(day);
      expect(await page.getByLabel('Starts at', { exact: true }).inputValue()).toBe(local);
      // Dates that are saved without a change stay as they are.
      await page.getByLabel('Title').fill(`${zone} again`);
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { level: 1, name: `${zone} again` }).waitFor();
      expect(await values(id)).toMatchObject({ title: `${zone} again`, day, startsAt: utc });
    });

    it('are in the list the same instants, wherever the reader is', async () => {
      await inZone('Asia/Kathmandu');
      const day = '2024-02-29';
      await create(host.address, 'appointment', { title: 'Listed', day, startsAt: '2024-02-28T18:15:00Z' });
      await tab().open('/content/appointment');
      const row = tab().page.getByRole('row').filter({ hasText: 'Listed' });
      await row.locator('time[datetime="2024-02-29"]').waitFor();
      await row.locator('time[datetime="2024-02-28T18:15:00.000Z"]').waitFor();
      expect(await row.locator('time').nth(1).getAttribute('title')).toContain('29 Feb 2024, 00:00');
    });

    it('that clocks skip are explained and not stored as another time', async () => {
      await inZone('Europe/Berlin');
      const { page, go, forgetErrors } = tab();
      await go('/content/appointment/new');
      await page.getByLabel('Title').fill('Skipped');
      await page.getByLabel('Starts at', { exact: true }).fill('2026-03-29 02:30');
      await page
        .getByText('2026-03-29 02:30 does not exist in Europe/Berlin: clocks go forward. Choose another time.')
        .waitFor();
      await page.keyboard.press('Control+s');
      await page
        .getByText(/must be a date and time/)
        .first()
        .waitFor();
      forgetErrors();
    });

    it('that clocks show twice are the one that was chosen', async () => {
      await inZone('Europe/Berlin');
      const { page, go } = tab();
      await go('/content/appointment/new');
      await page.getByLabel('Title').fill('Twice');
      await page.getByLabel('Starts at', { exact: true }).fill('2026-10-25 02:30');
      const choice = page.getByRole('group', { name: 'Starts at: clocks show this time twice' });
      expect(await choice.getByRole('button', { pressed: true }).innerText()).toBe('UTC+02:00');
      await choice.getByRole('button', { name: 'UTC+01:00' }).click();
      expect(await values(await save())).toMatchObject({ startsAt: '2026-10-25T01:30:00+00:00' });
    });

    it('that are none are refused with the name of the field', async () => {
      await inZone('Asia/Tokyo');
      const { page, go, forgetErrors } = tab();
      await go('/content/appointment/new');
      await page.getByLabel('Title').fill('Wrong');
      await page.getByLabel('Day', { exact: true }).fill('2026-02-30');
      await page.getByLabel('Opens', { exact: true }).fill('24:00');
      await page.keyboard.press('Control+s');
      await page.getByText('must be a day that exists: February 2026 has the days 1 to 28').first().waitFor();
      await page.getByText('must have an hour from 00 to 23').first().waitFor();
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      forgetErrors();
    });
  });

  describe('options', () => {
    it('are chosen by the keyboard, one or several, and shown by their labels', async () => {
      await inZone('UTC');
      const { page, go } = tab();
      await go('/content/appointment/new');
      await page.getByLabel('Title').fill('With options');
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Took place' }).click();
      await page.getByRole('checkbox', { name: 'West' }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('checkbox', { name: 'East' }).check();
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      const id = await save();
      expect(await values(id)).toMatchObject({ state: 'HELD', rooms: ['WEST', 'EAST'] });

      await go(`/content/appointment/${id}`);
      expect(await page.getByRole('checkbox', { name: 'West' }).isChecked()).toBe(true);
      await page.getByRole('checkbox', { name: 'West' }).uncheck();
      await page.getByRole('checkbox', { name: 'East' }).uncheck();
      await page.keyboard.press('Control+s');
      await page.getByText('Saved').first().waitFor();
      expect(await values(id)).toMatchObject({ rooms: null });
    });
  });

  describe('the filters of days and options', () => {
    const titles = ['Early', 'Late', 'Today'];

    beforeAll(async () => {
      await create(host.address, 'appointment', { title: 'Early', day: '2020-01-01', rooms: ['EAST'] });
      await create(host.address, 'appointment', { title: 'Late', day: '2030-01-01', rooms: ['WEST', 'EAST'] });
      await create(host.address, 'appointment', { title: 'Today', day: new Date().toISOString().slice(0, 10) });
    });

    /** The titles in the list as soon as it is filtered: each filter of this test leaves out one or two of the three. */
    async function filtered(field: string, operator: string, fill: () => Promise<void>): Promise<readonly string[]> {
      const { page, go } = tab();
      await go('/content/appointment?sort=title');
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field', { exact: true }).selectOption({ label: field });
      await page.getByLabel('Operator').selectOption({ label: operator });
      await fill();
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('group', { name: 'Filters' }).waitFor();
      return askUntil(
        () => page.locator('tbody tr td.label').allInnerTexts(),
        (shown) => [1, 2].includes(titles.filter((title) => shown.includes(title)).length),
      );
    }

    const value = (name: string) => tab().page.getByLabel(name, { exact: true });

    it('compare, also with days that are relative to today, ranges, lists and nothing', async () => {
      await inZone('Pacific/Auckland');
      const { page } = tab();
      const only = (shown: readonly string[]) => shown.filter((title) => titles.includes(title));
      expect(only(await filtered('Day', 'before', () => value('Value of Day').fill('2021-01-01')))).toEqual(['Early']);
      expect(only(await filtered('Day', 'after', () => value('Value of Day').fill('-7d')))).toEqual(['Late', 'Today']);
      const between = async () => {
        await value('Value of Day, from').fill('2019-01-01');
        await value('Value of Day, to').fill('2021-01-01');
      };
      expect(await filtered('Day', 'between', between)).toEqual(['Early']);
      const rooms = async () => {
        const several = page.getByRole('combobox', { name: 'Value of Rooms' });
        for (const room of ['East', 'West']) {
          await several.fill(room);
          await several.press('Enter');
        }
        await several.press('Escape');
      };
      expect(await filtered('Rooms', 'is one of', rooms)).toEqual(['Early', 'Late']);
      const none = async () => void (await value('Value of Rooms').selectOption('Yes'));
      expect(only(await filtered('Rooms', 'is empty', none))).toEqual(['Today']);
    });
  });
}
