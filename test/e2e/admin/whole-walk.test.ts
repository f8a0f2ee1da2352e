import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { startChangingPlatform, type ChangingPlatform } from '../../launcher/changing-platform';
import { readText } from './support/content';
import { goInside } from './support/go-inside';
import { accessibilityFindings, useAdminTab } from './support/open-pages';
import { openPlugin } from './support/plugins';
import { createQuickServices, type QuickServices } from './support/quick-services';
import { chooseInRow, shown } from './support/lists';

let platform: ChangingPlatform;
let quick: QuickServices;
beforeAll(async () => {
  quick = await createQuickServices();
  const content = ['admin-ui', 'catalog', 'articles', 'media'].map((name) => `plugins/${name}`);
  const services = ['email', 'payment', 'ops'].map((name) => `services/${name}`);
  platform = await startChangingPlatform([...content, ...services, ...quick.plugins, 'test/samples/recipes'], {
    disabled: ['recipes'],
  });
});
afterAll(async () => {
  await platform.close();
  await quick.remove();
});
const tab = useAdminTab(() => platform.address);
// With motion, as most people have it; the other files do without.
beforeAll(() => tab().page.emulateMedia({ reducedMotion: 'no-preference' }));

/** Maximum number of requests of a list; `open` begins to count. */
const requestsOfAPage = 4;

const button = (name: string) => tab().page.getByRole('button', { name, exact: true });
const heading = (name: string) => tab().page.getByRole('heading', { level: 1, name, exact: true });

/** Creates what the form holds. @returns its id */
async function createAs(name: string): Promise<string> {
  await button('Create').click();
  await heading(name).waitFor();
  return new URL(tab().page.url()).pathname.split('/').at(-1) ?? '';
}

async function chooseCatalog(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Catalog', exact: true }).pressSequentially('gard');
  await page.getByRole('option', { name: /Garden tools/ }).click();
}

/** Each test continues where the one before has ended, as a person would. */
describe('from an empty platform, in the pages alone, one can', () => {
  afterEach(async () => {
    const { errors, outside, page } = tab();
    expect([errors, outside]).toEqual([[], []]);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  let spade = '';

  it('see on the first page what to do next', async () => {
    const { page } = tab();
    await page.goto(platform.address);
    await heading('Home').waitFor();
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.waitForLoadState('networkidle');

    await page.getByRole('link', { name: 'New catalog', exact: true }).waitFor();
  });

  it('create a catalog', async () => {
    const { page } = tab();
    await page.getByRole('link', { name: 'New catalog', exact: true }).click();
    await heading('New catalog').waitFor();
    await page.getByLabel('Code').fill('garden');
    await page.getByLabel('Name').fill('Garden tools');
    await createAs('Garden tools');
  });

  it('create products in it, one after the other', async () => {
    const { page } = tab();
    await goInside(page, '/content/product');
    await page.getByRole('link', { name: 'New product' }).click();
    await heading('New product').waitFor();
    await page.getByLabel('Code').fill('P-1');
    await page.getByLabel('Name').fill('Folding spade');
    await chooseCatalog(page);
    spade = await createAs('Folding spade · P-1');

    await goInside(page, '/content/product/new');
    await heading('New product').waitFor();
    await page.getByLabel('Code').fill('P-2');
    await page.getByLabel('Name').fill('Watering can');
    await chooseCatalog(page);
    await createAs('Watering can · P-2');
  });

  it('create an article with an image of one’s own', async () => {
    const { page } = tab();
    const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#28783c' } })
      .png()
      .toBuffer();
    await goInside(page, '/content/article/new');
    await page.getByLabel('Title').fill('Ten tools');
    await page.locator('input[type=file]').setInputFiles({ name: 'tools.png', mimeType: 'image/png', buffer });
    await page.getByText('Uploaded tools.png, 600 × 400 pixels.').waitFor();
    const id = await createAs('Ten tools');

    expect(await readText(platform.address, 'article', id)).toMatch(/"image":"\/media\/[0-9a-f]{64}\.png"/);
    await goInside(page, '/content/article');
    await page.getByRole('link', { name: 'Ten tools', exact: true }).locator('img').waitFor();
  });

  it('search, with no more requests than a list needs', async () => {
    const { page, open, requests } = tab();
    await open('/content/product');
    expect(requests.length).toBeLessThanOrEqual(requestsOfAPage);
    await shown(page, 2);
    await page.keyboard.press('/');
    await page.keyboard.type('spade');
    await page.keyboard.press('Enter');

    await shown(page, 1);
    await page.getByRole('cell', { name: 'Folding spade', exact: true }).waitFor();
  });

  it('edit what was found', async () => {
    const { page } = tab();
    await page.getByRole('link', { name: 'Folding spade', exact: true }).click();
    await heading('Folding spade · P-1').waitFor();
    // A point separates decimals for some people, and thousands for others.
    await page.getByLabel('Price').fill('24,90');
    await page.getByText('Use a point as decimal separator').waitFor();
    await page.getByLabel('Price').fill('24.90');
    await page.keyboard.press('Control+s');

    await page.getByText('version 2').waitFor();
    expect(await readText(platform.address, 'product', spade)).toContain('"price":24.9000');
  });

  it('see what another editor changed meanwhile, and choose', async () => {
    const { page } = tab();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('Name').fill('Folding spade, theirs');
    await other.getByLabel('Price').fill('25');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('version 3').waitFor();
    await other.close();

    await page.getByLabel('Name').fill('Folding spade, mine');
    await button('Save').click();
    const dialog = page.getByRole('dialog', { name: 'This item was changed by someone else' });
    await dialog.getByText('Folding spade, theirs').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole('radio', { name: /Yours/ }).check();
    await dialog.getByRole('button', { name: 'Save the chosen values' }).click();

    await page.getByText('version 4').waitFor();
    const text = await readText(platform.address, 'product', spade);
    expect(text).toContain('"name":"Folding spade, mine"');
    expect(text).toContain('"price":25.0000');
    // The refusal of the save is what the browser tells as an error.
    tab().forgetErrors();
  });

  it('delete what is not needed', async () => {
    const { page } = tab();
    await goInside(page, '/content/product');
    await chooseInRow(page, 'P-2', 'Delete …');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();

    await page.getByText('Deleted product').first().waitFor();
    await shown(page, 1);
  });

  it('place an order and bring it to its end', async () => {
    const { page } = tab();
    await goInside(page, '/operations/orders');
    await page.getByText('No orders yet').waitFor();
    await button('Place order').click();
    await page.getByRole('dialog').getByLabel('Order id').fill('A-1');
    await page.keyboard.press('Enter');
    await heading('Order A-1').waitFor();
    await button('Report delivered').click();
    await page.getByText('the carrier reports: delivered').waitFor();
    for (const step of ['Record payment', 'Dispatch', 'Confirm receipt']) {
      await button(step).click();
      await button(step).waitFor({ state: 'detached' });
    }

    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'order-A-1' }).click();
    await page.getByRole('list', { name: 'Timeline' }).waitFor();
    // The bundled server has no pages that one could be led to.
    expect(await page.getByRole('link', { name: 'Open in Temporal UI' }).count()).toBe(0);
  });

  it('enable a plugin, and use its type', async () => {
    const { page } = tab();
    await goInside(page, '/plugins');
    await openPlugin(page, 'Recipes');
    await button('Enable Recipes').click();
    const dialog = page.getByRole('dialog', { name: 'Enable Recipes?' });
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('Done, without downtime').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Recipes', exact: true }).click();
    await page.getByRole('link', { name: 'New recipe' }).first().click();
    await heading('New recipe').waitFor();
    await page.getByLabel('Name').fill('Pea soup');
    await createAs('Pea soup');

    await goInside(page, '/content/product');
    await shown(page, 1);
  });
});
