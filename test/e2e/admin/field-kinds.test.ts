import { useTestHost } from '../../support/platform';
import { adminPlugins } from './support/content';
import { accessibilityFindings, useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: [...adminPlugins, 'test/samples/geo'] });
const tab = useAdminTab(() => host.address);

describe('a field kind of a plugin with pages', () => {
  afterEach(() => expect(tab().errors).toEqual([]));

  it('has its control in forms and its cell in lists', async () => {
    const { page, open } = tab();
    await open('/content/place/new');
    await page.getByLabel('Name').fill('Zürich');
    await page.getByRole('textbox', { name: 'Location: latitude' }).fill('47.3769');
    await page.getByRole('textbox', { name: 'Location: longitude' }).fill('8.5417');
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.waitForURL(/\/content\/place\/\d+/);

    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Location: longitude' }).inputValue()).toBe('8.5417');
    await open('/content/place');
    await page.getByRole('cell', { name: '47.3769, 8.5417' }).waitFor();
  });

  it('is refused with the name of the field', async () => {
    const { page, open, forgetErrors } = tab();
    await open('/content/place/new');
    await page.getByLabel('Name').fill('Nowhere');
    await page.getByRole('textbox', { name: 'Location: latitude' }).fill('91');
    await page.getByRole('textbox', { name: 'Location: longitude' }).fill('0');
    await page.keyboard.press('Control+s');
    await page.getByText('must have a latitude from -90 to 90').first().waitFor();
    forgetErrors();
  });

  it('has its filter with its operator', async () => {
    const { page, open } = tab();
    await open('/content/place');
    const add = async (box: string): Promise<void> => {
      await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Location' });
      await page.getByLabel('Operator').selectOption({ label: 'within' });
      await page.getByPlaceholder('south, west, north, east').fill(box);
      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.waitForLoadState('networkidle');
    };
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await add('45.8,5.9,47.8,10.5');
    await page.getByRole('cell', { name: '47.3769, 8.5417' }).waitFor();
    await add('0,0,1,1');
    await page
      .getByText('No results')
      .or(page.getByText(/No places/))
      .first()
      .waitFor();
  });
});
