import { Client } from 'pg';
import type { Page } from 'playwright-core';
import { askUntil } from '../../../support/ask-until';
import type { TestHost } from '../../../support/platform';
import { create } from '../support/content';
import type { AdminTab } from '../support/open-pages';
import { pageOf, type UiPlugin } from '../support/ui-plugins';
import { shown } from '../support/lists';

const attack = `"'><img src=x onerror="window.ran=1"><script>window.ran=2</script>{{7*7}}`;
const longWord = 'Donaudampfschifffahrt'.repeat(11);
const longText = `${attack} ${'word'.repeat(1_500)} ${'many words '.repeat(400)}`.slice(0, 10_000);
const rightToLeft = 'حديقة صغيرة \u202Eמגרפה 123';

/** Addresses that run, leave the platform, or only look like one of its own. */
const addresses = [
  'javascript:window.ran=3',
  ' JavaScript:window.ran=4',
  'data:text/html,<script>parent.ran=5</script>',
  '//outside.example/a.png',
  '/\\outside.example/a.png',
  'vbscript:ran',
  'https://outside.example/"onerror="window.ran=6.png',
] as const;

/** Of the id `hostile`. */
export const hostilePlugin: UiPlugin = {
  displayName: `${attack} ${longWord}`.slice(0, 200),
  ui: { pages: [{ path: 'page', title: `${attack} ${longWord}`.slice(0, 200) }] },
  module: `export default defineUi(() => ({ pages: { page: ${pageOf('Page', 'text')} } }));`,
};

export function describeHostileValues(host: TestHost, tab: () => AdminTab): void {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    const { address } = host;
    ids['catalog'] = await create(address, 'catalog', { code: longWord, name: attack });
    ids['product'] = await create(address, 'product', { code: 'rtl', name: longWord, catalog: ids['catalog'] });
    await store('catalog_product', 'code', ids['product'], rightToLeft);
    ids['article'] = await create(address, 'article', { title: attack, slug: 'long', body: longText });
    const articles = [ids['article']];
    for (const [index, image] of addresses.entries()) {
      const id = await create(address, 'article', { title: `${longWord} ${index}`, slug: `address-${index}` });
      await store('articles_article', 'image', id, image);
      if (index === 0) await store('articles_article', 'title', id, rightToLeft);
      articles.push(id);
    }
    ids['trendingarticlecomponent'] = await create(address, 'trendingarticlecomponent', { title: attack, articles });
    ids['event'] = await create(address, 'event', { code: attack, place: longWord });
    await store('events_event', 'name', ids['event'], rightToLeft);
  });

  /** Past the platform, which refuses most of them: a value may be older than the rule, or come from another program. */
  async function store(table: string, column: string, id: number, value: string): Promise<void> {
    const client = new Client({ connectionString: host.databaseUrl });
    await client.connect();
    const sql = `UPDATE ${table} SET ${column} = $1 WHERE id = $2`;
    await client.query(sql, [value, id]).finally(() => client.end());
  }

  const widths = [1280, 390] as const;

  /** That nothing ran, nothing leads or was loaded elsewhere, and the page itself never scrolls sideways. */
  async function expectHarmless(page: Page): Promise<void> {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 850 });
      // An open list of choices follows the new width a frame or two later.
      const findHarm = (): Promise<string[]> => page.evaluate(harm);
      const found = await askUntil(findHarm, ({ length }) => length === 0).catch(findHarm);
      expect({ width, found }).toEqual({ width, found: [] });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  const harm = `(() => {
  const found = [];
  if (window.ran !== undefined) found.push('ran ' + window.ran);
  for (const element of document.querySelectorAll('[href], [src], [srcset], [action], [style*="url"]')) {
    const text = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
    if (/^\\s*(javascript|data:text|vbscript)/i.test(text) || text === 'x') found.push(element.outerHTML.slice(0, 200));
  }
  const page = document.documentElement;
  if (page.scrollWidth > window.innerWidth) {
    const wide = [...document.querySelectorAll('main *')].find((one) => one.getBoundingClientRect().right > window.innerWidth + 1);
    found.push('wider than the window by ' + (page.scrollWidth - window.innerWidth) + ': ' + wide?.outerHTML.slice(0, 200));
  }
  return found;
})()`;

  const hrefs = `[...document.querySelectorAll('main a[href]')].map((link) => link.getAttribute('href'))`;

  describe('a stored value that means harm, or is larger than any should be', () => {
    afterEach(() => {
      expect(tab().errors).toEqual([]);
      expect(tab().outside).toEqual([]);
    });

    it.each(['catalog', 'product', 'article', 'trendingarticlecomponent', 'event'])(
      'is text and nothing else in the list and the form of %s',
      async (type) => {
        const { page, go } = tab();
        await go(`/content/${type}`);
        await page.getByRole('row').nth(1).waitFor();
        await expectHarmless(page);
        await go(`/content/${type}/${ids[type]}`);
        await expectHarmless(page);
      },
    );

    it('is shown whole, letter by letter, where it is edited', async () => {
      const { page, go } = tab();
      await go(`/content/article/${ids['article']}`);

      expect(await page.getByLabel('Title').inputValue()).toBe(attack);
      expect(await page.getByRole('textbox', { name: 'Body' }).textContent()).toBe(longText);
      expect(await page.title()).toContain(attack);
    });

    it('leads nowhere as an address of an image', async () => {
      const { page, go } = tab();
      await go('/content/article/new');
      for (const address of addresses) {
        await page.getByLabel('Image', { exact: true }).fill(address);

        expect(await page.locator('main img').count()).toBe(0);
        const links = (await page.evaluate(hrefs)) as string[];
        expect(links.filter((link) => !/^(https:\/\/outside\.example\/|\/admin\/)/.test(link))).toEqual([]);
        expect(await page.evaluate(harm)).toEqual([]);
      }
      await expectHarmless(page);
    });

    it('is text in a picker, among chosen references and in a filter', async () => {
      const { page, go } = tab();
      await go('/content/product/new');
      await page.getByRole('combobox', { name: 'Catalog', exact: true }).click();
      await page.getByRole('option').first().waitFor();
      await expectHarmless(page);

      await go(`/content/catalog?f=name.CONTAINS.${encodeURIComponent(attack)}`);
      await shown(page, 1);
      await expectHarmless(page);
    });

    it('is text in the dialog that names what refers to it, and in the notice of a save', async () => {
      const { page, go } = tab();
      await go('/content/catalog');
      await page
        .getByRole('button', { name: /^More actions/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Delete …' }).click();
      await page.getByText('Other items refer to it').waitFor();
      await expectHarmless(page);
      tab().forgetErrors();

      await go(`/content/catalog/${ids['catalog']}`);
      await page.getByLabel('Name').fill(`${attack}!`);
      await page.keyboard.press('Control+s');
      await page.getByText('Saved catalog').first().waitFor();
      await expectHarmless(page);
    });

    it('is text as the name of a plugin and of its page, in menus, lists and the command palette', async () => {
      const { page, go } = tab();
      for (const path of ['/', '/plugins', '/x/hostile/page']) {
        await go(path);
        await expectHarmless(page);
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).fill('img');
      await expectHarmless(page);
    });
  });
}
