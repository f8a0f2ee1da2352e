import type { TestHost } from '../../../support/platform';
import { findingsInAllLooks, findingsInOppositeLooks } from '../support/all-looks';
import { change, create, createSpades, idsOf } from '../support/content';
import { layoutFindingsInAllWidths } from '../support/layout';
import { accessibilityFindings, type AdminTab } from '../support/open-pages';
import { chooseInRow, shown } from '../support/lists';

export function describeAccessibility(host: TestHost, tab: () => AdminTab): void {
  beforeAll(async () => {
    await createSpades(host.address);
    const article = await create(host.address, 'article', { title: 'Ten tools', slug: 'ten-tools' });
    await create(host.address, 'trendingarticlecomponent', { title: 'Most read', articles: [article] });
  });

  const findings = (part?: string): Promise<readonly string[]> => findingsInOppositeLooks(tab().page, part);

  describe('in light and dark colours, wide and narrow, no finding of WCAG 2.2 AA or of best practice is', () => {
    beforeEach(async () => {
      await tab().page.setViewportSize({ width: 1280, height: 850 });
      tab().forgetErrors();
    });

    const inAllLooks = {
      'the start page': '/',
      'a list with filters': '/content/product?f=name.CONTAINS.spade+50&f=catalogVersion.EQUALS.STAGED&sort=-price',
      'a form with every kind of field': '/content/gauge/new',
      'the details of a plugin in trouble': '/plugins?state=failed&plugin=throws-on-start',
    } as const;

    it.each(Object.entries(inAllLooks))('on %s', async (_name, path) => {
      await tab().go(path);

      expect(await findingsInAllLooks(tab().page)).toEqual([]);
      expect(tab().errors).toEqual([]);
    });

    const pages = {
      'a list': '/content/product?limit=20',
      'a list that is empty': '/content/promotion',
      'a list with no match': '/content/product?f=name.CONTAINS.nothing',
      'an item with locked fields': '/content/product/1',
      'an item with several references': '/content/trendingarticlecomponent/1',
      'a list that is only read': '/content/ledger',
      'the plugins, one in trouble': '/plugins',
      'an address that leads nowhere': '/nowhere',
    } as const;

    it.each(Object.entries(pages))('on %s', async (_name, path) => {
      await tab().go(path);

      expect(await findings()).toEqual([]);
      expect(tab().errors).toEqual([]);
    });

    it.each(['/content/nothing', '/content/product/999999'])('on what is not there: %s', async (path) => {
      await tab().go(path);

      expect(await findings()).toEqual([]);
    });

    it('on a form with problems and with an open picker', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByText('Code is required.').waitFor();
      await page.getByRole('combobox', { name: 'Catalog', exact: true }).click();
      await page.getByRole('option').first().waitFor();

      expect(await findings()).toEqual([]);
    });

    it('on the dialog that asks before an item is deleted, with what refers to it', async () => {
      const { page, go } = tab();
      await go('/content/catalog');
      await chooseInRow(page, 'Garden', 'Delete …');
      await page.getByText('Other items refer to it').waitFor();

      expect(await findings('[role=dialog]')).toEqual([]);
    });

    it.each([
      ['/plugins', 'link', 'Plugins'],
      ['/plugins?plugin=catalog', 'button', 'Disable Catalog'],
      ['/content/product?limit=20', 'button', 'Filter'],
    ] as const)('on what is under the pointer: %s, %s %s', async (path, role, name) => {
      const { page, go } = tab();
      await go(path);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole(role, { name, exact: true }).hover();

      expect(await accessibilityFindings(page, 'html', 'colours')).toEqual([]);
    });

    it('on the command palette', async () => {
      const { page, go } = tab();
      await go('/');
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).fill('prod');

      expect(await findings('[role=dialog]')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    });

    it('on the navigation, opened in a narrow window', async () => {
      const { page, go } = tab();
      await page.setViewportSize({ width: 390, height: 850 });
      await go('/');
      await page.getByRole('button', { name: 'Navigation', exact: true }).click();
      await page.getByRole('link', { name: 'Products', exact: true }).waitFor();

      expect(await findings()).toEqual([]);
    });
  });

  it('a list with all the data that it can show is clipped, collapsed and unstyled nowhere, also after its menus were open', async () => {
    const { page, open } = tab();
    const [first = 0] = await idsOf(host.address, 'product');
    await change(host.address, 'product', first, {
      name: 'A spade with a name that is as long as names of products can be '.repeat(3),
    });
    const view = (id: string, name: string) => ({ id, name, parameters: 'sort=price' });
    const views = [
      view('short', 'To check'),
      view('long', 'What is to be looked at by everybody before the end of the week'),
    ];
    const preference = `${host.address}/admin/api/preferences/list.product`;
    const stored = await fetch(preference, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: null, value: { views } }),
    });
    const columns = 'code,name,image,price,catalog,catalogVersion,approvalStatus,createdAt,updatedAt,version';
    await open(`/content/product?sort=id&columns=${columns}`);
    await shown(page, 50);
    await page
      .getByRole('button', { name: /^More actions for/ })
      .first()
      .click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const found = await layoutFindingsInAllWidths(page);
    const { data } = (await stored.json()) as { data: { version: number } };
    await fetch(`${preference}?version=${data.version}`, { method: 'DELETE' });
    await open('/');

    expect(found).toEqual([]);
    expect(await layoutFindingsInAllWidths(page)).toEqual([]);
  });

  it('with reduced motion, the spinner of a button is in its middle', async () => {
    const { page, go } = tab();
    await go('/content/catalog/new');
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
}
