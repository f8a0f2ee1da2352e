import { useTestHost } from '../../support/platform';
import { adminPlugins, create } from './support/content';
import { seriousFindings, useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: [...adminPlugins, 'test/e2e/rest/fixtures/workbench', 'test/samples/broken/throws-on-start'] });
const tab = useAdminTab(() => host.address);

jest.setTimeout(120_000);

const views = [
  { scheme: 'light', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'dark', width: 390 },
] as const;

beforeAll(async () => {
  const catalog = await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
  for (let index = 0; index < 60; index += 1) {
    await create(host.address, 'product', { code: `P-${index}`, name: `Spade ${index}`, price: index, catalog, image: '/admin/icon.svg' });
  }
  const article = await create(host.address, 'article', { title: 'Ten tools', slug: 'ten-tools' });
  await create(host.address, 'trendingarticlecomponent', { title: 'Most read', articles: [article] });
}, 60_000);

describe.each(views)('in $scheme colours at $width pixels, no serious finding of WCAG 2.2 AA is', ({ scheme, width }) => {
  beforeEach(() => tab().forgetErrors());
  beforeAll(async () => {
    await tab().page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await tab().page.setViewportSize({ width, height: 850 });
  });

  const pages = {
    'the start page': '/',
    'a list': '/content/product',
    'a list with filters': '/content/product?f=name.CONTAINS.spade&f=catalog.EQUALS.1&sort=-price',
    'a list that is empty': '/content/promotion',
    'a list with no match': '/content/product?f=name.CONTAINS.nothing',
    'an item with locked fields': '/content/product/1',
    'an item with several references': '/content/trendingarticlecomponent/1',
    'a form with every kind of field': '/content/gauge/new',
    'a list that is only read': '/content/ledger',
    'the plugins, one in trouble': '/plugins',
    'an address that leads nowhere': '/nowhere',
  } as const;

  it.each(Object.entries(pages))('on %s', async (_name, path) => {
    await tab().open(path);

    expect(await seriousFindings(tab().page)).toEqual([]);
    expect(tab().errors).toEqual([]);
  });

  it('on an item type that is gone, and on an item that is gone', async () => {
    await tab().open('/content/nothing');
    expect(await seriousFindings(tab().page)).toEqual([]);
    await tab().open('/content/product/999999');
    expect(await seriousFindings(tab().page)).toEqual([]);
  });

  it('on a form with problems, with an open picker', async () => {
    const { page, open } = tab();
    await open('/content/product/new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Code is required.').waitFor();
    await page.getByRole('combobox', { name: 'Catalog', exact: true }).click();
    await page.getByRole('option').first().waitFor();

    expect(await seriousFindings(page)).toEqual([]);
  });

  it('on the dialogs and the command palette', async () => {
    const { page, open } = tab();
    await open('/content/catalog');
    await page.getByRole('button', { name: /^Delete Garden/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Other items refer to it').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to' }).fill('prod');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('with the navigation open', async () => {
    const { page, open } = tab();
    await open('/');
    const burger = page.getByRole('button', { name: 'Navigation' });
    if (await burger.isVisible()) await burger.click();
    await page.getByRole('searchbox', { name: 'Filter navigation' }).fill('prod');

    expect(await seriousFindings(page)).toEqual([]);
  });
});
