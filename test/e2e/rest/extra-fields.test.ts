import { useTestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';

const host = useTestHost({ plugins: ['plugins/catalog', 'plugins/articles', 'test/samples/seo'] });

const ask = async (method: string, path: string, body?: object) =>
  body === undefined
    ? send(host.address, `/api/cms/${path}`, { method })
    : sendJson(host.address, method, `/api/cms/${path}`, body);

const products = 'items/product';
let catalog = 0;
beforeAll(async () => {
  catalog = (await ask('POST', 'items/catalog', { code: 'C1', name: 'One' })).json.data.id as number;
});

const product = async (values: object) => (await ask('POST', products, { catalog, price: 1, ...values })).json.data;

describe('extra fields of the sample seo', () => {
  it('are in metadata with the name of the plugin as heading, in OpenAPI, and in rows', async () => {
    const { json } = await ask('GET', `${products}/metadata`);
    expect(json.data.fields.find(({ name }: { name: string }) => name === 'seo$title')).toMatchObject({
      displayName: 'Title',
      section: 'SEO',
    });
    const { id } = await product({ code: 'A', name: 'Apple', seo$title: 'Apples', seo$description: 'Red' });
    expect((await ask('GET', `${products}/${id}`)).json.data.values).toMatchObject({
      seo$title: 'Apples',
      name: 'Apple',
    });
    const openapi = await send(host.address, '/api/openapi.json');
    expect(JSON.stringify(openapi.json)).toContain('"seo$title"');
  });

  it('filter, sort, change, and have a history that is restored', async () => {
    const { id } = await product({ code: 'B', name: 'Bread', seo$title: 'Breads' });
    const list = async (criteria: object[], query = '') =>
      (await ask('POST', `${products}/list${query}`, criteria)).json.data;
    expect(await list([{ field: 'seo$title', operator: 'CONTAINS', value: 'read' }])).toMatchObject([{ id }]);
    expect((await list([], '?sort=-seo$title')).length).toBeGreaterThan(0);
    await ask('PATCH', `${products}/${id}`, { seo$title: 'Loaves' });
    const history = (await ask('GET', `${products}/${id}/history`)).json.data;
    expect(history).toMatchObject([
      { changed: ['seo$title'], values: { seo$title: 'Loaves' } },
      { values: { seo$title: 'Breads' } },
    ]);
    const restored = await ask('POST', `${products}/${id}/restore`, { version: 1 });
    expect(restored.json.data.values).toMatchObject({ seo$title: 'Breads' });
  });

  it('are unique where the plugin says so', async () => {
    await product({ code: 'D', name: 'Dill', seo$title: 'Herbs' });
    const other = await ask('POST', products, { catalog, price: 1, code: 'E', name: 'Endive', seo$title: 'Herbs' });
    expect(other.status).toBe(409);
  });

  it.each(['csv', 'jsonl'])('are exported to %s and imported from it', async (format) => {
    const code = `F-${format}`;
    const { id } = await product({ code, name: 'Fennel', seo$title: `Fennel ${format}`, seo$description: 'a, "b"' });
    const file = await sendJson(host.address, 'POST', `/api/cms/exports/product?format=${format}`, [
      { field: 'code', operator: 'EQUALS', value: code },
    ]);
    expect(file.text).toContain('seo$title');
    await ask('PATCH', `${products}/${id}`, { seo$title: 'Other', seo$description: null });
    const imported = await send(host.address, '/api/cms/imports/product?match=code,catalog,catalogVersion', {
      method: 'POST',
      headers: { 'content-type': String(file.headers['content-type']) },
      body: file.text,
    });
    expect(imported.json.error).toBeUndefined();
    const { values } = (await ask('GET', `${products}/${id}`)).json.data;
    expect(values).toMatchObject({ seo$title: `Fennel ${format}`, seo$description: 'a, "b"' });
  });
});
