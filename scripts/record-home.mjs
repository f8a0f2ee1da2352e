/**
 * Records a home of this version as a backup, in test/compatibility/fixtures/homes/<version>: items of all types with their history, an
 * image, preferences, a plugin set with a plugin whose folder is gone, users with roles, a webhook,
 * and orders at every step. To be run before a release; later versions must restore and continue all of them
 * (test/compatibility/earlier-homes.test.ts).
 *
 *   node scripts/record-home.mjs [name, unless it is the version]
 */
import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { request, run, startPlatform } from './lib/gantry.mjs';
import { root } from './lib/run.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'core/host/package.json'), 'utf8'));
const target = join(root, 'test/compatibility/fixtures/homes', process.argv[2] ?? version);
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'gantry-record-home-'));
// Started by root, the embedded PostgreSQL runs as another user, who has to pass through.
chmodSync(folder, 0o711);
const home = join(folder, 'home');
const by = { reason: 'Recorded for a test', requestedBy: 'record-home' };
const plugins = join(folder, 'plugins');
cpSync(join(root, 'test/samples/geo'), join(plugins, 'geo'), { recursive: true });
const pluginPath = [join(root, 'plugins'), join(root, 'services'), plugins].join(delimiter);
const platform = await startPlatform(home, { GANTRY_PLUGIN_PATH: pluginPath });
const headers = {};
try {
  await createItems();
  await run(['plugins', 'disable', 'events', '--home', home]);
  await useOwnPlugin();
  await createWebhook();
  await createAccounts();
  await placeOrders();
  rmSync(target, { recursive: true, force: true });
  await run(['backup', target, '--home', home]);
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function createItems() {
  const picture = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const { url: image } = await send('POST', '/media/images', picture);
  const catalog = await create('catalog', { code: 'garden', name: 'Garden' });
  const tools = await create('category', { code: 'tools', name: 'Tools', catalog: catalog.id });
  await create('category', { code: 'spades', name: 'Spades', parent: tools.id, catalog: catalog.id });
  const spade = await create('product', { code: 'spade', name: 'Späten', price: 24.9, catalog: catalog.id, image });
  const rake = await create('product', { code: 'rake', name: 'Rake', price: 12345678901234.5, catalog: catalog.id });
  await send('PATCH', `/api/cms/items/product/${rake.id}`, { name: 'Wide rake' });
  const products = [rake.id, spade.id];
  await create('promotion', {
    code: 'spring',
    discountPercentage: 12.5,
    active: true,
    startsOn: '2026-03-01',
    products,
  });
  await create('article', { title: 'Ten tools', slug: 'ten-tools', body: 'First line\nsecond line 🌱', image });
  await create('event', { code: 'open-day', name: 'Open day', startsOn: '2026-06-14' });
  await send('PUT', '/admin/api/preferences/favourites', { version: null, value: { types: ['product'] } });
  const views = [{ id: 'v1', name: 'Cheap', parameters: 'f=price.LESS_THAN.100' }];
  await send('PUT', '/admin/api/preferences/list.product', { version: null, value: { views, defaultView: 'v1' } });
}

/** Of a plugin whose package is in the store of the home: its folder does not exist for those who restore the home. */
async function useOwnPlugin() {
  await run(['plugins', 'enable', 'geo', '--home', home]);
  await create('place', { name: 'Zürich', location: { lat: 47.3769, lng: 8.5417 } });
}

/** No server listens at port 1. */
async function createWebhook() {
  await send('POST', '/api/platform/webhooks', {
    name: 'Search index',
    url: 'https://127.0.0.1:1/',
    types: ['article'],
  });
  await send('PATCH', '/api/cms/items/article/1', { title: 'Ten good tools' });
}

/** From now on, requests need a credential. */
async function createAccounts() {
  const ann = JSON.parse(
    await run(['users', 'create', 'ann@example.com', '--role', 'administrator', '--json', '--home', home]),
  ).data;
  await until(
    async () => (await request(platform, 'GET', '/api/cms/items/types')).status === 401,
    'sign-in is required',
  );
  headers.authorization = `Bearer ${readFileSync(join(home, 'local-token'), 'utf8').trim()}`;
  const grants = [
    { on: { plugin: 'catalog', type: 'product' }, actions: ['read', 'update'], writableFields: ['price'] },
  ];
  await send('POST', '/api/platform/roles', { name: 'price-editor', displayName: 'Price editor', grants });
  const roles = ['price-editor'];
  const bob = await send('POST', '/api/platform/users', { kind: 'person', login: 'bob@example.com', roles });
  for (const { link } of [ann, bob]) {
    const secret = link.split('#')[1];
    await send('POST', '/api/platform/one-time-links', { secret, password: 'correct horse battery staple' });
  }
}

function create(type, values) {
  return send('POST', `/api/cms/items/${type}`, values);
}

/** An order for each step at which it waits or ends, whose id says which. */
async function placeOrders() {
  const paid = ['paid', 'in-transit', 'delivered', 'refunded', 'to-decide'];
  for (const orderId of [...paid, 'canceled']) await send('POST', '/place-order', { orderId });
  for (const orderId of paid) {
    await send('POST', `/payment?orderId=${orderId}`, {});
    await untilRuns(`consignment-${orderId}`);
  }
  await send('POST', '/workflows/order-canceled/cancel', by);
  await send('POST', '/workflows/consignment-to-decide/terminate', by);
  await send('PUT', '/consignments/refunded/delivery', { delivered: false });
  for (const orderId of ['delivered', 'refunded']) await send('POST', `/consignments/${orderId}/dispatched`, {});
  for (const orderId of ['delivered', 'refunded', 'canceled', 'to-decide']) await untilEnded(`order-${orderId}`);
  // These continue soon.
  await send('POST', '/consignments/in-transit/dispatched', {});
  await send('POST', '/place-order', { orderId: 'unpaid' });
}

async function untilRuns(workflowId) {
  await until(async () => (await read(`/workflows/${workflowId}`))?.status === 'RUNNING', `${workflowId} runs`);
}

async function untilEnded(workflowId) {
  await until(async () => (await read(`/workflows/${workflowId}`))?.status !== 'RUNNING', `${workflowId} ends`);
}

async function until(holds, what) {
  const deadline = performance.now() + 300_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within five minutes: ${what}`);
    await delay(200);
  }
}

async function read(path) {
  const { status, text } = await request(platform, 'GET', path, undefined, headers);
  return status < 300 ? JSON.parse(text).data : undefined;
}

async function send(method, path, body) {
  const { status, text } = await request(platform, method, path, body, headers);
  if (status >= 300) throw new Error(`${method} ${path} answers ${status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text).data;
}
