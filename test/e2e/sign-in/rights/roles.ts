import type { TestHost } from '../../../support/platform';
import { send, type Answer } from '../../../support/rest-client';
import { createPerson as invite, sendAs } from '../support/accounts';

const forbidden = { status: 403, json: { error: { code: 'FORBIDDEN' } } };
const notFound = { status: 404, json: { error: { code: 'TYPE_NOT_FOUND' } } };

/** On a host with the content plugins, as an administrator. */
export function testRoles(host: TestHost, administrator: () => string): void {
  let ann = '';
  const cookies = new Map<string, string>();
  let catalog = 0;
  let productId = 0;

  beforeAll(async () => {
    ann = administrator();
    const { json } = await as(ann, 'POST', '/api/cms/items/catalog', { code: 'spring' });
    catalog = json.data.id as number;
    productId = await createProduct({ code: 'P-1', name: 'Tent', price: 10, catalog });
  });

  it('are created by administrators and given to users', async () => {
    const created = await as(ann, 'POST', '/api/platform/roles', {
      name: 'price-editor',
      displayName: 'Price editor',
      grants: [
        {
          on: { plugin: 'catalog', type: 'product' },
          actions: ['read', 'update'],
          readableFields: ['code', 'name', 'price'],
          writableFields: ['price'],
        },
      ],
    });
    expect(created).toMatchObject({ status: 201, json: { data: { name: 'price-editor', isBuiltIn: false } } });
    for (const role of ['price-editor', 'reader', 'editor', 'operator']) cookies.set(role, await createPerson([role]));
    await expect(createPerson(['king'])).rejects.toThrow(/ role king\./);
  });

  it.each(['\0', '\ud800'])('refuse text that cannot be stored: %j', async (character) => {
    const grants = [{ on: 'content', actions: ['read'] }];
    const where = [{ field: 'code', value: `a${character}` }];
    const filtered = [{ on: { plugin: 'catalog', type: 'product' }, actions: ['read'], where }];
    for (const role of [
      { name: 'odd', description: `a${character}b`, grants },
      { name: 'odd', grants: filtered },
    ]) {
      const created = await as(ann, 'POST', '/api/platform/roles', role);
      expect(created).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    }
    expect((await as(ann, 'GET', '/api/platform/roles/odd')).status).toBe(404);
  });

  it('explain nothing about a user whose name cannot be stored', async () => {
    const explained = await as(ann, 'GET', '/api/platform/explain?user=a%00b&permission=ops.read');
    expect(explained).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  });

  it('show a type with the fields and actions that a grant names, and nothing else', async () => {
    const types = await as(cookie('price-editor'), 'GET', '/api/cms/items/types');
    const { data } = (await as(cookie('price-editor'), 'GET', '/api/cms/items/product/metadata')).json;

    expect(types.json.data).toMatchObject([{ type: 'product', actions: ['read', 'update'] }]);
    const fields = data.fields as readonly { readonly name: string; readonly readOnly?: boolean }[];
    expect(fields.map(({ name, readOnly = false }) => [name, readOnly])).toEqual([
      ['code', true],
      ['name', true],
      ['price', false],
    ]);
    expect(data.actions).toEqual(['read', 'update']);
    const item = await as(cookie('price-editor'), 'GET', `/api/cms/items/product/${productId}`);
    expect(item.text).not.toContain('approvalStatus');
    expect(item.json.data.values).toMatchObject({ code: 'P-1', price: 10 });
  });

  it('allow what they name', async () => {
    const path = `/api/cms/items/product/${productId}`;
    const change = (body: object): Promise<Answer> => as(cookie('price-editor'), 'PATCH', path, body);

    await expect(change({ price: 12 })).resolves.toMatchObject({
      status: 200,
      json: { data: { values: { price: 12 } } },
    });
    // A row that was read can be sent back.
    await expect(change({ name: 'Tent', price: 13 })).resolves.toMatchObject({ status: 200 });
    await expect(change({ name: 'Boat' })).resolves.toMatchObject({
      status: 400,
      json: { error: { details: [{ path: 'name', code: 'NOT_EDITABLE' }] } },
    });
    await expect(change({ approvalStatus: 'APPROVED' })).resolves.toMatchObject({
      status: 400,
      json: { error: { details: [{ path: 'approvalStatus', code: 'UNKNOWN_FIELD' }] } },
    });
  });

  it.each([
    ['POST', '/api/cms/items/product', { code: 'P-2' }, forbidden],
    ['DELETE', '/api/cms/items/product/1', {}, forbidden],
    ['POST', '/api/cms/imports/product', [{ code: 'P-2' }], forbidden],
    ['POST', '/api/cms/exports/product', [], forbidden],
    ['POST', '/api/cms/items/catalog/list', [], notFound],
    ['GET', '/api/cms/items/article/metadata', undefined, notFound],
    ['GET', '/api/platform/plugins', undefined, forbidden],
    ['POST', '/api/platform/plugins/catalog/disable', {}, forbidden],
    ['GET', '/api/platform/generations', undefined, forbidden],
    ['GET', '/metrics', undefined, forbidden],
    ['GET', '/api/platform/users', undefined, forbidden],
    ['GET', '/api/platform/users/1', undefined, forbidden],
    ['POST', '/api/platform/users', { kind: 'service', login: 'x-y', roles: ['administrator'] }, forbidden],
    ['PATCH', '/api/platform/users/1', { isEnabled: false }, forbidden],
    ['DELETE', '/api/platform/users/1', {}, forbidden],
    ['GET', '/api/platform/roles', undefined, forbidden],
    ['POST', '/api/platform/roles', { name: 'x' }, forbidden],
    ['PUT', '/api/platform/roles/price-editor', {}, forbidden],
    ['DELETE', '/api/platform/roles/price-editor', {}, forbidden],
    ['GET', '/api/platform/permissions', undefined, forbidden],
    ['GET', '/api/platform/explain?user=x&permission=y', undefined, forbidden],
    ['GET', '/api/platform/tokens', undefined, forbidden],
    ['GET', '/api/platform/audit', undefined, forbidden],
    ['GET', '/api/platform/webhooks', undefined, forbidden],
    ['POST', '/api/platform/webhooks', { name: 'x', url: 'https://example.com/' }, forbidden],
    ['GET', '/api/platform/webhooks/wh_AAAAAAAAAAAAAAAA/changes/1.1.1', undefined, forbidden],
    ['POST', '/api/platform/webhooks/wh_AAAAAAAAAAAAAAAA/discard', {}, forbidden],
    ['GET', '/api/platform/subscriptions', undefined, forbidden],
    ['GET', '/api/platform/subscriptions/a/b', undefined, forbidden],
    ['DELETE', '/api/platform/subscriptions/a/b', {}, forbidden],
    ['POST', '/api/platform/subscriptions/a/b/pause', {}, forbidden],
    ['GET', '/api/platform/subscriptions/a/b/deliveries', undefined, forbidden],
  ] as const)('refuse the rest: %s %s', async (method, path, body, answer) => {
    await expect(as(cookie('price-editor'), method, path, body)).resolves.toMatchObject(answer);
  });

  it('leave what is open to every user', async () => {
    const statuses = await Promise.all(
      ['/api/platform/session', '/api/platform/account/sessions', '/api/platform/recent', '/api/openapi.json'].map(
        async (path) => (await as(cookie('price-editor'), 'GET', path)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    const ready = await as(cookie('price-editor'), 'GET', '/readyz');
    expect(ready.json).toEqual({ data: { status: 'ready', parts: [] } });
    const document = await as(cookie('price-editor'), 'GET', '/api/openapi.json');
    expect(document.text).not.toContain('/api/cms/items/catalog');
  });

  it('that are built in: readers read, editors write, operators see the metrics', async () => {
    const product = `/api/cms/items/product/${productId}`;
    await expect(as(cookie('reader'), 'GET', product)).resolves.toMatchObject({ status: 200 });
    await expect(as(cookie('reader'), 'PATCH', product, { price: 1 })).resolves.toMatchObject(forbidden);
    await expect(as(cookie('editor'), 'PATCH', product, { price: 14 })).resolves.toMatchObject({ status: 200 });
    await expect(as(cookie('editor'), 'GET', '/api/platform/users')).resolves.toMatchObject(forbidden);
    await expect(as(cookie('operator'), 'GET', product)).resolves.toMatchObject(notFound);
    await expect(as(cookie('operator'), 'GET', '/metrics')).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    ['type=product&action=read', 'ALLOWED', /may read Product/],
    ['type=product&action=update&field=price', 'ALLOWED', /may update Product, price/],
    ['type=product&action=update&field=code', 'FIELD_NOT_WRITABLE', / field code .*writable/],
    ['type=product&action=read&field=approvalStatus', 'FIELD_HIDDEN', / field approvalStatus .*readable/],
    ['type=product&action=delete', 'NO_ACTION', / no role has delete /],
    ['type=catalog&action=read', 'TYPE_HIDDEN', / no role has read .*hidden/],
    ['type=none&action=read', 'TYPE_UNKNOWN', / type none\./],
    ['type=product&action=read&field=none', 'FIELD_UNKNOWN', /Product .* field none\./],
    ['permission=plugins.read', 'NO_PERMISSION', / permission plugins\.read/],
    ['permission=none.none', 'PERMISSION_UNKNOWN', / permission none\.none\./],
  ])('are explained: %s', async (question, code, reason) => {
    const path = `/api/platform/explain?user=price-editor0@example.com&${question}`;
    const by = code === 'ALLOWED' ? [{ role: 'price-editor', on: { plugin: 'catalog', type: 'product' } }] : [];

    const { json } = await as(ann, 'GET', path);

    expect(json.data).toMatchObject({ allowed: by.length > 0, code, reason: expect.stringMatching(reason) });
    expect(json.data.by).toEqual(by);
  });

  it('are not explained about types, fields and items that the asking user cannot read', async () => {
    const of = { plugin: 'catalog', type: 'product' };
    const grants = [
      {
        on: of,
        actions: ['read'],
        readableFields: ['code', 'name'],
        where: [{ field: 'code', operator: 'EQUALS', value: 'x' }],
      },
    ];
    await as(ann, 'POST', '/api/platform/roles', { name: 'people', grants, permissions: ['users.manage'] });
    const manager = await createPerson(['people']);
    const explain = async (question: string): Promise<unknown> => {
      const { json } = await as(manager, 'GET', `/api/platform/explain?user=price-editor0@example.com&${question}`);
      return `${json.data.code} ${json.data.reason}`;
    };

    expect(await explain('type=catalog&action=read')).toMatch(/^TYPE_UNKNOWN .*no item type catalog\./);
    expect(await explain('type=product&action=read&field=price')).toMatch(/^FIELD_UNKNOWN .*no field price\./);
    expect(await explain('type=product&action=read&field=name')).toMatch(/may read Product, name/);
    const unknown = String(await explain('type=product&action=read&item=999999'));
    expect(unknown).toMatch(/^ITEM_UNKNOWN .*999999/);
    const existing = await explain(`type=product&action=read&item=${productId}`);
    expect(existing).toBe(unknown.replace('999999', String(productId)));
  });

  it('are shown to who manages users without the fields and values that are hidden from that user', async () => {
    const on = { plugin: 'catalog', type: 'product' };
    const where = [
      { field: 'price', operator: 'MORE_THAN', value: '4711' },
      { field: 'code', operator: 'EQUALS', value: 'secret-code' },
      { field: 'secretField', operator: 'EQUALS', value: 'x' },
    ];
    const hidden = { on: { plugin: 'articles', type: 'article' }, actions: ['read'] };
    const fields = { readableFields: ['code', 'price'], writableFields: ['price'] };
    const grants = [{ on, actions: ['read', 'update'], ...fields, where }, hidden];
    await as(ann, 'POST', '/api/platform/roles', { name: 'priced', grants });
    const visible = { on, actions: ['read'], readableFields: ['code'] };
    const permissions = ['users.manage', 'audit.read'];
    await as(ann, 'POST', '/api/platform/roles', { name: 'sees-codes', grants: [visible], permissions });
    await createPerson(['priced']);
    const login = `priced${cookies.size}@example.com`;
    const manager = await createPerson(['sees-codes']);
    const paths = [
      '/api/platform/roles',
      '/api/platform/roles/priced',
      `/api/platform/explain?user=${login}&type=product&action=read`,
      `/api/platform/explain?user=${login}&type=product&action=read&item=${productId}`,
      '/api/platform/audit?limit=1000',
    ];

    for (const path of paths) {
      const { status, text } = await as(manager, 'GET', path);
      expect([path, status]).toEqual([path, 200]);
      for (const name of ['price"', '4711', 'secretField', '"article"']) expect(text).not.toContain(name);
    }
    const { json } = await as(manager, 'GET', '/api/platform/roles/priced');
    expect(json.data.grants).toEqual([
      {
        ...{ on, actions: ['read', 'update'], readableFields: ['code'], writableFields: [] },
        ...{ where: [where[1]], hidesConditions: true },
      },
    ]);
    const whole = await as(ann, 'GET', '/api/platform/roles/priced');
    expect(whole.json.data.grants).toEqual(grants);
    const explained = await as(ann, 'GET', paths[2] ?? '');
    expect(explained.json.data).toMatchObject({ by: [{ where }], reason: expect.stringContaining('secretField') });
  });

  it.each(['', '?user=none@example.com&permission=ops.read', '?user=ann@example.com&type=product'])(
    'are not explained for the question "%s"',
    async (question) => {
      const { status } = await as(ann, 'GET', `/api/platform/explain${question}`);

      expect(status).toBe(question.includes('none') ? 404 : 400);
    },
  );

  it('add up, and a change is effective at once in the process that handles it', async () => {
    const both = await createPerson(['price-editor', 'reader']);
    const product = `/api/cms/items/product/${productId}`;
    await expect(as(both, 'GET', '/api/cms/items/catalog/metadata')).resolves.toMatchObject({ status: 200 });
    await expect(as(both, 'PATCH', product, { price: 15 })).resolves.toMatchObject({ status: 200 });
    const grants = [{ on: { plugin: 'catalog', type: 'product' }, actions: ['read'] }];

    await as(ann, 'PUT', '/api/platform/roles/price-editor', { grants });

    await expect(as(both, 'PATCH', product, { price: 16 })).resolves.toMatchObject(forbidden);
    await expect(as(cookie('price-editor'), 'PATCH', product, { price: 16 })).resolves.toMatchObject(forbidden);
  });

  it('limit an API token, as long as its user has them', async () => {
    const both = await createPerson(['editor', 'operator']);
    const create = (session: string, body: object): Promise<Answer> =>
      as(session, 'POST', '/api/platform/account/tokens', { name: 'limited', ...body });
    const { json } = await create(both, { roles: ['operator'] });
    const ask = async (path: string): Promise<number> =>
      (await send(host.address, path, { headers: { authorization: `Bearer ${json.data.token as string}` } })).status;

    expect(json.data.roles).toEqual(['operator']);
    expect([await ask('/metrics'), await ask(`/api/cms/items/product/${productId}`)]).toEqual([200, 404]);
    await expect(create(both, { roles: ['administrator'] })).resolves.toMatchObject({ status: 400 });
    await expect(create(both, { roles: ['none'] })).resolves.toMatchObject({ status: 400 });
    await expect(create(ann, { roles: ['reader'] })).resolves.toMatchObject({ status: 201 });
    const users = (await as(ann, 'GET', '/api/platform/users')).json.data as readonly { id: string; login: string }[];
    const owner = users.find(({ login }) => login.startsWith('editor.operator'));
    await as(ann, 'PATCH', `/api/platform/users/${owner?.id}`, { roles: ['editor'] });

    expect([await ask('/metrics'), await ask(`/api/cms/items/product/${productId}`)]).toEqual([403, 403]);
  });

  it('that are deleted are not those of a token again when another role gets the name', async () => {
    const role = { name: 'passing', grants: [{ on: 'content', actions: ['read'] }] };
    await as(ann, 'POST', '/api/platform/roles', role);
    const path = '/api/platform/account/tokens';
    const { json } = await as(ann, 'POST', path, { name: 'passing', roles: ['passing'] });
    const headers = { authorization: `Bearer ${json.data.token as string}` };
    const ask = async () => (await send(host.address, `/api/cms/items/product/${productId}`, { headers })).status;
    expect(await ask()).toBe(200);

    await as(ann, 'DELETE', '/api/platform/roles/passing', {});
    await as(ann, 'POST', '/api/platform/roles', role);

    expect(await ask()).toBe(403);
    const tokens = (await as(ann, 'GET', path)).json.data as readonly object[];
    expect(tokens).toContainEqual(expect.objectContaining({ name: 'passing', roles: [] }));
  });

  it('can be given twice and count once, but not be twice in a file', async () => {
    const login = 'twice@example.com';
    const given = await as(ann, 'POST', '/api/platform/users', { kind: 'person', login, roles: ['reader', 'reader'] });
    expect(given).toMatchObject({ status: 201, json: { data: { roles: ['reader'] } } });
    const role = { name: 'double', grants: [] };

    const imported = await as(ann, 'PATCH', '/api/platform/roles', { formatVersion: 1, roles: [role, role] });

    expect(imported).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    expect(imported.text).toMatch(/role double twice/);
  });

  it('can be tried out by an administrator, with their rights only, until it is ended', async () => {
    const answer = await as(ann, 'PUT', '/api/platform/view-as', { roles: ['reader'] });
    const [viewCookie = ''] = (answer.headers['set-cookie'] ?? [])[0]?.split(';') ?? [];
    const viewed = `${ann}; ${viewCookie}`;
    const product = `/api/cms/items/product/${productId}`;

    await expect(as(viewed, 'GET', '/api/platform/session')).resolves.toMatchObject({
      json: { data: { user: { roles: ['reader'], viewsAs: ['reader'], permissions: [] } } },
    });
    await expect(as(viewed, 'GET', product)).resolves.toMatchObject({ status: 200 });
    await expect(as(viewed, 'PATCH', product, { price: 1 })).resolves.toMatchObject(forbidden);
    await expect(as(viewed, 'GET', '/api/platform/users')).resolves.toMatchObject(forbidden);
    await expect(as(viewed, 'DELETE', '/api/platform/account/tokens/1', {})).resolves.toMatchObject(forbidden);
    await expect(as(viewed, 'PUT', '/api/platform/view-as', { roles: ['editor'] })).resolves.toMatchObject(forbidden);
    const ended = await as(viewed, 'DELETE', '/api/platform/view-as', {});
    expect(ended.status).toBe(204);
    expect(ended.headers['set-cookie']?.[0]).toMatch(/^gantry-view-as-\w+=; Path=\/; Max-Age=0; HttpOnly/);
    await expect(as(ann, 'GET', '/api/platform/users')).resolves.toMatchObject({ status: 200 });
  });

  it('are not got by a cookie', async () => {
    const answer = await as(ann, 'PUT', '/api/platform/view-as', { roles: ['administrator'] });
    const [viewCookie = ''] = (answer.headers['set-cookie'] ?? [])[0]?.split(';') ?? [];
    const reader = `${cookie('reader')}; ${viewCookie}`;

    await expect(as(reader, 'GET', '/api/platform/users')).resolves.toMatchObject(forbidden);
    await expect(as(cookie('reader'), 'PUT', '/api/platform/view-as', { roles: ['reader'] })).resolves.toMatchObject(
      forbidden,
    );
    await expect(as(ann, 'PUT', '/api/platform/view-as', { roles: ['none'] })).resolves.toMatchObject({ status: 404 });
    await expect(as(ann, 'PUT', '/api/platform/view-as', { roles: [] })).resolves.toMatchObject({ status: 400 });
  });

  it('do not combine the actions of one grant with the fields of another', async () => {
    const on = { plugin: 'catalog', type: 'product' };
    await as(ann, 'POST', '/api/platform/roles', {
      name: 'pricing',
      grants: [{ on, actions: ['read', 'update'], writableFields: ['price'] }],
    });
    await as(ann, 'POST', '/api/platform/roles', {
      name: 'creator',
      grants: [
        { on, actions: ['read', 'create'] },
        { on: { plugin: 'catalog', type: 'catalog' }, actions: ['read'] },
      ],
    });
    const both = await createPerson(['pricing', 'creator']);
    const product = `/api/cms/items/product/${productId}`;

    await expect(as(both, 'PATCH', product, { name: 'Boat' })).resolves.toMatchObject({
      status: 400,
      json: { error: { details: [{ path: 'name', code: 'NOT_EDITABLE' }] } },
    });
    await expect(as(both, 'PATCH', product, { price: 17 })).resolves.toMatchObject({ status: 200 });
    const { fields } = (await as(both, 'GET', '/api/cms/items/product/metadata')).json.data as {
      readonly fields: readonly { readonly name: string; readonly editableOnUpdate: boolean }[];
    };
    expect(fields.filter(({ editableOnUpdate }) => editableOnUpdate).map(({ name }) => name)).toEqual(['price']);
    const created = await as(both, 'POST', '/api/cms/items/product', {
      code: 'P-9',
      name: 'Boat',
      price: 1,
      catalog,
    });
    expect(created.status).toBe(201);
  });

  it('do not let their users give others more rights than they have', async () => {
    await as(ann, 'POST', '/api/platform/roles', { name: 'user-manager', permissions: ['users.manage'] });
    const manager = await createPerson(['user-manager', 'reader']);
    const create = (login: string, roles: readonly string[]): Promise<Answer> =>
      as(manager, 'POST', '/api/platform/users', { kind: 'service', login, roles });

    await expect(create('allowed', ['reader'])).resolves.toMatchObject({ status: 201 });
    await expect(create('refused', ['editor'])).resolves.toMatchObject(forbidden);
    await expect(create('refused', ['administrator'])).resolves.toMatchObject(forbidden);
    await expect(as(manager, 'PATCH', '/api/platform/users/1', { isEnabled: false })).resolves.toMatchObject(forbidden);
    await expect(as(manager, 'DELETE', '/api/platform/users/1', {})).resolves.toMatchObject(forbidden);
    await expect(as(manager, 'PUT', '/api/platform/roles/user-manager', {})).resolves.toMatchObject(forbidden);
    await expect(as(manager, 'GET', '/api/platform/roles')).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    ['a built-in role', 'PUT', '/api/platform/roles/editor', {}, 409],
    ['a built-in role to be deleted', 'DELETE', '/api/platform/roles/reader', {}, 409],
    ['a role that users have', 'DELETE', '/api/platform/roles/price-editor', {}, 409],
    ['a name that is in use', 'POST', '/api/platform/roles', { name: 'editor' }, 409],
    ['an unknown role', 'PUT', '/api/platform/roles/none', {}, 404],
    ['no name', 'POST', '/api/platform/roles', {}, 400],
    ['an unknown member', 'POST', '/api/platform/roles', { name: 'x', admin: true }, 400],
    [
      'an unknown action',
      'POST',
      '/api/platform/roles',
      { name: 'x', grants: [{ on: 'content', actions: ['own'] }] },
      400,
    ],
    [
      'fields of many types',
      'POST',
      '/api/platform/roles',
      { name: 'x', grants: [{ on: 'content', actions: ['read'], readableFields: ['code'] }] },
      400,
    ],
  ])('refuse %s', async (_name, method, path, body, status) => {
    const answer = await as(ann, method, path, body);

    expect(answer.status).toBe(status);
    expect(answer.json.error.message).not.toBe('');
  });

  it('are in the audit log', async () => {
    const { json } = await as(ann, 'GET', '/api/platform/audit?limit=100');
    const actions = (json.data as readonly { readonly action: string }[]).map(({ action }) => action);

    expect(actions).toEqual(expect.arrayContaining(['role-created', 'role-changed']));
  });

  function cookie(role: string): string {
    return cookies.get(role) ?? '';
  }

  function as(session: string, method: string, path: string, body?: unknown): Promise<Answer> {
    return sendAs(host.address, session, method, path, body);
  }

  async function createProduct(product: object): Promise<number> {
    const { status, json, text } = await as(ann, 'POST', '/api/cms/items/product', product);
    if (status !== 201) throw new Error(text);
    return Number(json.data.id);
  }

  /** @returns the session cookie of a new person with these roles */
  function createPerson(roles: readonly string[]): Promise<string> {
    return invite(host.address, ann, `${roles.join('.')}${cookies.size}@example.com`, roles);
  }
}
