import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Client } from 'pg';
import { startTestHost, type TestHost } from '../../test/support/platform';
import { send, sendJson } from '../../test/support/rest-client';
import { openBench, type Bench } from './support/gantry';

const project = join(__dirname, '../..');
let bench: Bench;
let folder: string;

beforeAll(async () => {
  bench = await openBench(['plugins/admin-ui']);
  folder = join(dirname(bench.home), 'plugins/shop');
  mkdirSync(folder);
});
afterAll(() => bench.close());

const versions = {
  '1.0.0': {
    type: 'item',
    code: "class Item extends BaseItem {} Field({ displayName: 'Name' })(Item.prototype, 'name');",
  },
  '2.0.0': {
    type: 'product',
    code: `class Item extends BaseItem {}
      Object.defineProperty(Item, 'name', { value: 'Product' });
      Field({ displayName: 'Title', renamedFrom: 'name' })(Item.prototype, 'title');`,
  },
} as const;

function writeShop(version: keyof typeof versions): void {
  const { type, code } = versions[version];
  const gantry = { manifestVersion: 1, id: 'shop', displayName: 'Shop', contributes: { itemTypes: [type] } };
  const json = {
    name: 'shop',
    version,
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(json));
  const options = version === '1.0.0' ? '' : "{ renamedFrom: 'item' }";
  const text = `const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
    ${code} ItemType(${options})(Item); module.exports = definePlugin({ id: 'shop', itemTypes: [Item] });`;
  writeFileSync(join(folder, 'index.js'), text);
}

function startHost(): Promise<TestHost> {
  return startTestHost({ plugins: ['plugins/admin-ui', relative(project, folder)], databaseUrl: bench.database.url });
}

async function sql(statement: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: bench.database.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as readonly Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

async function run(...words: readonly string[]): Promise<void> {
  const { code, stderr } = await bench.gantry(words);
  expect([words, code, stderr]).toEqual([words, 0, expect.any(String)]);
}

const grants = async () => (await sql('SELECT grants FROM gantry_role'))[0]?.['grants'];
const preferences = () => sql('SELECT name FROM admin_ui_preference');

it('a type is renamed and purged while every host is stopped and admin-ui disabled: rights and views never come back with its name', async () => {
  writeShop('1.0.0');
  const first = await startHost();
  expect((await sendJson(first.address, 'POST', '/api/cms/items/item', { name: 'A' })).status).toBe(201);
  const view = { version: null, value: { views: [], columns: ['name'] } };
  expect((await sendJson(first.address, 'PUT', '/admin/api/preferences/list.item', view)).status).toBe(200);
  await sql(
    `INSERT INTO gantry_role (name, display_name, description, grants, permissions) VALUES ('r', 'r', '',
       '[{"on":{"plugin":"shop","type":"item"},"actions":["read"],"readableFields":["name"]}]', '{}')`,
  );
  await first.stop();

  await run('plugins', 'disable', 'admin-ui');
  writeShop('2.0.0');
  await run('migrate', 'up');
  const on = { plugin: 'shop', type: 'product' };
  expect(await grants()).toEqual([{ on, actions: ['read'], readableFields: ['title'] }]);
  // Its owner does not run, and has the events at its next start.
  expect(await preferences()).toEqual([{ name: 'list.item' }]);

  await run('plugins', 'disable', 'shop');
  await run('plugins', 'purge', 'shop', '--yes', '--no-export');
  expect(await grants()).toEqual([]);

  for (const version of ['1.0.0', '2.0.0'] as const) {
    writeShop(version);
    await run('plugins', 'enable', 'shop');
    await run('migrate', 'up');
    expect(await grants()).toEqual([]);
  }

  await run('plugins', 'enable', 'admin-ui');
  const second = await startHost();
  expect((await send(second.address, '/api/cms/items/product/metadata')).status).toBe(200);
  expect([await grants(), await preferences()]).toEqual([[], []]);
  await second.stop();
});
