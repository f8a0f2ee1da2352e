import { startTestHost, type TestHost } from '../../../support/platform';
import { openTab, type AdminTab } from '../support/open-pages';
import { describeManyTypes, partsPlugin } from '../suites/many-types';
import { pageOf, type UiPlugins } from '../support/ui-plugins';
import { onePage, sound } from './broken-plugins';

/** With the sample paints, as it was built. The tab is one of another host. */
export function testChangedPlugins(tab: () => AdminTab, plugins: UiPlugins): void {
  let first: TestHost;
  let own: AdminTab | undefined;
  beforeAll(async () => {
    plugins.write('grows', { displayName: 'Grows', ui: onePage, module: sound });
    plugins.write('parts', partsPlugin);
    first = await start();
    own = await openTab(tab().page.context(), first.address);
  });
  afterAll(async () => {
    await own?.page.close();
    await first.stop();
  });

  describeManyTypes(
    () => first.address,
    () => own ?? tab(),
  );

  it('the page of one that goes stays and names it, and that of one that has grown draws what it brings by now', async () => {
    const { page, forgetErrors } = own ?? tab();
    const other = await page.context().newPage();
    await page.goto(`${first.address}/admin/x/paints/rooms`);
    await page.getByText('No paint for this room').waitFor();
    await other.goto(`${first.address}/admin/x/grows`);
    await other.getByText('All is well').waitFor();
    await first.stop();
    plugins.write('grows', {
      displayName: 'Grows',
      ui: {
        pages: [...onePage.pages, { path: 'more', title: 'More of it' }],
        fields: ['catalog.code'],
      },
      module: `export default defineUi(() => ({
        pages: { '': ${pageOf('Its page', 'All is well')}, more: ${pageOf('More of it', 'It has grown')} },
        fields: { 'catalog.code': ({ id }) => jsx('input', { id, 'aria-label': 'Its own code' }) },
      }));`,
    });
    const second = await start(first);
    const look = `document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`;
    try {
      await page.evaluate(look);
      await page.getByRole('alert').getByText('The plugin Paints is no longer running').waitFor();
      await page.getByLabel('Room').waitFor();
      await page.reload();
      await page.getByText('The plugin Paints is disabled').waitFor();
      expect(await page.getByRole('link', { name: 'Palette' }).count()).toBe(0);

      await other.evaluate(look);
      await other.getByRole('link', { name: 'More of it' }).click();
      await other.getByText('It has grown').waitFor();
      await other.getByRole('link', { name: 'Catalogs', exact: true }).click();
      await other.getByRole('link', { name: 'New catalog' }).first().click();
      await other.getByLabel('Its own code').waitFor();
    } finally {
      await second.stop();
      await other.close();
      forgetErrors();
    }
  });

  /** @param former the host whose address it takes, where the sample is disabled meanwhile */
  function start(former?: TestHost): Promise<TestHost> {
    const changes = former && { disabled: ['paints'], environment: { GANTRY_PORT: String(former.port) } };
    const written = ['paints', 'grows', ...(former ? [] : ['parts'])].map(plugins.pathOf);
    return startTestHost({ plugins: ['plugins/catalog', 'plugins/admin-ui', ...written], ...changes });
  }
}
