import { useTestHost } from '../../support/platform';
import { adminPlugins, create, readText } from './support/content';
import { useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: [...adminPlugins, 'test/e2e/rest/fixtures/workbench'] });
const tab = useAdminTab(() => host.address);

const fields = ['Partner', 'Friends'] as const;

describe('a reference without target', () => {
  afterEach(() => expect(tab().errors).toEqual([]));

  it('is a disabled, empty field of the form, for one item and for many', async () => {
    const { page, open, requests } = tab();
    await open('/content/hermit/new');

    for (const name of fields) {
      const field = page.getByRole('textbox', { name, exact: true });
      expect(await field.isDisabled()).toBe(true);
      expect(await field.inputValue()).toBe('');
      expect(await field.getAttribute('placeholder')).toBe('This field refers to no type');
    }
    expect(await page.getByRole('combobox', { name: /Partner|Friends/ }).count()).toBe(0);
    expect(requests.filter((request) => request.startsWith('POST /api/cms/items'))).toEqual([]);
  });

  it('does not keep the other fields from being saved, and stays without a value', async () => {
    const { page } = tab();
    await page.getByLabel('Name', { exact: true }).fill('Ann');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/\/content\/hermit\/\d+$/);

    const id = /\d+$/.exec(page.url())?.[0] ?? '';
    expect(JSON.parse(await readText(host.address, 'hermit', id)).data.values).toMatchObject({
      name: 'Ann',
      partner: null,
      friends: [],
    });
  });

  it('is an empty cell of the list', async () => {
    const { page, open } = tab();
    await create(host.address, 'hermit', { name: 'Bo' });
    await open('/content/hermit');
    await page.getByText('Bo', { exact: true }).waitFor();

    expect(await page.getByRole('link', { name: /undefined|null/ }).count()).toBe(0);
  });
});
