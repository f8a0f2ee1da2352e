import { create } from '../support/content';
import type { AdminTab } from '../support/open-pages';
import type { UiPlugin } from '../support/ui-plugins';

const names = Array.from({ length: 150 }, (_, index) => `Part${String(index).padStart(3, '0')}`);

const manifest = {
  name: 'parts',
  version: '1.0.0',
  main: './index.js',
  peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
  gantry: {
    manifestVersion: 1,
    id: 'parts',
    displayName: 'Parts',
    contributes: { itemTypes: names.map((name) => name.toLowerCase()), taskQueues: [], routes: [] },
  },
};

const typesModule = `
const { BaseItem, Field, ItemType } = require('@gantry/plugin-api');
exports.types = ${JSON.stringify(names)}.map((name) => {
  const type = { [name]: class extends BaseItem {} }[name];
  Field({ displayName: 'Name', searchable: true })(type.prototype, 'name');
  ItemType({ displayName: name.replace('Part', 'Part ') })(type);
  return type;
});
`;

/** Of the id `parts`. */
export const partsPlugin: UiPlugin = {
  displayName: 'Parts',
  ui: {},
  module: 'export default defineUi(() => ({}));',
  files: { 'package.json': JSON.stringify(manifest), 'types.js': typesModule },
  definition: "itemTypes: require('./types.js').types",
};

export function describeManyTypes(address: () => string, tab: () => AdminTab): void {
  beforeAll(() => create(address(), 'part123', { name: 'Spring' }));

  describe('the pages of a platform with 150 types', () => {
    afterEach(() => expect(tab().errors).toEqual([]));

    it.each(['/', '/content/part123', '/content/part123/1', '/content/part123/new', '/plugins'])(
      'are not much higher than the window: %s',
      async (path) => {
        const { page, go } = tab();
        await go(path);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2_500);
          expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
        }
        await page.setViewportSize({ width: 1280, height: 900 });
      },
    );

    it('show in the navigation where a type is', async () => {
      const { page, open } = tab();
      await open('/content/part148');
      const active = page.locator('.shell-navigation [aria-current="page"]');
      await active.waitFor();
      const box = await active.boundingBox();
      expect(box !== null && box.y >= 0 && box.y + box.height <= 900).toBe(true);
    });

    it('find an item and a type in the palette', async () => {
      const { page } = tab();
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).fill('spring');
      await page.locator('.palette-list').getByText('Spring').first().waitFor();
      await page.getByRole('textbox', { name: 'Go to' }).fill('part 107');
      await page
        .locator('.palette-list')
        .getByText(/^Part 107/)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
    });
  });
}
