import { useTestHost } from '../../support/platform';
import { sendJson } from '../../support/rest-client';
import { accessibilityFindings, useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: ['plugins/admin-ui', 'test/samples/beehives'] });
const tab = useAdminTab(() => host.address);

describe('what a plugin declares for the admin pages', () => {
  beforeAll(async () => {
    await sendJson(host.address, 'POST', '/api/cms/items/hive', { name: 'Lime', kilograms: 3 });
  });

  it('is a card of the home page, whose rows lead to items', async () => {
    const { page, open, errors } = tab();
    await open('/');
    const card = page.getByRole('region', { name: 'Hives that need food' });
    await card.getByText('3', { exact: true }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await card.getByRole('link', { name: 'Lime' }).click();

    await page.getByRole('heading', { level: 1, name: 'Lime' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('leaves the home page as it is when a card fails, and tries again', async () => {
    const { page, open } = tab();
    const answer = { status: 503, json: { error: { code: 'UNAVAILABLE', message: 'The scale is off.' } } };
    await page.route('**/beehives/light', (route) => route.fulfill(answer));
    await open('/');
    const card = page.getByRole('region', { name: 'Hives that need food' });
    await card.getByText('The scale is off.').waitFor();
    await page.getByRole('heading', { name: 'Recent changes' }).waitFor();

    await page.unroute('**/beehives/light');
    await card.getByRole('button', { name: 'Retry' }).click();

    await card.getByRole('link', { name: 'Lime' }).waitFor();
  });

  it('leaves the home page as it is while a card is slow', async () => {
    const { page, open } = tab();
    const answers: (() => void)[] = [];
    await page.route('**/beehives/light', (route) => void answers.push(() => void route.continue()));
    await open('/account');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Recent changes' }).waitFor();
    const card = page.getByRole('region', { name: 'Hives that need food' });
    await card.getByRole('status', { name: 'Loading' }).waitFor();

    for (const answer of answers) answer();
    await page.unroute('**/beehives/light');

    await card.getByRole('link', { name: 'Lime' }).waitFor();
  });

  it('is a page with a table, whose rows have its commands', async () => {
    const { page, open } = tab();
    await open('/');
    await page.getByRole('link', { name: 'Light hives' }).click();
    await page.getByRole('heading', { level: 1, name: 'Light hives' }).waitFor();
    await page.getByRole('button', { name: 'Feed a hive: Lime' }).click();
    const dialog = page.getByRole('dialog', { name: 'Feed a hive' });
    await dialog.getByLabel('Kilograms').fill('-1');
    await dialog.getByRole('button', { name: 'Feed a hive' }).click();
    await dialog.getByText(/expected number to be >0/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);

    await dialog.getByLabel('Kilograms').fill('4');
    await dialog.getByRole('button', { name: 'Feed a hive' }).click();

    await page.getByText('No entries yet').waitFor();
  });
});
