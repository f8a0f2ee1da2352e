import { useTestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';
import { accessibilityFindings, useAdminTab } from './support/open-pages';

const host = useTestHost({ plugins: ['plugins/admin-ui', 'plugins/catalog', 'test/samples/seo'] });
const tab = useAdminTab(() => host.address);

describe('extra fields of another plugin', () => {
  it('are in the form below the name of the plugin, in columns and in filters', async () => {
    const create = async (type: string, values: object) =>
      (await sendJson(host.address, 'POST', `/api/cms/items/${type}`, values)).json.data.id as number;
    const catalog = await create('catalog', { code: 'C', name: 'C' });
    const id = await create('product', { code: 'A', name: 'Apple', price: 1, catalog, seo$title: 'Old' });
    const { page, open, errors } = tab();

    await open(`/content/product/${id}`);
    const section = page.getByRole('region', { name: 'SEO' });
    await section.getByLabel('Title').fill('Apples');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText(/saved/i).first().waitFor();
    const { json } = await send(host.address, `/api/cms/items/product/${id}`);
    expect(json.data.values).toMatchObject({ seo$title: 'Apples' });

    await open('/content/product?f=seo$title.CONTAINS.pple&columns=code,seo$title&sort=-seo$title');
    await page.getByRole('columnheader', { name: 'Title' }).waitFor();
    await page.getByRole('cell', { name: 'Apples' }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
