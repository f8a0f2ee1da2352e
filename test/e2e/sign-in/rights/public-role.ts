import type { TestHost } from '../../../support/platform';
import { send, sendJson, type Answer } from '../../../support/rest-client';
import { sendAs } from '../support/accounts';

const on = { plugin: 'catalog', type: 'product' };

/** On a host with the content plugins, as an administrator. Nothing else on it may give rights to the role public meanwhile. */
export function testPublicRole(host: TestHost, administrator: () => string): void {
  let ann = '';
  let [hidden, shown] = [0, 0];

  beforeAll(async () => {
    ann = administrator();
    const catalog = await create('catalog', { code: 'public' });
    [hidden, shown] = [await createProduct('PUBLIC-1', catalog), await createProduct('PUBLIC-2', catalog)];
  });

  it('are refused until the role public has grants', async () => {
    expect((await list()).status).toBe(401);
    const { json } = await asAnn('GET', '/api/platform/roles/public');
    expect(json.data).toMatchObject({ name: 'public', grants: [], isBuiltIn: false });
  });

  it('read what the role shows, with its fields and conditions', async () => {
    const where = [{ field: 'code', operator: 'EQUALS', value: 'PUBLIC-2' }];
    const grants = [{ on, actions: ['read'], readableFields: ['code', 'name'], where }];
    expect((await asAnn('PUT', '/api/platform/roles/public', { grants })).status).toBe(200);

    const { json } = await list();
    expect(json.data).toHaveLength(1);
    expect(Object.keys(json.data[0].values)).toEqual(['code', 'name', 'createdAt', 'updatedAt', 'version']);
    expect((await send(host.address, `/api/cms/items/product/${shown}`)).status).toBe(200);
    expect((await send(host.address, `/api/cms/items/product/${hidden}`)).status).toBe(404);
    const types = (await send(host.address, '/api/cms/items/types')).json.data as readonly { readonly type: string }[];
    expect(types.map(({ type }) => type)).toEqual(['product']);
    expect((await sendJson(host.address, 'POST', '/api/cms/search?q=Tent', {})).json.data).toHaveLength(1);
  });

  it('get an OpenAPI document of what they may ask for, and of nothing else', async () => {
    const { json, text } = await send(host.address, '/api/openapi.json');
    const paths = json.paths as Readonly<Record<string, object>>;
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => (method === 'parameters' ? [] : [`${method} ${path}`])),
    );
    expect(operations.toSorted()).toEqual([
      'get /api/cms/items/product/metadata',
      'get /api/cms/items/product/search-metadata',
      'get /api/cms/items/product/{id}',
      'get /api/cms/items/types',
      'get /api/openapi.json',
      'post /api/cms/items/product/list',
      'post /api/cms/items/product/search',
      'post /api/cms/search',
    ]);
    const parts = json.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    for (const [kind, members] of Object.entries(parts)) {
      if (kind === 'securitySchemes') continue;
      for (const name of Object.keys(members)) expect(text).toContain(`"#/components/${kind}/${name}"`);
    }
    for (const [, , kind = '', name = ''] of text.match(/#\/components\/\w+\/[\w.-]+/g)?.map((ref) => ref.split('/')) ??
      []) {
      expect(parts[kind]).toHaveProperty([name]);
    }
    expect(text).not.toMatch(/Webhook|PluginReport|\/api\/cms\/items\/catalog/);
  });

  it.each([
    ['POST', '/api/cms/items/product'],
    ['PATCH', '/api/cms/items/product/<shown>'],
    ['DELETE', '/api/cms/items/product/<shown>'],
    ['POST', '/api/cms/imports/product'],
    ['POST', '/api/cms/exports/product'],
    ['GET', '/api/platform/roles'],
    ['GET', '/api/platform/plugins'],
    ['GET', '/api/platform/recent'],
    ['GET', '/api/cms/items/product/<shown>/'],
    ['GET', '/api/cms/ITEMS/product/<shown>'],
    ['GET', '/metrics'],
  ])('cannot do anything else: %s %s', async (method, template) => {
    const path = template.replace('<shown>', String(shown));
    const answer = await (method === 'GET'
      ? send(host.address, path)
      : sendJson(host.address, method, path, method === 'POST' ? [] : {}));
    expect(answer.status).toBe(401);
  });

  it('with a token that is not valid are refused as such', async () => {
    const headers = { authorization: 'Bearer gty_none' };
    expect((await sendJson(host.address, 'POST', '/api/cms/items/product/list', [], headers)).status).toBe(401);
  });

  it('with the cookie of a session that has ended read what the role shows, and nothing else', async () => {
    const headers = { cookie: `${ann.slice(0, -4)}none` };
    const withDeadCookie = (method: string, path: string, body?: unknown) =>
      sendJson(host.address, method, path, body, headers);
    expect((await withDeadCookie('POST', '/api/cms/items/product/list', [])).json.data).toHaveLength(1);
    expect((await send(host.address, `/api/cms/items/product/${shown}`, { headers })).status).toBe(200);
    expect((await withDeadCookie('POST', '/api/cms/items/product', {})).status).toBe(401);
    expect((await send(host.address, '/api/platform/recent', { headers })).status).toBe(401);
  });

  it('leave streams of changes to others: each user and each address has a share', async () => {
    const service = { kind: 'service', login: 'listener', roles: ['reader'] };
    const { id } = (await asAnn('POST', '/api/platform/users', service)).json.data as { readonly id: string };
    const made = await asAnn('POST', `/api/platform/users/${id}/tokens`, { name: 'stream' });
    const ended = new AbortController();
    const open = (headers: Readonly<Record<string, string>>) =>
      fetch(`${host.address}/api/cms/changes/stream`, { headers, signal: ended.signal });
    const own = { authorization: `Bearer ${(made.json.data as { readonly token: string }).token}` };
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await open(own)).status));
    expect(statuses.toSorted()).toEqual([...Array<number>(50).fill(200), ...Array<number>(10).fill(429)]);

    const refused = await open(own);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.json()).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS' } });
    expect((await open({ cookie: ann })).status).toBe(200);
    ended.abort();
  });

  it('never get more than read, and users never have the role', async () => {
    for (const role of [{ grants: [{ on, actions: ['read', 'update'] }] }, { permissions: ['audit.read'] }]) {
      const { status, json } = await asAnn('PUT', '/api/platform/roles/public', role);
      expect([status, json.error.message]).toEqual([400, expect.stringContaining('action read')]);
    }
    const user = { kind: 'service', login: 'web-site', roles: ['public'] };
    expect((await asAnn('POST', '/api/platform/users', user)).json.error.message).toContain('role public');
  });

  it('are refused again at once when the role has no grants any more', async () => {
    expect((await list()).status).toBe(200);
    expect((await asAnn('DELETE', '/api/platform/roles/public', {})).status).toBe(204);
    expect((await list()).status).toBe(401);
    expect((await asAnn('GET', '/api/platform/roles/public')).json.data.grants).toEqual([]);
  });

  function list(): Promise<Answer> {
    return sendJson(host.address, 'POST', '/api/cms/items/product/list', []);
  }

  async function create(type: string, values: object): Promise<number> {
    return (await asAnn('POST', `/api/cms/items/${type}`, values)).json.data.id as number;
  }

  function createProduct(code: string, catalog: number): Promise<number> {
    return create('product', { code, name: `Tent ${code}`, price: 10, catalog });
  }

  function asAnn(method: string, path: string, body?: unknown): Promise<Answer> {
    return sendAs(host.address, ann, method, path, body);
  }
}
