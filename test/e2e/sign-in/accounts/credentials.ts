import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { problemsOf, send, sendJson } from '../../../support/rest-client';
import {
  cookieOf,
  createPerson,
  createUsers,
  fromPage,
  password,
  sendAs,
  signIn,
  untilSignInIsRequired,
  useLink,
} from '../support/accounts';

const ann = 'ann@example.com';

/** On a host that trusts the proxies of this machine. */
export function testCredentials(host: TestHost): void {
  let cookie = '';

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    cookie = await useLink(host.address, secret);
  });

  it.each([
    ['GET', '/api/cms/items/types'],
    ['POST', '/api/cms/items/product/list'],
    ['GET', '/api/cms/items/nosuchtype/1'],
    ['GET', '/api/platform/plugins'],
    ['POST', '/api/platform/plugins/events/disable'],
    ['GET', '/api/platform/users'],
    ['GET', '/api/platform/audit'],
    ['GET', '/api/openapi.json'],
    ['GET', '/api/docs'],
    ['GET', '/metrics'],
    ['GET', '/nothing/here'],
  ])('refuses %s %s without a credential', async (method, path) => {
    const answer = await send(host.address, path, { method });

    expect(answer).toMatchObject({ status: 401, json: { error: { code: 'UNAUTHENTICATED' } } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('shows of its health the status only to a request without a credential', async () => {
    const bare = await send(host.address, '/readyz');
    const whole = await send(host.address, '/readyz', { headers: { cookie } });

    expect(bare.json).toEqual({ data: { status: expect.any(String), parts: [] } });
    expect(whole.json.data.parts.length).toBeGreaterThan(0);
    await expect(send(host.address, '/livez')).resolves.toMatchObject({ status: 200 });
  });

  it('serves a session, whose cookie scripts and other sites cannot use', async () => {
    const answer = await signIn(host.address, 'ANN@example.com');

    expect(answer).toMatchObject({ status: 200, json: { data: { mode: 'sign-in', user: { name: ann } } } });
    const [session = ''] = answer.headers['set-cookie'] ?? [];
    expect(session).toMatch(/^gantry-[A-Za-z0-9]{1,8}=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    const types = await send(host.address, '/api/cms/items/types', { headers: { cookie: cookieOf(answer) } });
    expect(types.status).toBe(200);
  });

  it('gives a browser another session at every sign-in, and ends the one that it had', async () => {
    const first = cookieOf(await signIn(host.address, ann));

    const second = cookieOf(await signIn(host.address, ann, password, fromPage(host.address, first)));

    expect(second).not.toBe(first);
    await expect(sessionStatus(first)).resolves.toBe(401);
    await expect(sessionStatus(second)).resolves.toBe(200);
  });

  it('ends a session at sign-out', async () => {
    const own = cookieOf(await signIn(host.address, ann));

    const answer = await send(host.address, '/api/platform/session', {
      method: 'DELETE',
      headers: fromPage(host.address, own),
    });

    expect(answer.status).toBe(204);
    await expect(sessionStatus(own)).resolves.toBe(401);
  });

  it('ends the other sessions of a person who changes the password', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['carl@example.com']);
    const own = await useLink(host.address, secret);
    const other = cookieOf(await signIn(host.address, 'carl@example.com'));
    const change = { currentPassword: password, newPassword: 'another four random words' };

    const wrong = await putPassword(own, { ...change, currentPassword: 'wrong' });
    const right = await putPassword(own, change);

    expect([wrong.status, right.status]).toEqual([403, 204]);
    await expect(sessionStatus(other)).resolves.toBe(401);
    await expect(sessionStatus(own)).resolves.toBe(200);
    await expect(signIn(host.address, 'carl@example.com')).resolves.toMatchObject({ status: 401 });
    await expect(signIn(host.address, 'carl@example.com', change.newPassword)).resolves.toMatchObject({ status: 200 });
  });

  it('serves an API token until it is revoked', async () => {
    const created = await asAnn('POST', '/api/platform/account/tokens', { name: 'import' });
    const { id, token } = created.json.data as { readonly id: string; readonly token: string };

    expect(token).toMatch(/^gty_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}$/);
    await expect(tokenStatus(token)).resolves.toBe(200);
    const listed = await asAnn('GET', '/api/platform/account/tokens');
    expect(listed.text).not.toContain(token);
    expect(listed.json.data).toContainEqual(expect.objectContaining({ id }));
    // Requests do not wait for their use of it to be written down.
    await eventually(async () => {
      const { json } = await asAnn('GET', '/api/platform/account/tokens');
      const tokens = json.data as readonly { readonly id: string; readonly lastUsedAt: string | null }[];
      return tokens.some((one) => one.id === id && one.lastUsedAt !== null);
    }, 'the use of the token is written down');
    await asAnn('DELETE', `/api/platform/account/tokens/${id}`);
    await expect(tokenStatus(token)).resolves.toBe(401);
  });

  it('lets an API token make no other credential', async () => {
    const created = await asAnn('POST', '/api/platform/account/tokens', { name: 'reader' });
    const { token } = created.json.data as { readonly token: string };

    const answer = await sendJson(
      host.address,
      'POST',
      '/api/platform/account/tokens',
      { name: 'second' },
      { authorization: `Bearer ${token}` },
    );

    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
  });

  it('lets an API token that was made for it change users, roles and tokens, and make no lasting one', async () => {
    const manager = await managingToken(asAnn, ['administrator']);
    const service = { kind: 'service', login: 'shop-import', roles: ['reader'] };

    const created = await manager('POST', '/api/platform/users', service);
    const { id } = created.json.data as { readonly id: string };
    const tokens = `/api/platform/users/${id}/tokens`;
    const answers = [
      await manager('POST', tokens, { name: 'short', expiresInDays: 9 }),
      await manager('POST', tokens, { name: 'default' }),
      await manager('POST', tokens, { name: 'manager', expiresInDays: 1, managesAccounts: true }),
      await manager('POST', '/api/platform/account/tokens', { name: 'own' }),
      await manager('PATCH', '/api/platform/roles', { formatVersion: 1, roles: [{ name: 'shop' }, { name: 'Shop!' }] }),
      await manager('PATCH', '/api/platform/roles', { formatVersion: 1, roles: [{ name: 'shop' }] }),
      await manager('DELETE', `/api/platform/users/${id}`, {}),
    ];

    expect([created.status, ...answers.map(({ status }) => status)]).toEqual([201, 201, 400, 400, 403, 400, 200, 204]);
    expect(answers[1]?.text).toMatch(/expiresInDays .* 9\b/);
    expect(answers[2]?.text).toMatch(/managesAccounts .*API token/);
    const events = await sendAs(host.address, cookie, 'GET', '/api/platform/audit?action=roles-imported&limit=1');
    expect(events.json.data).toMatchObject([{ detail: { byToken: expect.stringMatching(/^[\w-]{12}$/) } }]);
  });

  it('shows of the grants of imported roles what the reader of the audit log may see', async () => {
    const grants = [{ on: { plugin: 'catalog', type: 'product' }, actions: ['read'], readableFields: ['price'] }];
    const roles = [
      { name: 'auditor', permissions: ['audit.read'] },
      { name: 'prices', grants },
    ];
    await asAnn('PATCH', '/api/platform/roles', { formatVersion: 1, roles });
    const auditor = await createPerson(host.address, cookie, 'auditor@example.com', ['auditor']);
    const imported = '/api/platform/audit?action=roles-imported&limit=1';

    const shown = [await sendAs(host.address, auditor, 'GET', imported), await asAnn('GET', imported)];

    expect(shown.map(({ json }) => json.data[0].detail.roles)).toMatchObject([
      [{ name: 'auditor' }, { name: 'prices', grants: [] }],
      [{ name: 'auditor' }, { name: 'prices', grants }],
    ]);
  });

  it('limits such an API token to the rights of its roles', async () => {
    await asAnn('POST', '/api/platform/roles', { name: 'staffing', permissions: ['users.manage'] });
    const manager = await managingToken(asAnn, ['staffing']);
    const service = (role: string) => ({ kind: 'service', login: `for-${role}`, roles: [role] });

    const answers = [
      await manager('POST', '/api/platform/users', service('staffing')),
      await manager('POST', '/api/platform/users', service('administrator')),
      await manager('POST', '/api/platform/roles', { name: 'more' }),
      await (await managingToken(asAnn, ['reader']))('POST', '/api/platform/users', service('reader')),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 403, 403, 403]);
  });

  it('serves a service account by its tokens only', async () => {
    const body = { kind: 'service', login: 'price-import', roles: ['administrator'] };
    const account = await asAnn('POST', '/api/platform/users', body);
    const { id } = account.json.data as { readonly id: string };

    const created = await asAnn('POST', `/api/platform/users/${id}/tokens`, { name: 'nightly', expiresInDays: 1 });

    expect([account.status, created.status]).toEqual([201, 201]);
    await expect(tokenStatus((created.json.data as { readonly token: string }).token)).resolves.toBe(200);
    await expect(signIn(host.address, 'price-import')).resolves.toMatchObject({ status: 401 });
  });

  it('ends everything of a user who is disabled', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['dora@example.com']);
    const dora = await useLink(host.address, secret);
    const token = await sendJson(
      host.address,
      'POST',
      '/api/platform/account/tokens',
      { name: 'own' },
      fromPage(host.address, dora),
    );
    const users = (await asAnn('GET', '/api/platform/users')).json.data as { id: string; login: string }[];
    const id = users.find(({ login }) => login === 'dora@example.com')?.id ?? '';

    await asAnn('PATCH', `/api/platform/users/${id}`, { isEnabled: false });

    await expect(sessionStatus(dora)).resolves.toBe(401);
    await expect(tokenStatus((token.json.data as { readonly token: string }).token)).resolves.toBe(401);
    await expect(signIn(host.address, 'dora@example.com')).resolves.toMatchObject({ status: 401 });
  });

  it('keeps the last enabled administrator', async () => {
    const users = (await asAnn('GET', '/api/platform/users')).json.data as { id: string; login: string }[];
    for (const { id, login } of users) {
      if (login !== ann) await asAnn('PATCH', `/api/platform/users/${id}`, { isEnabled: false });
    }
    const id = users.find(({ login }) => login === ann)?.id ?? '';

    const answers = [
      await asAnn('PATCH', `/api/platform/users/${id}`, { isEnabled: false }),
      await asAnn('DELETE', `/api/platform/users/${id}`),
    ];

    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
  });

  it('writes down who did what', async () => {
    await asAnn('POST', '/api/platform/plugins/events/disable', {});
    const { json } = await asAnn('GET', '/api/platform/audit?limit=1000');
    const actions = (json.data as { readonly action: string }[]).map(({ action }) => action);

    for (const action of [
      'plugin-disabled',
      'sign-in',
      'sign-out',
      'password-changed',
      'token-created',
      'token-revoked',
      'user-changed',
    ]) {
      expect(actions).toContain(action);
    }
  });

  it('finds events of the audit log by actor, action and time', async () => {
    const events = async (query: string) =>
      (await asAnn('GET', `/api/platform/audit?limit=1000${query}`)).json.data as {
        readonly id: string;
        readonly at: string;
        readonly actor: string;
        readonly actorName?: string;
        readonly action: string;
      }[];
    // By their ids: how often an event was repeated is counted a moment later.
    const idsOf = (found: Awaited<ReturnType<typeof events>>) => found.map(({ id }) => id);
    const all = await events('');
    const [created] = all.filter(({ action }) => action === 'token-created');
    const [at, actor] = [created?.at ?? '', created?.actor ?? ''];

    expect(created).toMatchObject({ actor: expect.stringMatching(/^user:/), actorName: expect.any(String) });
    expect(idsOf(await events(`&actor=${actor}&action=token-created`))).toEqual(
      idsOf(all.filter((event) => event.actor === actor && event.action === 'token-created')),
    );
    expect(idsOf(await events(`&from=${at}`))).toEqual(idsOf(all.filter((event) => event.at >= at)));
    expect(idsOf(await events(`&to=${at}`))).toEqual(idsOf(all.filter((event) => event.at < at)));
    expect(await events('&actor=nobody')).toEqual([]);
  });

  it.each(['user:1', 'local', 'identity-provider', 'Plugin:order'])(
    'has no actor %s for a sign-in that was refused with that login',
    async (login) => {
      await expect(signIn(host.address, login, 'wrong')).resolves.toMatchObject({ status: 401 });

      const { json } = await asAnn('GET', '/api/platform/audit?action=sign-in-refused&limit=1');

      expect(json.data).toMatchObject([{ actor: 'anonymous', subject: `login:${login.toLowerCase()}`, count: 1 }]);
      expect(json.data[0]).not.toHaveProperty('actorName');
    },
  );

  it.each([
    ['actor=%00', 'actor: VALUE_INVALID'],
    ['action=%00', 'action: VALUE_INVALID'],
    ['from=yesterday', 'from: WRONG_TYPE'],
    ['to=2026-02-30T00:00', 'to: WRONG_TYPE'],
    ['from=2026-13-01', 'from: WRONG_TYPE'],
  ])('refuses the filter %s of the audit log', async (query, problem) => {
    const answer = await asAnn('GET', `/api/platform/audit?${query}`);

    expect([answer.status, answer.json.error.code, problemsOf(answer)]).toEqual([400, 'BAD_REQUEST', [problem]]);
  });

  function asAnn(method: string, path: string, body?: object) {
    return sendAs(host.address, cookie, method, path, body);
  }

  function putPassword(own: string, body: object) {
    return sendJson(host.address, 'PUT', '/api/platform/account/password', body, fromPage(host.address, own));
  }

  async function sessionStatus(own: string): Promise<number> {
    return (await send(host.address, '/api/cms/items/types', { headers: { cookie: own } })).status;
  }

  /** Sends with an API token that may change users, roles and tokens, and is limited to these roles. */
  async function managingToken(as: typeof asAnn, roles: readonly string[]) {
    const wanted = { name: 'manager', expiresInDays: 10, roles, managesAccounts: true };
    const { json } = await as('POST', '/api/platform/account/tokens', wanted);
    const headers = { authorization: `Bearer ${(json.data as { readonly token: string }).token}` };
    return (method: string, path: string, body?: object) => sendJson(host.address, method, path, body, headers);
  }

  async function tokenStatus(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await send(host.address, '/api/cms/items/types', { headers })).status;
  }
}
