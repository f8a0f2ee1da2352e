import { useTestHost } from '../../support/platform';
import { adminPlugins, create } from './support/content';
import { useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: [...adminPlugins, 'test/samples/broken/throws-on-start'] });
const tab = useAdminTab(() => host.address);

jest.setTimeout(60_000);

describe('when something is wrong, the admin pages', () => {
  beforeEach(() => tab().forgetErrors());
  afterEach(() => tab().page.context().setOffline(false));

  it('keep what was typed while the platform cannot be reached, and save it afterwards', async () => {
    const { page, open } = tab();
    await open('/content/catalog/new');
    await page.getByLabel('Code').fill('spring');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').getByText('The platform cannot be reached.').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('spring');

    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'spring' }).waitFor();
  });

  it('show a list again by themselves once the platform is back, and keep its rows meanwhile', async () => {
    const { page, open } = tab();
    await open('/content/catalog');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('The items could not be loaded').waitFor();
    expect(await page.getByRole('cell', { name: 'spring' }).count()).toBeGreaterThan(0);

    await page.context().setOffline(false);
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('mark the fields of a value that another item has', async () => {
    const { page, open } = tab();
    await create(host.address, 'catalog', { code: 'summer' });
    await open('/content/catalog/new');
    await page.getByLabel('Code').fill('summer');
    await page.getByRole('button', { name: 'Create', exact: true }).click();

    await page.getByText('Code must be unique').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('field-code');
  });

  it('say that an item type is gone, and lead to the plugins', async () => {
    const { page, open } = tab();
    await open('/content/nothing');
    await page.getByText('CMS Type not found: nothing').waitFor();
    await page.getByRole('link', { name: 'See the plugins' }).click();

    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor();
  });

  it('show every plugin with its state, and for one in trouble phase, reason, remedy and command', async () => {
    const { page, open } = tab();
    await open('/plugins');
    const card = page.getByRole('region', { name: 'Throws on start' });
    await card.getByText('failed', { exact: true }).waitFor();
    await card.getByText('START_FAILED in phase start').waitFor();
    await card.getByText('What to do:').waitFor();
    await card.getByRole('button', { name: /^Disable / }).waitFor();

    const states = await page.getByText('started', { exact: true }).count();
    expect(states).toBe(adminPlugins.length);
  });

  it('ask before the tab is closed with unsaved changes, and can be left after discarding them', async () => {
    const { page, open } = tab();
    await open('/content/article/new');
    await page.getByLabel('Title').fill('Half a');
    const asked = page.waitForEvent('dialog');
    const closing = page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await closing;

    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
  });
});
