import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startTestHost, type TestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';

let database: TestDatabase;
let host: TestHost;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await host.stop();
  await database.drop();
});

const start = async (...others: readonly string[]): Promise<void> => {
  const plugins = ['plugins/catalog', 'plugins/articles', ...others];
  host = await startTestHost({ plugins, databaseUrl: database.url });
};
const ask = async (method: string, path: string, body?: object) => {
  const url = `/api/cms/items/${path}`;
  return (
    body === undefined ? await send(host.address, url, { method }) : await sendJson(host.address, method, url, body)
  ).json;
};

test('values of extra fields outlive their plugin, a deletion, and a restore while it is disabled', async () => {
  await start('test/samples/seo');
  const catalog = (await ask('POST', 'catalog', { code: 'C', name: 'C' })).data.id as number;
  const values = { code: 'A', name: 'Apple', price: 1, catalog, seo$title: 'Apples', seo$description: 'Red "ones"' };
  const { id } = (await ask('POST', 'product', values)).data;
  const plain = (await ask('POST', 'article', { title: 'News', slug: 'news', seo$title: 'Latest' })).data.id as number;
  await host.stop();

  await start();
  expect((await ask('GET', `product/${id}`)).data.values).not.toHaveProperty('seo$title');
  expect(JSON.stringify(await ask('GET', 'product/metadata'))).not.toContain('seo$');
  await ask('PATCH', `product/${id}`, { name: 'Pear' });
  for (const path of [`product/${id}`, `article/${plain}`]) {
    expect((await ask('DELETE', path))?.error).toBeUndefined();
    expect((await ask('POST', `${path}/restore`, {})).error).toBeUndefined();
  }
  await host.stop();

  await start('test/samples/seo');
  expect((await ask('GET', `product/${id}`)).data.values).toMatchObject({
    name: 'Pear',
    seo$title: 'Apples',
    seo$description: 'Red "ones"',
  });
  expect((await ask('GET', `article/${plain}`)).data.values).toMatchObject({ seo$title: 'Latest' });
  const history = (await ask('GET', `product/${id}/history`)).data;
  expect(history[0]).toMatchObject({ action: 'restored', values: { seo$title: 'Apples' } });
});
