import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { create, readText } from '../support/content';
import { chooseByKeyboard } from '../support/lists';
import { goInside } from '../support/go-inside';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';
import { findingsInAllLooks, findingsInOppositeLooks } from '../support/all-looks';

/** On a host with the sample paints, as it was built. */
export function testBuiltPlugin(host: TestHost, tab: () => AdminTab): void {
  afterEach(() => {
    expect(tab().errors).toEqual([]);
    expect(tab().outside).toEqual([]);
  });

  it('has its pages in the menu before any of its code is loaded', async () => {
    const { page, open, requests } = tab();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await open('/');

    // Without a heading, which would repeat the first entry.
    const group = page.getByRole('navigation', { name: 'Main' }).getByRole('group', { name: 'Content' });
    const entries = await group.getByRole('link').allTextContents();
    const first = entries.indexOf('Paints');
    expect(entries.slice(first, first + 3)).toEqual(['Paints', 'Palette', 'Paints by room']);
    expect(loaded.filter((path) => path.startsWith('/plugins/'))).toEqual([]);
    expect(requests.filter((request) => request.includes('plugin-uis'))).toEqual([]);
  });

  it('shows its page, which reads and creates items', async () => {
    const { page } = tab();
    await page.getByRole('link', { name: 'Palette' }).click();
    await page.getByRole('heading', { level: 1, name: 'Palette' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/x/paints');
    await page.getByRole('button', { name: 'Add the presets' }).click();

    await page.getByRole('region', { name: 'Sage' }).getByText('#9caf88').waitFor();
    expect(await page.title()).toBe('Palette · Gantry');
    await eventually(async () => (await page.getByRole('main').getByRole('region').count()) === 3);
    expect(await findingsInAllLooks(page)).toEqual([]);
  });

  it('has one React with the pages, and all that its package declares', async () => {
    const { page } = tab();
    const declared = Object.keys(createRequire(__filename)('@gantry/ui') as object).toSorted();

    expect(await page.evaluate(`import('@gantry/ui').then((ui) => Object.keys(ui).sort())`)).toEqual(declared);
    expect(
      await page.evaluate(
        `Promise.all([import('react'), import('react-dom')]).then(([{ version }, dom]) => version === dom.version)`,
      ),
    ).toBe(true);
  });

  it('brings the control of a field, with the form’s label, problems and saving', async () => {
    const { page, go } = tab();
    await go('/content/paint/new');
    expect(await findingsInOppositeLooks(page)).toEqual([]);
    await page.getByLabel('Name').fill('Moss');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Colour is required.').waitFor();
    await page.locator('#field-colour:focus').waitFor();
    tab().forgetErrors();

    await page.getByRole('button', { name: 'Sage' }).click();
    await page.getByRole('textbox', { name: 'Colour' }).fill('#6b8e23');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Moss' }).waitFor();

    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await readText(host.address, 'paint', id)).toContain('"colour":"#6b8e23"');
  });

  it('changes a stored value by that control, and warns before it is lost', async () => {
    const { page } = tab();
    await page.getByRole('button', { name: 'Slate' }).click();
    await page.getByText('1 field changed').waitFor();
    await page.getByRole('link', { name: 'Palette' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();

    await page.getByText('version 2').waitFor();
    await page.getByText('#4f5d75', { exact: true }).waitFor();
  });

  it('brings the cell of a column, and an action of an item', async () => {
    const { page } = tab();
    await goInside(page, '/content/paint');
    await page.locator('td [data-swatch="#9caf88"]').waitFor();

    await page.getByRole('button', { name: /^More actions for Sage/ }).click();
    await page.getByRole('menuitem', { name: 'Mix a lighter one' }).click();

    await page.getByText('Sage, lighter is mixed').waitFor();
    await page.locator('td [data-swatch="#ced7c4"]').waitFor();
  });

  it('offers the action on the page of the item too, by keyboard', async () => {
    const { page } = tab();
    await page.getByRole('link', { name: 'Slate', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Slate' }).waitFor();
    await chooseByKeyboard(page, 'More actions for Slate', 'Mix a lighter one');

    await page.getByText('Slate, lighter is mixed').waitFor();
  });

  it('shows computed values in the list, which is sorted by them, and on the page of an item, where they cannot be set', async () => {
    const { page, go } = tab();
    const id = await create(host.address, 'paint', { name: 'Coal', colour: '#202020', litres: 0.01 });
    await go('/content/paint?sort=coverage');
    await page.getByRole('columnheader', { name: /Square metres/ }).waitFor();
    await page.getByRole('row').nth(1).getByText('Coal').waitFor();
    await shot(page, 'computed-list');
    await goInside(page, `/content/paint/${id}`);
    const form = page.getByRole('form', { name: 'Edit paint' });
    await form.getByText('Computed').first().waitFor();
    for (const text of ['0.08', 'white']) await form.getByRole('group').getByText(text).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await shot(page, 'computed-item');
    await page.getByLabel('Name').fill('Coal black');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved paint').waitFor();
    await go(`/content/paint/new?from=${id}`);
    await page.getByLabel('Name').fill('Coal copy');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/content\/paint\/\d+/);
  });

  it('keeps its own state in the address, so that links and the Back button bring it back', async () => {
    const { page } = tab();
    await create(host.address, 'paint', { name: 'Tile white', colour: '#ffffff', room: 'BATH', litres: 2.5 });
    await goInside(page, '/x/paints/rooms');
    await page.getByLabel('Room').selectOption('BATH');
    await page.getByRole('cell', { name: 'Chalk' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '2.5' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/x/paints/rooms/BATH');
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]');
    expect(await current.allTextContents()).toEqual(['Paints by room']);

    await page.goBack();
    await page.getByRole('cell', { name: 'Chalk' }).waitFor();
    expect(await page.getByLabel('Room').inputValue()).toBe('');
    expect(await findingsInOppositeLooks(page)).toEqual([]);
  });

  it('is opened by its name from the command palette', async () => {
    const { page } = tab();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to' }).fill('by room');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { level: 1, name: 'Paints by room' }).waitFor();
  });

  it('says where nothing is, and what there is instead', async () => {
    const { page } = tab();
    await goInside(page, '/x/nobody');
    await page.getByText('No plugin "nobody" has pages').waitFor();
  });
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['GANTRY_TEST_SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
