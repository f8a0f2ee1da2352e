import { createUiPlugins } from './support/ui-plugins';
import { startTestHost, type TestHost } from '../../support/platform';
import { adminPlugins, create } from './support/content';
import { useAdminTab } from './support/open-pages';

const plugins = createUiPlugins();
let host: TestHost;

const names = Array.from({ length: 300 }, (_, index) => `Part${String(index).padStart(3, '0')}`);

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

beforeAll(async () => {
  plugins.write('parts', {
    displayName: 'Parts',
    ui: {},
    module: 'export default defineUi(() => ({}));',
    files: { 'package.json': JSON.stringify(manifest), 'types.js': typesModule },
    definition: "itemTypes: require('./types.js').types",
  });
  host = await startTestHost({ plugins: [...adminPlugins, plugins.pathOf('parts')] });
  await create(host.address, 'part123', { name: 'Spring' });
}, 120_000);

afterAll(async () => {
  await host.stop();
  plugins.remove();
});

const tab = useAdminTab(() => host.address);

describe('the pages of a platform with 300 types', () => {
  afterEach(() => expect(tab().errors).toEqual([]));

  it.each(['/', '/content/part123', '/content/part123/1', '/content/part123/new', '/plugins'])(
    'are not much higher than the window: %s',
    async (path) => {
      const { page, open } = tab();
      await open(path);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2_500);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    },
  );

  it('find a type by the filter of the navigation, and show where it is', async () => {
    const { page, open } = tab();
    await open('/');
    await page.getByRole('searchbox', { name: 'Filter navigation' }).fill('part 123');
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Part 123/ });
    await entry.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Part 123/ }).waitFor();

    await open('/content/part298');
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
    await page.getByRole('textbox', { name: 'Go to' }).fill('part 207');
    await page
      .locator('.palette-list')
      .getByText(/^Part 207/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
  });
});
