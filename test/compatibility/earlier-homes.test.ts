import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGantry, type GantryProcess } from '../e2e/support/gantry-process';
import { askUntil } from '../support/ask-until';
import { cookieOf, fromPage, signIn } from '../e2e/sign-in/support/accounts';
import { send, sendJson } from '../support/rest-client';

const homes = join(__dirname, 'fixtures/homes');
const command = join(__dirname, '../../cli/bin/gantry.js');

/** Homes of earlier versions, as `scripts/record-home.mjs` recorded them more than half an hour ago. */
describe.each(readdirSync(homes))('the home of version %s', (name) => {
  let folder: string;
  let home: string;
  let platform: GantryProcess;
  let address: string;
  let headers: Readonly<Record<string, string>> = {};
  // The first version had neither users nor a plugin set in the database.
  const hasUsers = name !== '0.1.0';
  // Its packages are in the database, too: the test removes the store, as a host has it that has fetched none.
  const hasArchives = name === '1.1.0';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-earlier-home-'));
    // Started by root, the embedded PostgreSQL runs as another user, who has to reach its folder.
    chmodSync(folder, 0o711);
    home = join(folder, 'home');
    gantry('restore', join(homes, name));
    if (hasArchives) rmSync(join(home, 'store'), { recursive: true });
    gantry('resume');
    platform = startGantry(['--home', home, '--port', '0'], {});
    address = await platform.ready;
    if (hasUsers) headers = await sessionOf('ann@example.com');
  });

  afterAll(async () => {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  function gantry(...words: readonly string[]): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words, '--home', home]);
    if (status !== 0) throw new Error(`gantry ${words.join(' ')} failed: ${stdout.toString()}${stderr.toString()}`);
  }

  async function sessionOf(login: string): Promise<Readonly<Record<string, string>>> {
    return fromPage(address, cookieOf(await signIn(address, login)));
  }

  const ask = (method: string, path: string, body?: object) =>
    body === undefined ? send(address, path, { method, headers }) : sendJson(address, method, path, body, headers);

  const rows = async (type: string, criteria: object[] = []) => {
    const { json } = await ask('POST', `/api/cms/items/${type}/list?sort=id`, criteria);
    return json.data as readonly { readonly values: Readonly<Record<string, unknown>> }[];
  };

  it('has its items with their values, versions and references', async () => {
    expect(await rows('product')).toMatchObject([
      { values: { version: 1, code: 'spade', name: 'Späten', catalog: { label: 'Garden' } } },
      { values: { version: 2, code: 'rake', name: 'Wide rake', approvalStatus: 'CHECK' } },
    ]);
    expect(await rows('category')).toMatchObject([
      { values: { code: 'tools', parent: null } },
      { values: { code: 'spades', parent: { label: 'Tools' } } },
    ]);
    expect(await rows('promotion')).toMatchObject([
      { values: { active: true, startsOn: '2026-03-01', products: [{ label: 'rake' }, { label: 'spade' }] } },
    ]);
    expect(await rows('article')).toMatchObject([{ values: { body: 'First line\nsecond line 🌱' } }]);
    const { text } = await ask('POST', '/api/cms/items/product/list?sort=id');
    expect(text).toContain('12345678901234.5');
  });

  it('has its plugin set in the database', () => {
    const read = (file: string) => JSON.parse(readFileSync(join(home, file), 'utf8')) as { readonly plugins: object };
    const set = read('plugin-set.json');

    expect(Object.keys(set.plugins)).toEqual(hasUsers ? ['events', 'geo'] : ['events']);
    const imported = hasUsers ? set : read('plugins.json.imported');
    expect(set).toMatchObject({ generation: hasUsers ? 3 : 1, plugins: imported.plugins });
    expect(existsSync(join(home, 'plugins.json'))).toBe(false);
  });

  it('finds its items by a search across types, which that version did not have', async () => {
    const found = async (q: string) => {
      const { json } = await ask('POST', `/api/cms/search?q=${encodeURIComponent(q)}`);
      return json.data.map(({ type, items }: { type: string; items: object[] }) => [type, items]);
    };
    expect(await found('späten')).toEqual([['product', [expect.objectContaining({ code: 'spade', label: 'Späten' })]]]);
    expect(await found('spade')).toMatchObject([
      ['product', [{}]],
      ['category', [{ code: 'spades' }]],
    ]);
  });

  it('takes changes of its items and new ones', async () => {
    const [catalog] = await rows('catalog');
    const answer = await ask('POST', '/api/cms/items/product', { code: 'hoe', catalog: 1 });
    expect([catalog?.values['code'], answer.status]).toEqual(['garden', 201]);
    const { json } = await ask('PATCH', '/api/cms/items/product/1', { price: 30 });
    expect(json.data).toMatchObject({ values: { version: 2, code: 'spade', price: 30 } });
  });

  it('serves its images', async () => {
    const [article] = await rows('article');
    const image = await fetch(new URL(String(article?.values['image']), address), { headers });
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('keeps the preferences and the plugin set', async () => {
    const preferences = await ask('GET', '/admin/api/preferences');
    expect(preferences.json.data).toMatchObject([
      { name: 'favourites', value: { types: ['product'] } },
      { name: 'list.product', value: { defaultView: 'v1', views: [{ name: 'Cheap' }] } },
    ]);
    expect((await ask('POST', '/api/cms/items/event/list', [])).status).toBe(404);
  });

  it('brings its open orders to an end, and takes decisions about those that need one', async () => {
    const ended = {
      unpaid: 'NOT_PAID',
      paid: 'NEEDS_DECISION',
      'in-transit': 'NEEDS_DECISION',
      delivered: 'DELIVERED',
      refunded: 'REFUNDED',
      canceled: 'CANCELED',
      'to-decide': 'NEEDS_DECISION',
    };
    // Consignments have reached their time limit meanwhile.
    expect(await askUntil(statuses, (found) => Object.values(found).every((status) => status !== 'OPEN'))).toEqual(
      ended,
    );
    const undecided = ['paid', 'in-transit', 'to-decide'];
    for (const orderId of undecided) {
      const answer = await ask('POST', `/orders/${orderId}/refund`, { reason: 'Never sent' });
      expect([orderId, answer.status]).toEqual([orderId, 202]);
    }
    const settled = { ...ended, ...Object.fromEntries(undecided.map((orderId) => [orderId, 'REFUNDED'])) };
    expect(await askUntil(statuses, (found) => undecided.every((orderId) => found[orderId] === 'REFUNDED'))).toEqual(
      settled,
    );
  });

  if (hasUsers) {
    it('lets its users sign in, with the rights of their roles', async () => {
      headers = await sessionOf('bob@example.com');
      const price = await ask('PATCH', '/api/cms/items/product/2', { price: 31 });
      const others = await ask('PATCH', '/api/cms/items/product/2', { name: 'Rake' });
      expect([price.status, others.status]).toEqual([200, 400]);
      expect((await ask('POST', '/api/cms/items/category/list', [])).status).toBe(404);
      headers = await sessionOf('ann@example.com');
    });

    it('runs a plugin of its plugin set, whose folder is gone', async () => {
      expect(await rows('place')).toMatchObject([
        { values: { name: 'Zürich', location: { lat: 47.3769, lng: 8.5417 } } },
      ]);
      const bern = { name: 'Bern', location: { lat: 46.948, lng: 7.4474 } };
      expect((await ask('POST', '/api/cms/items/place', bern)).status).toBe(201);
    });

    it('has the history of its items', async () => {
      const { json } = await ask('GET', '/api/cms/items/article/1/history');
      expect(json.data).toMatchObject([{ version: 2, actor: expect.anything() }, { version: 1 }]);
      const earlier = await ask('GET', '/api/cms/items/article/1/history/1');
      expect(earlier.json.data).toMatchObject({ values: { title: 'Ten tools' } });
    });

    it('has its webhook', async () => {
      const { json } = await ask('GET', '/api/platform/webhooks');
      expect(json.data).toMatchObject([{ name: 'Search index', types: ['article'], state: 'active' }]);
    });
  }

  it('has the items of the plugin that was disabled when that is enabled', async () => {
    await platform.stop();
    gantry('plugins', 'enable', 'events');
    // Services, and Temporal with them, take most of the processor time of a start.
    const withoutTemporal = { TEMPORAL_ADDRESS: '127.0.0.1:9' };
    platform = startGantry(['--home', home, '--port', '0', '--only', 'events'], withoutTemporal);
    address = await platform.ready;
    if (hasUsers) headers = await sessionOf('ann@example.com');

    expect(await rows('event')).toMatchObject([{ values: { code: 'open-day' } }]);
  });

  async function statuses(): Promise<Readonly<Record<string, unknown>>> {
    return Object.fromEntries((await rows('order')).map(({ values }) => [values['orderId'], values['status']]));
  }
});
