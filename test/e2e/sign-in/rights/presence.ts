import { Client } from 'pg';
import { parseConfig } from '@gantry/host/config';
import { createStderrLogger, openIdentity, type Identity } from '@gantry/host/open-identity';
import type { TestHost } from '../../../support/platform';
import { openConnection } from '../../../support/raw-connection';
import { sendJson, type Answer } from '../../../support/rest-client';
import { cookieOf, createPerson, password, sendAs, setUpTotp } from '../support/accounts';
import { setUpPasskey } from '../support/passkeys';

/**
 * Proofs of a request beyond its session. `presence`: what it makes outlasts the session; `password`: the body has the
 * current one; `proof`: it is itself a proof; `none`: it takes access away, or is about no access.
 */
type Kind = 'presence' | 'password' | 'proof' | 'none';

/** Every route of the platform that changes something; those of a type once for all types. Routes of plugins are about no access. */
const kinds: Readonly<Record<string, Kind>> = {
  'POST /api/cms/search': 'none',
  'POST /api/cms/items/{type}': 'none',
  'POST /api/cms/items/{type}/list': 'none',
  'POST /api/cms/items/{type}/search': 'none',
  'PATCH /api/cms/items/{type}/{id}': 'none',
  'PUT /api/cms/items/{type}/{id}': 'none',
  'DELETE /api/cms/items/{type}/{id}': 'none',
  'POST /api/cms/items/{type}/{id}/restore': 'none',
  'POST /api/cms/imports/{type}': 'none',
  'POST /api/cms/exports/{type}': 'none',
  'POST /api/platform/plugins/{id}/check': 'none',
  'POST /api/platform/plugins/{id}/enable': 'none',
  'POST /api/platform/plugins/{id}/disable': 'none',
  'POST /api/platform/plugins/install': 'presence',
  'POST /api/platform/plugins/{id}/upgrade': 'presence',
  'POST /api/platform/plugins/{id}/uninstall': 'none',
  'PATCH /api/platform/plugins/{id}/settings': 'presence',
  'POST /api/platform/session': 'proof',
  'DELETE /api/platform/session': 'none',
  'POST /api/platform/one-time-links': 'proof',
  'POST /api/platform/account/passkey-registration': 'password',
  'POST /api/platform/account/passkeys': 'presence',
  'PATCH /api/platform/account/passkeys/{id}': 'none',
  'DELETE /api/platform/account/passkeys/{id}': 'password',
  'PUT /api/platform/account/password': 'password',
  'POST /api/platform/account/presence': 'proof',
  'DELETE /api/platform/account/sessions/{id}': 'none',
  'POST /api/platform/account/totp': 'password',
  'PUT /api/platform/account/totp': 'presence',
  'DELETE /api/platform/account/totp': 'password',
  'POST /api/platform/account/tokens': 'presence',
  'DELETE /api/platform/account/tokens/{id}': 'none',
  'POST /api/platform/users': 'presence',
  'PATCH /api/platform/users/{id}': 'presence',
  'DELETE /api/platform/users/{id}': 'none',
  'POST /api/platform/users/{id}/one-time-link': 'presence',
  'POST /api/platform/users/{id}/tokens': 'presence',
  'POST /api/platform/roles': 'presence',
  'PATCH /api/platform/roles': 'presence',
  'PUT /api/platform/roles/{name}': 'presence',
  'DELETE /api/platform/roles/{name}': 'none',
  'PUT /api/platform/view-as': 'none',
  'DELETE /api/platform/view-as': 'none',
  'DELETE /api/platform/tokens/{id}': 'none',
  'POST /api/platform/webhooks': 'presence',
  'PATCH /api/platform/webhooks/{id}': 'presence',
  'DELETE /api/platform/webhooks/{id}': 'none',
  'POST /api/platform/webhooks/{id}/secret': 'presence',
  'POST /api/platform/webhooks/{id}/test': 'none',
  'POST /api/platform/webhooks/{id}/pause': 'none',
  'POST /api/platform/webhooks/{id}/resume': 'none',
  'POST /api/platform/webhooks/{id}/retry': 'none',
  'POST /api/platform/webhooks/{id}/discard': 'none',
  'POST /api/platform/webhooks/{id}/replay': 'none',
  'DELETE /api/platform/subscriptions/{plugin}/{name}': 'none',
  'POST /api/platform/subscriptions/{plugin}/{name}/pause': 'none',
  'POST /api/platform/subscriptions/{plugin}/{name}/resume': 'none',
  'POST /api/platform/subscriptions/{plugin}/{name}/retry': 'none',
  'POST /api/platform/subscriptions/{plugin}/{name}/discard': 'none',
  'POST /api/platform/subscriptions/{plugin}/{name}/replay': 'none',
};

/** They would end the session of the test, or let it see the pages as somebody else. */
const notSent: ReadonlySet<string> = new Set(['DELETE /api/platform/session', 'PUT /api/platform/view-as']);

const presencePath = '/api/platform/account/presence';
const tokensPath = '/api/platform/account/tokens';
const webhookBody = { name: 'Copy', url: 'https://example.com/' };

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly name: string;
}

/** On a host with the content plugins, as an administrator. */
export function testPresence(host: TestHost, administrator: () => string): void {
  const login = 'person-present@example.com';
  let database: Client;
  let session = '';
  let operations: readonly Operation[] = [];

  beforeAll(async () => {
    database = new Client({ connectionString: host.databaseUrl });
    await database.connect();
    session = await createPerson(host.address, administrator(), login, ['administrator']);
    operations = operationsOf((await as('GET', '/api/openapi.json')).json.paths);
  });
  afterAll(() => database.end());

  const as = (method: string, path: string, body?: unknown): Promise<Answer> =>
    sendAs(host.address, session, method, path, body);
  const prove = (proof: object): Promise<Answer> => as('POST', presencePath, proof);
  /** Of all sessions of the person. */
  const age = (minutes: number) =>
    database.query(
      `UPDATE gantry_session SET presence_at = now() - make_interval(mins => $1)
       WHERE user_id = (SELECT id FROM gantry_user WHERE login = $2)`,
      [minutes, login],
    );
  const codesOf = async (wanted: readonly Operation[]): Promise<Readonly<Record<string, string | undefined>>> => {
    const codes: Record<string, string | undefined> = {};
    for (const { name, method, path } of wanted) {
      const answer = await as(method, path.replaceAll(/\{\w+\}/g, '999999'), {});
      codes[name] = answer.json?.error?.code as string | undefined;
    }
    return codes;
  };
  const ofKind = (...wanted: readonly Kind[]): readonly Operation[] =>
    operations.filter(({ name }) => !notSent.has(name) && wanted.includes(kinds[name] ?? 'proof'));

  it('is classified for every route that changes something', () => {
    const found = operations.map(({ name }) => name);

    expect(found.filter((name) => kinds[name] === undefined)).toEqual([]);
    expect(Object.keys(kinds).filter((name) => !found.includes(name))).toEqual([]);
  });

  it('of 11 minutes ago is not enough for what outlasts the session', async () => {
    await age(11);

    const codes = await codesOf(ofKind('presence'));

    expect(Object.keys(codes).length).toBeGreaterThan(10);
    expect(new Set(Object.values(codes))).toEqual(new Set(['PRESENCE_REQUIRED']));
    const others = await codesOf(ofKind('none', 'password'));
    expect(Object.entries(others).filter(([, code]) => code === 'PRESENCE_REQUIRED')).toEqual([]);
    expect(await codesOf(ofKind('password'))).toEqual(
      Object.fromEntries(ofKind('password').map(({ name }) => [name, 'VALIDATION_FAILED'])),
    );
  });

  it('is a password, after which each of these requests gets to its handler', async () => {
    await age(11);

    const asked = await prove({});
    const proven = await prove({ password });

    expect(asked).toMatchObject({
      status: 403,
      json: { error: { code: 'PRESENCE_REQUIRED', presence: { proofs: ['password'] } } },
    });
    expect(proven).toMatchObject({ status: 200, json: { data: { provenUntil: expect.any(String) } } });
    const codes = await codesOf(ofKind('presence'));
    expect(Object.values(codes).filter((code) => code === undefined || code === 'PRESENCE_REQUIRED')).toEqual([]);
    const { json } = await as('GET', '/api/platform/audit?action=presence-proven');
    expect(json.data[0]).toMatchObject({ actor: json.data[0].subject });
  });

  it('is asked for again in the transaction of the change', async () => {
    const { rows } = await database.query<{ readonly id: string; readonly userId: string }>(
      `SELECT s.id::text, u.id::text AS "userId" FROM gantry_session s JOIN gantry_user u ON u.id = s.user_id WHERE login = $1`,
      [login],
    );
    const [{ id: sessionId, userId: id } = { id: '', userId: '' }] = rows;
    await age(11);

    await withIdentity(async (identity) => {
      const rights = identity.roles.rightsOf(['administrator']);
      const principal = { kind: 'person', id, name: login, login, rights, sessionId } as const;
      const author = { actor: `user:${id}`, address: '', principal };
      const late = identity.change({ ...author, needsPresence: true }, ({ roles }) => roles.list());

      await expect(late).rejects.toMatchObject({ code: 'PRESENCE_REQUIRED' });
      await expect(identity.change(author, ({ roles }) => roles.list())).resolves.toEqual(expect.any(Array));
    });
  });

  it('is asked for again when a package has arrived, as that takes time', async () => {
    await prove({ password });
    const connection = await openConnection(host.port);
    const head = [
      'Content-Type: application/gzip',
      `Origin: ${host.address}`,
      'Content-Length: 6',
      `Cookie: ${session}`,
      'Connection: close',
      'Expect: 100-continue',
    ];
    const lines = ['POST /api/platform/plugins/install?name=a.tgz HTTP/1.1', `Host: 127.0.0.1:${host.port}`, ...head];
    connection.write(`${lines.join('\r\n')}\r\n\r\n`);
    await connection.until(/100 Continue/);
    await age(11);

    connection.write('abcdef');

    expect(await connection.closed()).toMatch(/HTTP\/1\.1 403 [^]*PRESENCE_REQUIRED/);
  });

  it('is the current password in the body of another request, too', async () => {
    await age(11);

    const begun = await as('POST', '/api/platform/account/totp', { currentPassword: password });

    expect(begun.status).toBe(200);
    expect((await as('POST', tokensPath, { name: 'mine' })).status).toBe(201);
  });

  it('is a code of the authenticator app, each once, or a passkey', async () => {
    const { app } = await setUpTotp(host.address, session, password);
    const { authenticator } = await setUpPasskey(host, session);
    await age(11);

    const asked = await prove({});
    const { proofs, passkey } = asked.json.error.presence;
    const wrong = await prove({ code: '000000' });
    // The code of the setup is used up.
    const code = app.generate({ timestamp: Date.now() + 30_000 });
    const [first, second] = [await prove({ code }), await prove({ code })];
    await age(11);
    const byPasskey = await prove({ passkey: authenticator.get(passkey.options) });
    const again = await prove({ passkey: authenticator.get(passkey.options) });

    expect(proofs).toEqual(['password', 'passkey', 'authenticator-app', 'recovery-code']);
    expect([wrong, first, second].map(({ status }) => status)).toEqual([403, 200, 403]);
    expect([byPasskey, again].map(({ status }) => status)).toEqual([200, 403]);
    expect((await as('POST', tokensPath, { name: 'mine' })).status).toBe(201);
    await as('DELETE', '/api/platform/account/totp', { currentPassword: password });
  });

  it('cannot be guessed by one who has taken over the session', async () => {
    const taken = await createPerson(host.address, administrator(), 'person-taken@example.com', ['reader']);
    const guess = (): Promise<Answer> => sendAs(host.address, taken, 'POST', presencePath, { password: 'a guess' });

    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await guess()).status);

    expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
    expect((await sendAs(host.address, taken, 'POST', presencePath, { password })).status).toBe(429);
  });

  describe('is replaced by an API token that was made for it', () => {
    let managing = '';
    let plain = '';

    beforeAll(async () => {
      await prove({ password });
      const tokenOf = async (more: object) =>
        (await as('POST', tokensPath, { name: 'program', ...more })).json.data.token as string;
      managing = await tokenOf({ managesAccounts: true });
      plain = await tokenOf({});
    });

    const withToken = (token: string, path: string, body: object): Promise<Answer> =>
      sendJson(host.address, 'POST', path, body, { authorization: `Bearer ${token}` });

    it('webhooks are neither made nor changed by others, and name their creator', async () => {
      const refused = await withToken(plain, '/api/platform/webhooks', webhookBody);
      const created = await withToken(managing, '/api/platform/webhooks', webhookBody);
      const path = `/api/platform/webhooks/${created.json.data.id as string}`;

      expect(refused).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
      expect(created).toMatchObject({ status: 201, json: { data: { createdByName: login } } });
      const change = { authorization: `Bearer ${plain}` };
      expect((await sendJson(host.address, 'PATCH', path, { name: 'x' }, change)).status).toBe(403);
      expect((await withToken(plain, `${path}/secret`, {})).status).toBe(403);
      expect((await withToken(managing, `${path}/secret`, {})).status).toBe(200);
      expect((await as('GET', path)).json.data.createdBy).toMatch(/^user:\d+$/);
      expect((await withToken(plain, `${path}/pause`, {})).status).toBe(200);
    });

    it('webhooks are not made by one that another process has revoked a moment ago', async () => {
      const { json } = await as('POST', tokensPath, { name: 'short', managesAccounts: true });
      const { id, token } = json.data as { readonly id: string; readonly token: string };
      expect((await withToken(token, '/api/platform/webhooks', webhookBody)).status).toBe(201);

      await withIdentity(({ apiTokens }) => apiTokens.revoke(id));

      expect((await withToken(token, '/api/platform/webhooks', webhookBody)).status).toBe(401);
    });

    it('what the user has created for others is named, and outlives the user with its webhooks', async () => {
      const boss = await createPerson(host.address, administrator(), 'boss@example.com', ['administrator']);
      const byBoss = (method: string, path: string, body?: unknown): Promise<Answer> =>
        sendAs(host.address, boss, method, path, body);
      const { id } = (await byBoss('GET', '/api/platform/session')).json.data.user as { readonly id: string };
      const service = { login: 'left-behind', kind: 'service', roles: ['reader'] };
      const { id: made } = (await byBoss('POST', '/api/platform/users', service)).json.data as { readonly id: string };
      await byBoss('POST', `/api/platform/users/${made}/tokens`, { name: 'left' });
      await byBoss('POST', '/api/platform/roles', { name: 'left-role', displayName: 'Left' });
      const imported = { name: 'left-import', displayName: 'Imported' };
      await byBoss('PATCH', '/api/platform/roles', { formatVersion: 1, roles: [imported] });
      await byBoss('POST', '/api/platform/webhooks', webhookBody);
      const remaining = (): Promise<Answer> =>
        sendAs(host.address, administrator(), 'GET', `/api/platform/users/${id}/remaining`);

      expect((await remaining()).json.data).toEqual({
        tokens: [],
        webhooks: [{ id: expect.any(String), ...webhookBody }],
        created: {
          users: [{ id: made, login: 'left-behind' }],
          roles: [imported, { name: 'left-role', displayName: 'Left' }],
          tokens: [{ id: expect.any(String), name: 'left', login: 'left-behind' }],
        },
      });
      const remove = (query: string): Promise<Answer> =>
        sendAs(host.address, administrator(), 'DELETE', `/api/platform/users/${id}${query}`);
      expect((await remove('?deleteWebhooks=yes')).status).toBe(400);
      expect((await remove('?deleteWebhooks=true')).status).toBe(204);
      expect((await remaining()).status).toBe(404);
      const left = (await sendAs(host.address, administrator(), 'GET', '/api/platform/webhooks')).json
        .data as readonly {
        readonly createdBy: string;
      }[];
      expect(left.filter(({ createdBy }) => createdBy === `user:${id}`)).toEqual([]);
    });

    it('all of it is named and can be ended when the password of its user is reset', async () => {
      const { id } = (await as('GET', '/api/platform/session')).json.data.user as { readonly id: string };
      const reset = (body: object): Promise<Answer> =>
        sendAs(host.address, administrator(), 'POST', `/api/platform/users/${id}/one-time-link`, body);
      await as('DELETE', `/api/platform/account/passkeys/${await passkeyOf()}`, { currentPassword: password });

      const left = (await reset({})).json.data;
      expect(left.remaining.tokens.length).toBeGreaterThan(2);
      expect(left.remaining.webhooks).toContainEqual({ id: expect.any(String), ...webhookBody });
      const ended = (await reset({ revokeTokens: true })).json.data;
      expect(ended.remaining).toMatchObject({ tokens: [], webhooks: left.remaining.webhooks });
      const secret = (ended.link as string).split('#')[1] ?? '';
      const body = { secret, password, deleteWebhooks: true };
      const set = await sendJson(host.address, 'POST', '/api/platform/one-time-links', body);

      expect(set).toMatchObject({ status: 200, json: { data: { remaining: { tokens: [], webhooks: [] } } } });
      session = cookieOf(set);
      expect((await withToken(managing, '/api/platform/webhooks', webhookBody)).status).toBe(401);
      const webhooks = (await as('GET', '/api/platform/webhooks')).json.data as readonly {
        readonly createdBy: string;
      }[];
      expect(webhooks.filter(({ createdBy }) => createdBy === `user:${id}`)).toEqual([]);
      expect((await as('POST', `/api/platform/users/${id}/one-time-link`, {})).status).toBe(409);
    });
  });

  it('API tokens of a user that is disabled end', async () => {
    const other = await createPerson(host.address, administrator(), 'person-off@example.com', ['reader']);
    const { json } = await sendAs(host.address, other, 'POST', tokensPath, { name: 'mine' });
    const { userId, token } = json.data as { readonly userId: string; readonly token: string };
    const enable = (isEnabled: boolean): Promise<Answer> =>
      sendAs(host.address, administrator(), 'PATCH', `/api/platform/users/${userId}`, { isEnabled });

    await enable(false);
    await enable(true);

    const authorization = `Bearer ${token}`;
    expect((await sendJson(host.address, 'POST', '/api/cms/search', {}, { authorization })).status).toBe(401);
    const events = await sendAs(
      host.address,
      administrator(),
      'GET',
      '/api/platform/audit?action=token-revoked&limit=1',
    );
    expect(events.json.data[0].detail).toMatchObject({ user: `user:${userId}`, name: 'mine' });
  });

  it('names of actors are no names of service accounts', async () => {
    for (const name of ['local', 'system', 'anonymous', 'administrator', 'command', 'identity-provider', 'public']) {
      const body = { kind: 'service', login: name, roles: ['reader'] };
      const answer = await sendAs(host.address, administrator(), 'POST', '/api/platform/users', body);
      expect([name, answer.status, answer.json.error?.details?.[0]?.path]).toEqual([name, 400, 'login']);
    }
  });

  it('a browser that views the pages as a role that is gone has no rights until it ends that', async () => {
    const ann = administrator();
    await sendAs(host.address, ann, 'POST', '/api/platform/roles', { name: 'gone' });
    const answer = await sendAs(host.address, ann, 'PUT', '/api/platform/view-as', { roles: ['gone'] });
    const viewed = `${ann}; ${answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''}`;
    await sendAs(host.address, ann, 'DELETE', '/api/platform/roles/gone', {});

    for (const [method, path] of [
      ['GET', '/api/platform/users'],
      ['GET', '/api/cms/items/types'],
      ['POST', '/api/platform/account/tokens'],
      ['PUT', '/api/platform/view-as'],
    ] as const) {
      const refused = await sendAs(host.address, viewed, method, path, method === 'GET' ? undefined : { name: 'x' });
      expect([path, refused.status, refused.json.error?.code]).toEqual([path, 403, 'FORBIDDEN']);
    }
    const state = await sendAs(host.address, viewed, 'GET', '/api/platform/session');
    expect(state.json.data.user).toMatchObject({ roles: [], viewsAs: ['gone'] });
    expect((await sendAs(host.address, viewed, 'DELETE', '/api/platform/view-as', {})).status).toBe(204);
  });

  async function passkeyOf(): Promise<string> {
    const { json } = await as('GET', '/api/platform/account/passkeys');
    return (json.data.passkeys as readonly { readonly id: string }[])[0]?.id ?? '';
  }

  async function withIdentity(work: (identity: Identity) => Promise<unknown>): Promise<void> {
    const config = parseConfig({ DATABASE_URL: host.databaseUrl });
    const { identity, close } = await openIdentity(config, createStderrLogger('silent'));
    try {
      await work(identity);
    } finally {
      await close();
    }
  }
}

/** Those of the platform that change something, once for all item types. */
function operationsOf(paths: Readonly<Record<string, object>>): readonly Operation[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
  const named = all
    .filter(({ path }) => path.startsWith('/api/'))
    .map(({ method, path }) => ({
      ...{ method, path },
      name: `${method} ${path.replace(/^(\/api\/cms\/(?:items|imports|exports))\/[^/]+/, '$1/{type}')}`,
    }));
  return [...new Map(named.map((one) => [one.name, one])).values()];
}
