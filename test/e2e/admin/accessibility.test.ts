import { useTestHost } from '../../support/platform';
import { findingsInAllLooks } from './support/all-looks';
import { adminPlugins, create } from './support/content';
import { accessibilityFindings, useAdminTab } from './support/open-pages';

const host = useTestHost({
  plugins: [...adminPlugins, 'test/e2e/rest/fixtures/workbench', 'test/samples/broken/throws-on-start'],
});
const tab = useAdminTab(() => host.address);

beforeAll(async () => {
  const catalog = await create(host.address, 'catalog', { code: 'garden', name: 'Garden tools' });
  for (let index = 0; index < 60; index += 1) {
    await create(host.address, 'product', {
      code: `P-${index}`,
      name: `Spade ${index}`,
      price: index,
      catalog,
      image: '/admin/icon.svg',
    });
  }
  const article = await create(host.address, 'article', { title: 'Ten tools', slug: 'ten-tools' });
  await create(host.address, 'trendingarticlecomponent', { title: 'Most read', articles: [article] });
  await tab().page.emulateMedia({ reducedMotion: 'reduce' });
});

const findings = (): Promise<readonly string[]> => findingsInAllLooks(tab().page);

describe('in light and dark colours, wide and narrow, no finding of WCAG 2.2 AA or of best practice is', () => {
  beforeEach(async () => {
    await tab().page.setViewportSize({ width: 1280, height: 850 });
    tab().forgetErrors();
  });

  const pages = {
    'the start page': '/',
    'a list': '/content/product',
    'a list with filters': '/content/product?f=name.CONTAINS.spade&f=catalogVersion.EQUALS.STAGED&sort=-price',
    'a list that is empty': '/content/promotion',
    'a list with no match': '/content/product?f=name.CONTAINS.nothing',
    'an item with locked fields': '/content/product/1',
    'an item with several references': '/content/trendingarticlecomponent/1',
    'a form with every kind of field': '/content/gauge/new',
    'a list that is only read': '/content/ledger',
    'the plugins, one in trouble': '/plugins',
    'the details of a plugin in trouble': '/plugins?state=failed&plugin=throws-on-start',
    'an address that leads nowhere': '/nowhere',
  } as const;

  it.each(Object.entries(pages))('on %s', async (_name, path) => {
    await tab().open(path);

    expect(await findings()).toEqual([]);
    expect(tab().errors).toEqual([]);
  });

  it.each(['/content/nothing', '/content/product/999999'])('on what is not there: %s', async (path) => {
    await tab().open(path);

    expect(await findings()).toEqual([]);
  });

  it('on a form with problems and with an open picker', async () => {
    const { page, open } = tab();
    await open('/content/product/new');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Code is required.').waitFor();
    await page.getByRole('combobox', { name: 'Catalog', exact: true }).click();
    await page.getByRole('option').first().waitFor();

    expect(await findings()).toEqual([]);
  });

  it('on the dialog that asks before an item is deleted, with what refers to it', async () => {
    const { page, open } = tab();
    await open('/content/catalog');
    await page.getByRole('button', { name: /^Delete Garden/ }).click();
    await page.getByText('Other items refer to it').waitFor();

    expect(await findings()).toEqual([]);
  });

  it.each([
    ['/plugins', 'link', 'Plugins'],
    ['/plugins?plugin=catalog', 'button', 'Disable Catalog'],
    ['/content/product', 'button', 'Filter'],
  ] as const)('on what is under the pointer: %s, %s %s', async (path, role, name) => {
    const { page, open } = tab();
    await open(path);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole(role, { name, exact: true }).hover();

    expect(await accessibilityFindings(page, 'html', 'colours')).toEqual([]);
  });

  it('on the command palette', async () => {
    const { page, open } = tab();
    await open('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Go to' }).fill('prod');

    expect(await findings()).toEqual([]);
  });

  it('on the navigation, opened in a narrow window', async () => {
    const { page, open } = tab();
    await page.setViewportSize({ width: 390, height: 850 });
    await open('/');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('searchbox', { name: 'Filter navigation' }).fill('prod');

    expect(await findings()).toEqual([]);
  });
});

it('with reduced motion, the spinner of a button is in its middle', async () => {
  const { page, open } = tab();
  await open('/content/catalog/new');
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/cms/items/catalog', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel('Code').fill('spinner');
  const button = page.getByRole('button', { name: 'Create', exact: true });
  await button.click();
  const middleOf = async (locator: typeof button) => {
    const box = await locator.boundingBox();
    return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  };
  const spinner = button.locator('.mantine-Loader-root');
  await spinner.waitFor();
  const [found, wanted] = [await middleOf(spinner), await middleOf(button)];
  answer();
  await page.getByRole('heading', { level: 1, name: 'spinner' }).waitFor();
  await page.unroute('**/api/cms/items/catalog');

  expect(Math.abs((found[0] ?? 0) - (wanted[0] ?? 0))).toBeLessThan(3);
  expect(Math.abs((found[1] ?? 0) - (wanted[1] ?? 0))).toBeLessThan(3);
});
