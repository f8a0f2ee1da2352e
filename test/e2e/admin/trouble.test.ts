import { createTestDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { startTestHost, type TestHost } from '../../support/platform';
import { adminPlugins, create, createMany } from './support/content';
import { goInside } from './support/go-inside';
import { sendNoInitialData, useAdminTab } from './support/open-pages';
import { openPlugin, pluginRow } from './support/plugins';
import { choose, shown } from './support/lists';

let database: TestDatabase;
let host: TestHost;

beforeAll(async () => {
  database = await createTestDatabase();
  host = await startHost();
});
afterAll(async () => {
  await host.stop();
  await database.drop();
});

function startHost(environment: Readonly<Record<string, string>> = {}): Promise<TestHost> {
  const plugins = [...adminPlugins, 'test/samples/broken/throws-on-start'];
  return startTestHost({ plugins, databaseUrl: database.url, environment });
}

const tab = useAdminTab(() => host.address);

describe('when something is wrong, the admin pages', () => {
  beforeEach(() => tab().forgetErrors());
  afterEach(async () => {
    await tab().page.context().setOffline(false);
    await tab().page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('say that they are being loaded as long as their script does not come', async () => {
    const { page } = tab();
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(`${host.address}/admin/`);
    const opacity = `getComputedStyle(document.querySelector('.opening')).opacity`;
    await page.getByText('The pages are being loaded.').waitFor();
    await eventually(async () => (await page.evaluate(opacity)) === '1');
  });

  it('keep what was typed while the platform cannot be reached, and save it afterwards', async () => {
    const { page, open } = tab();
    await open('/content/catalog/new');
    await page.getByLabel('Code').fill('spring');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').getByText('Connection lost.').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('spring');

    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'spring' }).waitFor();
  });

  it('show a list again by themselves once the platform is back, and keep its rows meanwhile', async () => {
    const { page } = tab();
    await goInside(page, '/content/catalog');
    await page.getByRole('cell', { name: 'spring' }).first().waitFor();
    await page.context().setOffline(true);
    await choose(page, 'More', 'Refresh');
    const alert = page.getByRole('alert').filter({ hasText: 'The items could not be loaded' });
    await alert.waitFor();
    expect(await page.getByRole('cell', { name: 'spring' }).count()).toBeGreaterThan(0);

    await page.context().setOffline(false);
    await alert.waitFor({ state: 'detached' });
  });

  it('keep the rows of a list whose next page does not come, and show it once the platform is back', async () => {
    const { page, go } = tab();
    const slugs = Array.from({ length: 51 }, (_, index) => `outage-${index}`);
    await createMany(
      host.address,
      'article',
      slugs.map((slug) => ({ title: slug, slug })),
    );
    await go('/content/article?f=slug.CONTAINS.outage&columns=slug');
    await page.route('**/article/list?*after*', (route) => route.abort());
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('alert').getByText('The items could not be loaded').waitFor();
    await page.getByRole('cell', { name: 'outage-50' }).first().waitFor();

    await page.unroute('**/article/list?*after*');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.locator('.shown-count', { hasText: '51 of 51' }).waitFor();
    await page.getByRole('cell', { name: 'outage-0', exact: true }).first().waitFor();
  });

  it('load a page whose script did not arrive as soon as the platform answers again', async () => {
    const { page, open } = tab();
    await open('/');
    await page.route('**/assets/**', (route) => route.abort());
    await page.route('**/readyz', (route) => route.abort());
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('alert').getByText('Connection lost.').waitFor();

    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
  });

  it('name a type that was not opened before by its name while its metadata does not come', async () => {
    const { page } = tab();
    await page.route('**/trendingarticlecomponent/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('link', { name: 'Trending articles' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Trending articles' }).waitFor();
    await page.getByRole('alert').getByText('The item type could not be loaded').waitFor();
  });

  it('say of an item that does not exist that it was not found, and lead to the list', async () => {
    const { page, go } = tab();
    await go('/content/catalog/999999');
    await page.getByRole('heading', { level: 2, name: 'Item not found' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
  });

  it('mark the fields of a value that another item has', async () => {
    const { page } = tab();
    await create(host.address, 'catalog', { code: 'summer' });
    await page.getByRole('link', { name: 'New catalog' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'New catalog' }).waitFor();
    await page.getByLabel('Code').fill('summer');
    await page.getByRole('button', { name: 'Create', exact: true }).click();

    await page.getByText('Code must be unique').waitFor();
    await page.locator('#field-code:focus').waitFor();
  });

  it('create one item, also when the answer got lost and the reader tries again', async () => {
    const { page, go, forgetErrors } = tab();
    await go('/content/topeventcomponent/new');
    await page.getByRole('heading', { level: 1, name: 'New' }).waitFor();
    await page.route('**/api/cms/items/topeventcomponent', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('Title').fill('Sent once');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'The item may have been created' });
    await notice.getByRole('button', { name: 'Retry' }).waitFor();
    const newest = await notice.getByRole('link', { name: 'View the newest items' }).getAttribute('href');
    await page.unroute('**/api/cms/items/topeventcomponent');
    await notice.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sent once' }).waitFor();
    await go(newest?.replace('/admin', '') ?? '');
    await shown(page, 1);
    await page.getByRole('cell', { name: 'Sent once', exact: true }).waitFor();
    forgetErrors();
  });

  it('say that an item type is gone, and lead to the plugins', async () => {
    const { page, go } = tab();
    await go('/content/nothing');
    await page.getByText('No running plugin provides the item type “nothing”').waitFor();
    // No request has failed, and another try would be answered alike.
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('link', { name: 'View plugins' }).click();

    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
  });

  it('show every plugin with its state, and for one in trouble phase, reason, remedy and command', async () => {
    const { page } = tab();
    await pluginRow(page, 'Throws on start').getByText('Failed', { exact: true }).waitFor();
    const table = page.getByRole('region', { name: 'Plugins', exact: true });
    const states = await table.getByText('Running', { exact: true }).count();
    expect(states).toBe(adminPlugins.length);
    await page.getByRole('cell', { name: 'Problem of Throws on start' }).getByText('Remedy:').waitFor();

    const tabs = page.getByRole('navigation', { name: 'Plugins by state' });
    await tabs.getByRole('link', { name: 'Failed 1' }).click();
    expect(await page.getByRole('region', { name: 'Plugins' }).getByRole('link').count()).toBe(1);
    const card = await openPlugin(page, 'Throws on start');
    await card.getByText('START_FAILED in phase start').waitFor();
    await card.getByText('Remedy:').waitFor();
    await card.getByRole('button', { name: /^Disable / }).waitFor();
    // The check does not start a plugin: it does not promise that this one would start.
    await card.getByRole('button', { name: /^Check / }).click();
    const check = page.getByRole('dialog', { name: 'Check of Throws on start' });
    await check.getByText(/When it was last started, it failed/).waitFor();
    await check.getByRole('button', { name: 'Close' }).last().click();
    await page.goBack();
    await card.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?state=failed');
  });

  describe('on a page that is slow to come and then fails,', () => {
    beforeAll(() => tab().open('/'));

    it.each([
      [500, '/content/catalog', '**/api/cms/items/catalog/list**', 'The items'],
      [500, '/plugins', '**/api/platform/plugins?**', 'The plugins'],
      [500, '/operations/workflows', '**/workflows?**', 'The workflows'],
      [503, '/operations/orders', '**/orders?limit=**', 'The orders'],
    ])('say that, then %i, and Retry brings what was asked for: %s', async (status, path, asked, what) => {
      const { page } = tab();
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await page.route(asked, async (route) => {
        await held;
        await route.fulfill(problem(status));
      });
      await goInside(page, path);
      await page.getByText('The platform is slow to answer. Still waiting').waitFor();

      goOn();
      await page.getByText('The platform is slow to answer. Still waiting').waitFor({ state: 'detached' });
      await expectRetry(asked, what, status);
      if (path.startsWith('/operations/')) await expectLeadToPlugins();
    });
  });

  it('say on the start page that the platform failed, and Retry brings what was asked for', async () => {
    const { page, open } = tab();
    const asked = '**/api/cms/items/types';
    await sendNoInitialData(page, `${host.address}/admin/`);
    await page.route(asked, (route) => route.fulfill(problem(500)));
    await open('/');
    await expectRetry(asked, 'The item types', 500);
  });

  it('ask again when the platform says so, and not before', async () => {
    const { page, open } = tab();
    const asked = '**/api/cms/items/catalog/list**';
    const answer = { status: 503, headers: { 'Retry-After': '20' } };
    let requests = 0;
    await page.route(asked, async (route) => {
      requests += 1;
      await route.fulfill({ ...answer, json: { error: { code: 'UNAVAILABLE', message: 'The database is away.' } } });
    });
    await page.clock.install();
    await open('/content/catalog');
    const alert = page.getByRole('alert').filter({ hasText: 'The items could not be loaded' });
    await alert.waitFor();
    const before = requests;

    await page.clock.runFor(15_000);
    expect(requests).toBe(before);

    await page.unroute(asked);
    await page.clock.runFor(10_000);
    await page.clock.resume();
    await alert.waitFor({ state: 'detached' });
  });

  it('say of a workflow that the service is not here, and lead to the plugins', async () => {
    await tab().go('/operations/workflows/order-1');
    await expectLeadToPlugins();
  });

  it('hold what was typed while the platform ends and starts again', async () => {
    const { page, go } = tab();
    await go('/content/article/new');
    await page.getByLabel('Title').fill('Half a');
    await host.stop();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').getByText('Connection lost.').waitFor();

    host = await startHost({ GANTRY_PORT: String(host.port) });
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { level: 1, name: 'Half a' }).waitFor();
  });

  it('ask before the tab is closed with unsaved changes, and can be left after discarding them', async () => {
    const { page, go } = tab();
    await go('/content/article/new');
    await page.getByLabel('Title').fill('Half a');
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await closing;

    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});

function problem(status: number) {
  const error =
    status === 503
      ? { code: 'UNAVAILABLE', message: 'The database is away.' }
      : { code: 'INTERNAL', message: 'The platform failed.' };
  return { status, json: { error } };
}

/** The page shows the problem with this status, and no longer after the answers are those of the platform. */
async function expectRetry(asked: string, what: string, status: number): Promise<void> {
  const { page } = tab();
  const alert = page.getByRole('alert').filter({ hasText: `${what} could not be loaded` });
  await alert.getByText(problem(status).json.error.message).waitFor();
  expect(await page.getByText('Trying again …').count()).toBe(status === 503 ? 1 : 0);

  await page.unroute(asked);
  await alert.getByRole('button', { name: 'Retry' }).click();
  await alert.waitFor({ state: 'detached' });
}

async function expectLeadToPlugins(): Promise<void> {
  const { page } = tab();
  await page.getByText('A required service is unavailable').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'View plugins' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
}
