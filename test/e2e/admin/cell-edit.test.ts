import { useTestHost } from '../../support/platform';
import { adminPlugins, change, create, readText } from './support/content';
import { chooseByKeyboard } from './support/lists';
import { accessibilityFindings, useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: adminPlugins });
const tab = useAdminTab(() => host.address);

describe('a cell of a column that its type declares as editable', () => {
  const product = { id: 0 };

  beforeAll(async () => {
    const catalog = await create(host.address, 'catalog', { code: 'cells' });
    product.id = await create(host.address, 'product', { code: 'CELL', name: 'Hoe', price: 5, catalog });
  });

  beforeEach(async () => {
    await tab().open('/content/product?q=CELL');
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
