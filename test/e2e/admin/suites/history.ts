import type { Page } from 'playwright-core';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { findingsInAllLooks, findingsInOppositeLooks } from '../support/all-looks';
import { change, create, readText, remove } from '../support/content';
import { choose, chooseInRow, press } from '../support/lists';
import type { AdminTab } from '../support/open-pages';
import { openVersion } from '../support/versions';

export function describeHistory(host: TestHost, tab: () => AdminTab): void {
  let catalog = 0;

  beforeAll(async () => {
    catalog = await create(host.address, 'catalog', { code: 'shed', name: 'Shed tools' });
    // The question where to store a file has no answer here.
    await tab().page.addInitScript('window.showSaveFilePicker = undefined');
  });

  afterEach(() => expect(tab().errors).toEqual([]));

  describe('the history of an item', () => {
    it('says who changed which fields, and how', async () => {
      const { page, go } = tab();
      const image = '/admin/icon.svg';
      const id = await product({ name: 'A sturdy spade', price: 24.9, image });
      await change(host.address, 'product', id, { name: 'A strong spade', price: 12345.5, approvalStatus: 'APPROVED' });
      await change(host.address, 'product', id, { image: null });
      await go(`/content/product/${id}`);
      await page.getByRole('link', { name: 'History' }).click();
      const versions = page.getByRole('list', { name: 'Versions' }).locator(':scope > li');
      await versions.first().waitFor();

      expect(await versions.count()).toBe(3);
      const second = versions.nth(1);
      expect((await second.locator('summary').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
        /^LU Local user Name A sturdy spade A strong spade, Price 24.90 12,345.50 and Approval status Check Approved Version 2 \d\d:\d\d$/,
      );
      for (const version of [0, 1]) await openVersion(page, version);
      expect(await versions.nth(0).getByRole('img', { name: 'Image' }).getAttribute('src')).toBe(image);
      const differences = second.locator('dl');
      expect(await differences.locator('del').allInnerTexts()).toEqual(['sturdy']);
      expect(await differences.locator('ins').allInnerTexts()).toEqual(['strong']);
      expect(await fieldText(page, 1, 'Price')).toBe('Before: 24.90 After: 12,345.50');
      expect(await fieldText(page, 1, 'Approval status')).toBe('Before: Check After: Approved');
      expect(await second.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d .* UTC$/);
    });

    it('names references, and says which of several came, went or moved', async () => {
      const { page, go } = tab();
      const [a, b, c] = await Promise.all(
        ['Ten tools', 'Lawn care', 'Pruning'].map((title) => create(host.address, 'article', { title })),
      );
      const id = await create(host.address, 'trendingarticlecomponent', { title: 'Most read', articles: [a, b] });
      await change(host.address, 'trendingarticlecomponent', id, { articles: [c, a] });
      await change(host.address, 'trendingarticlecomponent', id, { articles: [a, c] });
      await go(`/content/trendingarticlecomponent/${id}/history`);

      expect(await fieldText(page, 1, 'Articles')).toBe('Removed: Lawn care Added: Pruning1 unchanged');
      expect(await fieldText(page, 0, 'Articles')).toBe('Order changed: Ten tools, Pruning');
    });

    it('shows only what somebody did, or what was done to a field', async () => {
      const { page, go } = tab();
      const id = await product({ name: 'Spade', price: 0 });
      for (const price of [1, 2, 3, 4]) await change(host.address, 'product', id, { price });
      await change(host.address, 'product', id, { name: 'Shovel' });
      await go(`/content/product/${id}/history`);
      const versions = page.getByRole('list', { name: 'Versions' }).locator(':scope > li');
      await page.getByLabel('Field').selectOption('Name');
      await eventually(async () => (await versions.count()) === 2, 'only the versions that set a name are listed');
      await page.getByLabel('Field').selectOption('Any field');
      await page.getByLabel('Actor').selectOption('Local user');

      expect(await versions.count()).toBe(6);
      const text = page.getByRole('searchbox', { name: 'Filter versions' });
      await text.fill('name shovel');
      await eventually(async () => (await versions.count()) === 1, 'only the version with that value is listed');
      await text.fill('nothing');
      await page.getByText('No version matches the filters.').waitFor();
      await text.fill('');
      expect(await findingsInAllLooks(page)).toEqual([]);
    });

    it('compares any two versions, with an address that shows the same again', async () => {
      const { page, go } = tab();
      const id = await product({ name: 'Rake', price: 1 });
      await change(host.address, 'product', id, { price: 2 });
      await change(host.address, 'product', id, { price: 3, name: 'Leaf rake' });
      await go(`/content/product/${id}/history`);
      await page.getByLabel('First version').selectOption({ value: '1' });
      const comparison = page.getByRole('region', { name: 'Version 1 compared with version 3' });
      await comparison.getByText('Price').waitFor();
      const compared = await comparison.locator('dd').allInnerTexts();
      await page.reload();
      await comparison.getByText('Price').waitFor();
      const again = await comparison.locator('dd').allInnerTexts();
      await page.getByLabel('Second version').selectOption({ value: '1' });
      await page.getByText('They have the same values in all fields that you can see.').waitFor();
      await openVersion(page, 1);
      await page.getByRole('link', { name: 'Compare version 2 with the current one' }).click();

      await page.getByRole('heading', { name: 'Version 2 compared with version 3' }).waitFor();
      expect(again).toEqual(compared);
      expect(compared).toHaveLength(2);
      await press(page, 'Close the comparison');
      await comparison.waitFor({ state: 'detached' });
    });

    it('brings a version back by keyboard, after showing what changes, and names it afterwards', async () => {
      const { page, go } = tab();
      const id = await product({ name: 'Hoe', price: 5 });
      await change(host.address, 'product', id, { name: 'Dutch hoe', price: 6 });
      await go(`/content/product/${id}/history`);
      await openVersion(page, 1);
      const button = page.getByRole('button', { name: 'Restore version 1 …' });
      await button.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Restore version 1?' });
      await dialog.getByText('2 fields change').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();
      await button.press('Enter');
      await dialog.getByText('2 fields change').waitFor();
      await dialog.getByRole('button', { name: 'Restore', exact: true }).press('Enter');

      await page.getByText('Restored version 1', { exact: true }).waitFor();
      expect(await stored('product', id)).toMatchObject({ name: 'Hoe', price: 5, version: 3 });
    });

    it('restores without a field whose value is not possible any more', async () => {
      const { page, go } = tab();
      const parent = await create(host.address, 'category', { code: 'old-tools', name: 'Tools', catalog });
      const id = await create(host.address, 'category', { code: 'old-spades', name: 'Spades', catalog, parent });
      await change(host.address, 'category', id, { parent: null, name: 'Spades and forks' });
      await remove(host.address, 'category', parent);
      await go(`/content/category/${id}/history`);
      await openVersion(page, 1);
      await press(page, 'Restore version 1 …');
      const dialog = page.getByRole('dialog');
      const confirm = dialog.getByRole('button', { name: 'Restore', exact: true });
      await dialog.getByText('Not everything can be restored').waitFor();
      const refused = await confirm.isDisabled();
      await dialog.getByLabel(/^Leave out Parent/).check();
      await dialog.getByText('1 field changes').waitFor();
      await confirm.click();
      await page.getByText('Restored version 1', { exact: true }).waitFor();

      expect(refused).toBe(true);
      expect(await stored('category', id)).toMatchObject({ name: 'Spades', parent: null });
    });

    it('is loaded on request, and not with the list', async () => {
      const { page, go, open } = tab();
      await open('/content/product');
      const loaded = await scripts(page);
      await go(`/content/product/${await product({ name: 'Late' })}/history`);

      expect(loaded.some((path) => path.includes('history-page'))).toBe(false);
      expect((await scripts(page)).some((path) => path.includes('history-page'))).toBe(true);
    });
  });

  describe('deleted items', () => {
    it('are listed with who deleted them, can be looked at and restored', async () => {
      const { page, go } = tab();
      const id = await product({ name: 'Watering can', code: 'CAN', price: 9 });
      await remove(host.address, 'product', id);
      await go('/content/product');
      await choose(page, 'More', 'View deleted items');
      await page.getByRole('heading', { level: 1, name: 'Deleted products' }).waitFor();
      const row = page.getByRole('row', { name: /CAN/ });
      const text = await row.innerText();
      await row.getByRole('link', { name: 'CAN' }).click();
      await page.getByText('This Product is deleted').waitFor();
      const values = await page.getByRole('region', { name: 'This Product is deleted' }).innerText();
      await page.goBack();
      await press(page, 'Restore CAN …');
      await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByRole('form', { name: 'Edit product' }).waitFor();

      expect(text).toContain('Local user');
      expect(values).toContain('Watering can');
      expect(new URL(page.url()).pathname).toBe(`/admin/content/product/${id}`);
      expect(await stored('product', id)).toMatchObject({ code: 'CAN', name: 'Watering can', price: 9 });
    });

    it('are none at first', async () => {
      const { page, go } = tab();
      await go('/content/promotion/deleted');

      await page.getByText('No deleted promotions').waitFor();
    });
  });

  describe('what was done in a list', () => {
    it('is undone after one item was deleted', async () => {
      const { page, go } = tab();
      const id = await create(host.address, 'event', { code: 'open', name: 'Open day' });
      await go(`/content/event/${id}`);
      await chooseInRow(page, 'Open day', 'Delete …');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await press(page, 'Undo');
      await page.getByText('Restored Event Open day').waitFor();

      expect(await stored('event', id)).toMatchObject({ code: 'open', name: 'Open day' });
      await page.getByRole('link', { name: 'Open day' }).first().waitFor();
    });

    it('is undone for each of many items, but for one that was changed since', async () => {
      const { page, go } = tab();
      const ids = await Promise.all(
        ['One', 'Two', 'Three'].map((name) => product({ name, code: `B-${name}`, price: 1 })),
      );
      await go('/content/product?f=code.CONTAINS.B-');
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).check();
      await press(page, 'Edit …');
      await page.getByLabel('Field to edit').selectOption('Price');
      await page.getByRole('dialog').getByLabel('Price', { exact: true }).fill('7');
      await press(page, 'Edit 3 products');
      await page.getByText('3 of 3 changed').first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
      await change(host.address, 'product', ids[1] ?? 0, { price: 8 });
      await press(page, 'Undo');
      const dialog = page.getByRole('dialog', { name: 'Undo: restore products' });
      await dialog.getByText('2 of 3 restored, 1 failed').first().waitFor();

      expect(await dialog.getByRole('region', { name: 'Failed items' }).innerText()).toContain('It was changed again');
      tab().forgetErrors();
      expect(await Promise.all(ids.map(async (id) => (await stored('product', id))['price']))).toEqual([1, 8, 1]);
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    });

    it('is undone after many items were deleted', async () => {
      const { page, go } = tab();
      const ids = await Promise.all(['Four', 'Five'].map((name) => product({ name, code: `D-${name}` })));
      await go('/content/product?f=code.CONTAINS.D-');
      await page.getByRole('checkbox', { name: 'Select the items of this page' }).check();
      await press(page, 'Delete …');
      await press(page, 'Delete 2 products');
      await page.getByText('2 of 2 deleted').first().waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.getByText('No results').waitFor();
      await press(page, 'Undo');
      const dialog = page.getByRole('dialog', { name: 'Undo: restore products' });
      await dialog.getByText('2 of 2 restored').first().waitFor();
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

      expect(await Promise.all(ids.map(async (id) => (await stored('product', id))['name']))).toEqual(['Four', 'Five']);
      await page.getByRole('row', { name: /D-Four/ }).waitFor();
    });
  });

  describe('what others change', () => {
    it('is said below a list and over a form, without moving anything', async () => {
      const { page } = tab();
      const id = await create(host.address, 'event', { code: 'harvest', name: 'Harvest', place: 'Barn' });
      await goLive(`/content/event/${id}`);
      await page.getByLabel('Name').fill('Harvest festival');
      const before = await page.getByLabel('Name').boundingBox();
      await change(host.address, 'event', id, { place: 'Field' });
      const notice = page.getByText('changed this Event. Your changes are kept.');
      await notice.waitFor();
      const after = await page.getByLabel('Name').boundingBox();
      await press(page, 'Load the new version');
      await notice.waitFor({ state: 'hidden' });
      const typed = await page.getByLabel('Name').inputValue();
      await press(page, 'Discard changes');
      await goLive('/content/event');
      await change(host.address, 'event', id, { place: 'Orchard' });
      await page.getByText('1 Event changed since this list was read').waitFor();
      const shown = await page.getByRole('row', { name: /Harvest/ }).innerText();
      await press(page, 'Refresh');
      await page.getByText('since this list was read').waitFor({ state: 'detached' });

      expect(after).toEqual(before);
      expect(typed).toBe('Harvest festival');
      expect(shown).not.toContain('Orchard');
    });

    it('appears on the start page and among what a field may refer to by itself', async () => {
      const { page } = tab();
      await goLive('/');
      await create(host.address, 'event', { code: 'grafting', name: 'Grafting' });
      await page.getByRole('link', { name: 'Grafting' }).waitFor();
      await goLive('/content/product/new');
      await page.getByRole('combobox', { name: 'Catalog', exact: true }).press('ArrowDown');
      await page.getByRole('option', { name: 'Shed tools' }).waitFor();
      await create(host.address, 'catalog', { code: 'meadow', name: 'Meadow tools' });
      await page.getByRole('option', { name: 'Meadow tools' }).waitFor();
      await page.keyboard.press('Escape');
    });

    it('reaches all tabs of a browser by one stream', async () => {
      const { page } = tab();
      const streams: string[] = [];
      const other = await page.context().newPage();
      for (const one of [page, other]) {
        one.on('request', (request) => {
          if (request.resourceType() === 'eventsource') streams.push(request.url());
        });
      }
      await openLive('/content/event');
      await other.goto(`${host.address}/admin/content/event`);
      await other.getByRole('table').waitFor();
      await other.waitForLoadState('networkidle');
      await create(host.address, 'event', { code: 'frost', name: 'Frost' });
      await Promise.all([page, other].map((one) => one.getByText(/Events? changed since/).waitFor()));
      await other.close();

      expect(streams).toHaveLength(1);
    });

    it('is not said of what the tab itself has saved', async () => {
      const { page } = tab();
      const id = await create(host.address, 'event', { code: 'sowing', name: 'Sowing' });
      await goLive(`/content/event/${id}`);
      await page.getByLabel('Name').fill('Sowing day');
      await press(page, 'Save');
      await page.getByText('Saved event Sowing day').waitFor();
      // A change that comes after it, so that its own has arrived.
      await change(host.address, 'event', id, { place: 'Field' });
      await page.getByText('changed this Event').waitFor();
      await page.getByRole('link', { name: 'View the changes' }).click();

      await page.getByRole('heading', { name: 'Version 2 compared with version 3' }).waitFor();
      await change(host.address, 'event', id, { place: 'Barn' });
      await page.getByText('There is a newer version.').waitFor();
      const shown = await page.getByText('Version 4 (current)').count();
      await press(page, 'Load the new version');
      await page.getByText('Version 4 (current)').waitFor();

      expect(shown).toBe(0);
    });
  });

  describe('in light and dark colours, wide and narrow, no finding of accessibility is', () => {
    it('on the history, with a comparison of two versions', async () => {
      const { page, go } = tab();
      const id = await product({ name: 'A sturdy rake', price: 1 });
      await change(host.address, 'product', id, { name: 'A strong rake', price: 2 });
      await go(`/content/product/${id}/history?from=1&to=2`);

      expect(await findingsInAllLooks(page)).toEqual([]);
    });

    it.each([
      ['on the deleted items', '/content/product/deleted'],
      ['on the audit of items', '/audit?type=event'],
      ['on the audit of security', '/audit?tab=security'],
    ])('%s', async (_name, path) => {
      await tab().go(path);

      expect(await findingsInOppositeLooks(tab().page)).toEqual([]);
    });

    it('on the history of a deleted item and on the dialog that restores it', async () => {
      const { page, go } = tab();
      const id = await product({ name: 'Gone' });
      await remove(host.address, 'product', id);
      await go(`/content/product/${id}/history`);
      const onPage = await findingsInOppositeLooks(page);
      await press(page, 'Restore …');
      await page.getByRole('dialog').getByText('Values').waitFor();

      expect(onPage).toEqual([]);
      expect(await findingsInOppositeLooks(page, '[role=dialog]')).toEqual([]);
    });
  });

  let products = 0;

  function product(values: object): Promise<number> {
    products += 1;
    return create(host.address, 'product', { code: `H-${products}`, catalog, ...values });
  }

  async function stored(type: string, id: number): Promise<Readonly<Record<string, unknown>>> {
    const answer = JSON.parse(await readText(host.address, type, id)) as { data: { values: Record<string, unknown> } };
    return answer.data.values;
  }

  /** The text of a field in a version, as it is read aloud. */
  async function fieldText(page: Page, version: number, name: string): Promise<string> {
    const entry = page.getByRole('list', { name: 'Versions' }).locator(':scope > li').nth(version);
    const field = entry.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    return ((await field.locator('dd').textContent()) ?? '')
      .replaceAll(/(Before|After|Removed|Added): /g, ' $1: ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  }

  async function scripts(page: Page): Promise<readonly string[]> {
    return (await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)) as string[];
  }

  /** Goes to a page that follows the changes. The stream stays on the way from page to page. */
  async function goLive(path: string): Promise<void> {
    const { page, go } = tab();
    if (await page.evaluate('globalThis.followsChanges === true')) await go(path);
    else await openLive(path);
  }

  /** Opens a page and waits until it follows the changes. */
  async function openLive(path: string): Promise<void> {
    const { page, open } = tab();
    const following = page.waitForResponse((response) => response.url().includes('/api/cms/changes/stream'));
    await open(path);
    await following;
    await page.evaluate('globalThis.followsChanges = true');
  }
}
