import type { Page } from 'playwright-core';
import type { TestHost } from '../../../support/platform';
import { create, readText } from '../support/content';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';
import { chooseInRow } from '../support/lists';

export function describeReferences(host: TestHost, tab: () => AdminTab): void {
  const fields = ['Partner', 'Friends'] as const;

  describe('a reference without target', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('is a disabled, empty field of the form, for one item and for many', async () => {
      const { page, go, requests } = tab();
      await go('/content/hermit/new');

      for (const name of fields) {
        const field = page.getByRole('textbox', { name, exact: true });
        expect(await field.isDisabled()).toBe(true);
        expect(await field.inputValue()).toBe('');
        expect(await field.getAttribute('placeholder')).toBe('This field refers to no type');
      }
      expect(await page.getByRole('combobox', { name: /Partner|Friends/ }).count()).toBe(0);
      expect(requests.filter((request) => request.startsWith('POST /api/cms/items'))).toEqual([]);
    });

    it('does not keep the other fields from being saved, and stays without a value', async () => {
      const { page } = tab();
      await page.getByLabel('Name', { exact: true }).fill('Ann');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.waitForURL(/\/content\/hermit\/\d+$/);

      const id = /\d+$/.exec(page.url())?.[0] ?? '';
      expect(JSON.parse(await readText(host.address, 'hermit', id)).data.values).toMatchObject({
        name: 'Ann',
        partner: null,
        friends: [],
      });
    });

    it('is an empty cell of the list', async () => {
      const { page, go } = tab();
      await create(host.address, 'hermit', { name: 'Bo' });
      await go('/content/hermit');
      await page.getByText('Bo', { exact: true }).waitFor();

      expect(await page.getByRole('link', { name: /undefined|null/ }).count()).toBe(0);
    });
  });

  describe('items that refer to another one', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('are listed on its page, with links, as many as one wants to see', async () => {
      const { page, go } = tab();
      const building = await create(host.address, 'building', { name: 'Tower' });
      for (let number = 1; number <= 5; number += 1) {
        await create(host.address, 'room', { name: `Room ${number}`, building });
      }
      await create(host.address, 'tour', { name: 'City', buildings: [building] });
      await go(`/content/building/${building}`);

      const rooms = page.getByRole('region', { name: 'Room, Building' });
      await rooms.getByText('Room (Building): 5').waitFor();
      expect(await rooms.getByRole('link').allTextContents()).toEqual(['Room 1', 'Room 2', 'Room 3']);
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await rooms.getByRole('button', { name: 'Show more' }).click();
      await rooms.getByRole('link', { name: 'Room 5' }).waitFor();
      expect(await rooms.getByRole('button', { name: 'Show more' }).count()).toBe(0);

      await page.getByRole('link', { name: 'City' }).click();
      await page.getByRole('heading', { level: 1, name: 'City' }).waitFor();
      await page.getByText('No item refers to it.').waitFor();
    });

    it('are named before they are deleted or changed with it', async () => {
      const { page, go, forgetErrors } = tab();
      await go('/content/building');
      await chooseInRow(page, 'Tower', 'Delete …');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();

      await dialog.getByText('5 Rooms will be deleted').waitFor();
      await dialog.getByText('1 Tour will be changed').waitFor();
      await dialog.getByRole('link', { name: 'Room 1' }).waitFor();
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await chooseInRow(page, 'Tower', 'Delete …');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      // One more than was shown: it is asked about again.
      await dialog.getByText('5 Rooms will be deleted').waitFor();
      const tower = JSON.parse(await readText(host.address, 'room', 1)).data.values.building.id as number;
      await create(host.address, 'room', { name: 'Room 6', building: tower });
      await dialog.getByRole('button', { name: 'Delete with these' }).click();
      await dialog.getByText('6 Rooms will be deleted').waitFor();
      await dialog.getByRole('button', { name: 'Delete with these' }).click();
      await page.getByText('Deleted building').first().waitFor();

      await go('/content/room');
      await page
        .getByText(/No rooms/i)
        .first()
        .waitFor();
      await go('/content/tour');
      await page.getByRole('link', { name: 'City', exact: true }).waitFor();
      forgetErrors();
    });
  });

  describe('many items that others refer to', () => {
    it('are deleted with these after a second question, which has the numbers', async () => {
      const { page, go, forgetErrors } = tab();
      for (const name of ['Mill', 'Barn', 'Shed']) {
        const building = await create(host.address, 'building', { name });
        if (name === 'Shed') continue;
        for (let number = 1; number <= 2; number += 1) {
          await create(host.address, 'room', { name: `${name} ${number}`, building });
        }
        await create(host.address, 'tour', { name: `Round ${name}`, buildings: [building] });
      }
      await go('/content/building');
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).press('Space');
      await page.getByRole('button', { name: 'Delete …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete buildings' });
      await dialog.getByRole('button', { name: 'Delete 3 buildings' }).click();
      await dialog.getByText('2 items were not deleted. If they are, at most').waitFor();
      await dialog.getByText('4 Rooms will be deleted').waitFor();
      await dialog.getByText('2 Tours will be changed').waitFor();
      expect(await accessibilityFindings(page, '[role=dialog]')).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete 2 with these' }).click();
      await dialog.getByText('3 of 3 deleted', { exact: true }).waitFor();
      await dialog.getByText('Close', { exact: true }).click();
      await go('/content/room');
      await page
        .getByText(/No rooms/i)
        .first()
        .waitFor();
      expect(tab().errors.filter((error) => !error.includes('409'))).toEqual([]);
      forgetErrors();
    });
  });

  describe('the choices of a picker, while another word is searched for', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('stay where they have the word: a click that has begun on one takes it', async () => {
      const { page, go } = tab();
      await create(host.address, 'building', { name: 'Belfry' });
      const searched = await holdSearch(page, 'Belf');
      await go('/content/room/new');
      const picker = page.getByRole('combobox', { name: 'Building' });
      await picker.click();
      const choice = page.getByRole('option', { name: /^Belfry/ });
      await choice.waitFor();
      await page.keyboard.type('Belf');
      const box = await choice.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
      await page.mouse.down();
      await searched.begun;
      await page.mouse.up();

      await expect(picker.inputValue()).resolves.toBe('Belfry');
      searched.release();
    });

    it('are not followed by more of the word before', async () => {
      const { page, go } = tab();
      for (let number = 1; number <= 21; number += 1) {
        await create(host.address, 'building', { name: `Barn ${number}` });
      }
      const searched = await holdSearch(page, 'Barn 2');
      await go('/content/room/new');
      await page.getByRole('combobox', { name: 'Building' }).click();
      const more = page.getByRole('option', { name: /^(Load more|Loading …)$/ });
      await more.waitFor();
      await page.keyboard.type('Barn 2');
      await page.getByRole('option', { name: /^Barn 3 / }).waitFor({ state: 'detached' });

      expect(await more.count()).toBe(0);
      await searched.begun;
      expect(await more.count()).toBe(0);
      searched.release();
      await page.getByRole('option', { name: /^Barn 2 / }).waitFor();
    });
  });

  describe('an address that is made from a name', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it('is shown while it is not typed, and is what a new item gets', async () => {
      const { page, go } = tab();
      await go('/content/tour/new');
      const address = page.getByRole('textbox', { name: 'Address' });
      expect(await address.getAttribute('placeholder')).toBe('Made from Name');
      await page.getByLabel('Name').fill('Zürich by night');
      await page.locator('input[placeholder="zurich-by-night"]').waitFor();
      expect(await address.getAttribute('aria-required')).not.toBe('true');
      expect(await accessibilityFindings(page, 'main')).toEqual([]);
      await page.keyboard.press('Control+s');
      await page.waitForURL(/\/content\/tour\/\d+/);
      expect(await address.inputValue()).toBe('zurich-by-night');

      await page.getByRole('button', { name: /^More actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await page.locator('input[placeholder="zurich-by-night"]').waitFor();
      expect(await address.inputValue()).toBe('');
      await page.keyboard.press('Control+s');
      await page.waitForURL(/\/content\/tour\/\d+$/);
      await go('/content/tour');
      await page.getByRole('cell', { name: 'zurich-by-night-2' }).waitFor();
    });

    it('says what is wrong where none can be made', async () => {
      const { page, go, forgetErrors } = tab();
      await go('/content/tour/new');
      await page.getByLabel('Name').fill('日本');
      await page.keyboard.press('Control+s');
      await page
        .getByText('Address cannot be made from name, which has neither a Latin letter nor a digit; give it.')
        .waitFor();
      forgetErrors();
    });
  });
}

/** Keeps requests that search for a word from being answered; `begun` is resolved by the first of them. */
async function holdSearch(page: Page, word: string): Promise<{ readonly begun: Promise<void>; release(): void }> {
  let begin = (): void => undefined;
  let release = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/cms/items/**', async (route) => {
    if (route.request().postData()?.includes(`"${word}"`) === true) {
      begin();
      await released;
    }
    await route.continue();
  });
  return { begun, release };
}
