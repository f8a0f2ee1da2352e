import { Client } from 'pg';
import { parseConfig } from '@gantry/host/config';
import { createStderrLogger, openIdentity, type Identity } from '@gantry/host/open-identity';
import type { TestHost } from '../../../support/platform';
import { sendJson } from '../../../support/rest-client';
import { createPerson, password, sendAs, setUpTotp, useLink } from '../support/accounts';

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** On a host with the plugin catalog, as an administrator. */
export function testLastingRights(host: TestHost, administrator: () => string): void {
  let database: Client;
  let ann = '';
  let count = 0;

  afterAll(() => database.end());

  beforeAll(async () => {
    database = new Client({ connectionString: host.databaseUrl });
    await database.connect();
    ann = administrator();
    await as(ann, 'POST', '/api/platform/roles', { name: 'helper', permissions: ['users.manage'] });
    await as(ann, 'POST', '/api/platform/users', { kind: 'service', login: 'shop', roles: ['reader'] });
    await as(ann, 'POST', '/api/platform/users', { kind: 'service', login: 'robot', roles: ['administrator'] });
  });

  const lasting = async (session: string): Promise<readonly Write[]> => [
    {
      method: 'POST',
      path: '/api/platform/users',
      body: { kind: 'person', login: 'late@example.com', roles: ['reader'] },
    },
    { method: 'PATCH', path: `/api/platform/users/${await idOf('shop')}`, body: { roles: ['administrator'] } },
    { method: 'DELETE', path: `/api/platform/users/${await idOf('shop')}`, body: {} },
    { method: 'POST', path: `/api/platform/users/${await idOf('shop')}/tokens`, body: { name: 'late' } },
    { method: 'DELETE', path: `/api/platform/tokens/${await tokenOf('shop')}`, body: {} },
    { method: 'POST', path: '/api/platform/roles', body: { name: 'late', permissions: ['users.manage'] } },
    { method: 'PUT', path: '/api/platform/roles/helper', body: { permissions: ['users.manage', 'audit.read'] } },
    { method: 'DELETE', path: '/api/platform/roles/unused', body: {} },
    ...(await ofAccount(session)),
  ];

  const ofAccount = async (session: string): Promise<readonly Write[]> => [
    { method: 'POST', path: '/api/platform/account/tokens', body: { name: 'late' } },
    { method: 'POST', path: '/api/platform/account/totp', body: { currentPassword: password } },
    {
      method: 'PUT',
      path: '/api/platform/account/password',
      body: { currentPassword: password, newPassword: 'another pass phrase' },
    },
    { method: 'DELETE', path: '/api/platform/account/totp', body: { currentPassword: password } },
    { method: 'DELETE', path: `/api/platform/account/tokens/${await ownTokenOf(session)}`, body: {} },
  ];

  const packages = [
    { path: '/api/platform/plugins/install', body: { package: '@acme/boats' } },
    { path: '/api/platform/plugins/install?check=true', body: { package: '@acme/boats' } },
    { path: '/api/platform/plugins/catalog/upgrade', body: { package: 'x' } },
    { path: '/api/platform/plugins/catalog/uninstall', body: {} },
  ];

  it('packages are for administrators, not for all who may enable plugins', async () => {
    await as(ann, 'POST', '/api/platform/roles', { name: 'switcher', permissions: ['plugins.change'] });
    const session = await createPerson(host.address, ann, 'switcher@example.com', ['switcher']);

    expect((await as(session, 'POST', '/api/platform/plugins/nothing/check', {})).status).toBe(404);
    for (const { path, body } of packages) {
      expect([path, (await as(session, 'POST', path, body)).status]).toEqual([path, 403]);
    }
  });

  it('packages are brought by an API token only that may change accounts, which their code could do', async () => {
    const tokenOfAnn = async (more: object) => {
      const { json } = await as(ann, 'POST', '/api/platform/account/tokens', { name: 'packages', ...more });
      return { authorization: `Bearer ${json.data.token}` };
    };
    const [plain, managing] = [await tokenOfAnn({}), await tokenOfAnn({ managesAccounts: true })];
    // No code comes by it.
    const isUninstall = ({ path }: { readonly path: string }): boolean => path.endsWith('/uninstall');
    const bringing = packages.filter((one) => !isUninstall(one));

    for (const { path, body } of bringing) {
      const { status, json } = await sendJson(host.address, 'POST', path, body, plain);
      expect([path, status, json.error.message]).toEqual([path, 403, expect.stringContaining('managesAccounts')]);
      // The body is wrong, so that nothing is fetched.
      expect((await sendJson(host.address, 'POST', path, { wrong: true }, managing)).status).toBe(400);
    }
    for (const { path, body } of packages.filter(isUninstall)) {
      expect((await sendJson(host.address, 'POST', path, body, plain)).status).not.toBe(403);
    }
  });

  describe('is not made by one whose rights were taken away a moment ago', () => {
    it.each([
      ['is demoted', { roles: ['reader'] }, 403],
      ['is disabled', { isEnabled: false }, 401],
    ])('when the user %s by another process', async (_how, change, status) => {
      const { login, session } = await administratorWithEverything();
      const writes = await lasting(session);
      const before = await everything();
      // As another process does it, which this one learns of after seconds.
      await withIdentity(async ({ users }) => users.update(await idOf(login), change));
      const isManaged = ({ path }: Write): boolean => !path.includes('/account/');

      for (const write of writes.filter((one) => isManaged(one) || status === 401)) {
        const answer = await as(session, write.method, write.path, write.body);
        expect([write.method, write.path, answer.status]).toEqual([write.method, write.path, status]);
      }
      const after = await everything();
      expect(after.gantry_api_token).toEqual(before.gantry_api_token);
      expect(after.gantry_role).toEqual(before.gantry_role);
      expect(after.gantry_user?.map(withoutRights)).toEqual(before.gantry_user?.map(withoutRights));
    });

    it('when it is a plugin that is enabled or disabled', async () => {
      const { login, session } = await administratorWithEverything();
      await withIdentity(async ({ users }) => users.update(await idOf(login), { roles: ['reader'] }));

      for (const action of ['disable', 'enable']) {
        expect((await as(session, 'POST', `/api/platform/plugins/catalog/${action}`, {})).status).toBe(403);
      }
    });

    it('when it is a package that is fetched, installed, upgraded or uninstalled', async () => {
      const { login, session } = await administratorWithEverything();
      await withIdentity(async ({ users }) => users.update(await idOf(login), { roles: ['reader'] }));

      for (const { path, body } of packages) {
        expect([path, (await as(session, 'POST', path, body)).status]).toEqual([path, 403]);
      }
    });

    it('when the session is ended by another process', async () => {
      const { login, session } = await administratorWithEverything();
      const writes = await lasting(session);
      await withIdentity(async ({ sessions }) => sessions.removeOthers(await idOf(login), undefined));
      const before = await everything();

      for (const { method, path, body } of writes) {
        expect([method, path, (await as(session, method, path, body)).status]).toEqual([method, path, 401]);
      }
      expect(await everything()).toEqual(before);
    });
  });

  it('is not made where the audit log cannot be written', async () => {
    const { session } = await administratorWithEverything();
    const writes = (await lasting(session)).filter(({ method, path }) => method !== 'POST' || !path.endsWith('/totp'));
    const before = await everything();
    await database.query(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no audit'; END $$`);
    await database.query(`CREATE TRIGGER refuse_audit BEFORE INSERT ON gantry_audit_event
      FOR EACH ROW EXECUTE FUNCTION refuse_audit()`);
    try {
      for (const { method, path, body } of writes) {
        expect([method, path, (await as(session, method, path, body)).status]).toEqual([method, path, 500]);
      }
      const signedIn = await as('', 'POST', '/api/platform/session', { login: 'ann@example.com', password });
      expect(signedIn.status).toBe(500);
    } finally {
      await database.query('DROP FUNCTION refuse_audit CASCADE');
    }
    expect(await everything()).toEqual(before);
    expect((await as(session, 'GET', '/api/platform/users')).status).toBe(200);
  });

  it('is not made by a browser that sees the pages as another role', async () => {
    const { session } = await administratorWithEverything();
    const { headers } = await as(session, 'PUT', '/api/platform/view-as', { roles: ['reader'] });
    const viewing = [session, headers['set-cookie']?.[0]?.split(';')[0] ?? ''].join('; ');
    const before = await everything();

    for (const { method, path, body } of await ofAccount(session)) {
      if (path.includes('/account/tokens/')) continue;
      expect([method, path, (await as(viewing, method, path, body)).status]).toEqual([method, path, 403]);
    }
    expect(await everything()).toEqual(before);
  });

  it('is noted with the owner of the token', async () => {
    const created = await as(ann, 'POST', `/api/platform/users/${await idOf('shop')}/tokens`, { name: 'nightly' });
    const { id } = created.json.data as { readonly id: string };
    await as(ann, 'DELETE', `/api/platform/tokens/${id}`, {});

    const { json } = await as(ann, 'GET', '/api/platform/audit?limit=10');
    const owner = { user: `user:${await idOf('shop')}`, login: 'shop', name: 'nightly' };
    const events = (json.data as readonly { readonly subject: string }[]).filter(
      ({ subject }) => subject === `token:${id}`,
    );
    expect(events).toMatchObject([
      { action: 'token-revoked', detail: owner },
      { action: 'token-created', detail: owner },
    ]);
  });

  it('is no token of an administrator for one who manages users', async () => {
    const helper = await createPerson(host.address, ann, `helper${(count += 1)}@example.com`, ['helper']);
    await as(ann, 'POST', `/api/platform/users/${await idOf('robot')}/tokens`, { name: 'robot' });
    const path = `/api/platform/tokens/${await tokenOf('robot')}`;

    expect((await as(helper, 'DELETE', path, {})).status).toBe(403);
    expect((await as(ann, 'DELETE', path, {})).status).toBe(204);
  });

  it('is no one-time link for a role that its user got later', async () => {
    const login = `invited${(count += 1)}@example.com`;
    const invited = await as(ann, 'POST', '/api/platform/users', { kind: 'person', login, roles: ['reader'] });
    const secret = (invited.json.data.link as string).split('#')[1] ?? '';
    const path = `/api/platform/users/${invited.json.data.id as string}`;
    await as(ann, 'PATCH', path, { displayName: 'Invited' });
    await as(ann, 'PATCH', path, { roles: ['reader', 'administrator'] });

    await expect(useLink(host.address, secret)).rejects.toThrow('401');
  });

  it.each(['', '..', '%00', 'reader; $name=administrator'])(
    'has no rights in a browser whose cookie of tried roles cannot be read: "%s"',
    async (value) => {
      const { headers } = await as(ann, 'PUT', '/api/platform/view-as', { roles: ['reader'] });
      const [name = ''] = String(headers['set-cookie']).split('=');
      const viewed = `${ann}; ${name}=${value.replace('$name', name)}`;

      expect((await as(viewed, 'GET', '/api/platform/users')).status).toBe(403);
      expect((await as(viewed, 'DELETE', '/api/platform/view-as', {})).status).toBe(204);
    },
  );

  it('is no administrator who cannot sign in as the last one', async () => {
    const invited = { kind: 'person', login: `invited${(count += 1)}@example.com`, roles: ['administrator'] };
    await as(ann, 'POST', '/api/platform/users', invited);
    // Apart from ann and the invited one.
    await database.query("UPDATE gantry_user SET is_enabled = false WHERE login LIKE 'person%'");
    const path = `/api/platform/users/${await idOf('ann@example.com')}`;

    for (const [method, body] of [
      ['PATCH', { roles: ['reader'] }],
      ['PATCH', { isEnabled: false }],
      ['DELETE', {}],
    ] as const) {
      const refused = await as(ann, method, path, body);
      expect(refused).toMatchObject({ status: 409, json: { error: { message: expect.stringContaining('sign in') } } });
    }
    const bob = await createPerson(host.address, ann, `bob${(count += 1)}@example.com`, ['administrator']);
    await expect(as(bob, 'PATCH', path, { roles: ['reader'] })).resolves.toMatchObject({ status: 200 });
    await as(bob, 'PATCH', path, { roles: ['administrator'] });
  });

  const as = (session: string, method: string, path: string, body?: unknown) =>
    sendAs(host.address, session, method, path, body);

  /** An administrator with an API token and an authenticator app, whose session this process has just read. */
  async function administratorWithEverything() {
    const login = `person${(count += 1)}@example.com`;
    const session = await createPerson(host.address, ann, login, ['administrator']);
    await as(session, 'POST', '/api/platform/account/tokens', { name: 'own' });
    await as(ann, 'POST', `/api/platform/users/${await idOf('shop')}/tokens`, { name: 'shop' });
    await as(ann, 'POST', '/api/platform/roles', { name: 'unused' });
    await setUpTotp(host.address, session, password);
    await as(session, 'GET', '/api/platform/users');
    return { login, session };
  }

  async function idOf(login: string): Promise<string> {
    const { rows } = await database.query('SELECT id::text FROM gantry_user WHERE login = $1', [login]);
    return (rows[0] as { readonly id: string }).id;
  }

  async function tokenOf(login: string): Promise<string> {
    const { rows } = await database.query(
      'SELECT public_id AS id FROM gantry_api_token WHERE user_id = $1 ORDER BY id LIMIT 1',
      [await idOf(login)],
    );
    return (rows[0] as { readonly id: string }).id;
  }

  async function ownTokenOf(session: string): Promise<string> {
    const { json } = await as(session, 'GET', '/api/platform/account/tokens');
    return (json.data as readonly { readonly id: string }[])[0]?.id ?? '';
  }

  /** All rows but for times, attempts and the audit log. */
  async function everything(): Promise<Readonly<Record<string, readonly Record<string, unknown>[]>>> {
    const tables = [
      'user',
      'role',
      'api_token',
      'one_time_link',
      'totp',
      'passkey',
      'recovery_code',
      'session',
      'setting',
    ];
    const found: Record<string, readonly Record<string, unknown>[]> = {};
    for (const table of tables) {
      const { rows } = await database.query(
        `SELECT to_jsonb(t) - 'last_seen_at' - 'presence_at' - 'updated_at' - 'last_used_at' - 'last_step' AS row
         FROM gantry_${table} t ORDER BY id`,
      );
      found[`gantry_${table}`] = rows.map(({ row }: { readonly row: Record<string, unknown> }) => row);
    }
    return found;
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

/** A user without the members that the test itself has changed. */
function withoutRights({ roles: _roles, is_enabled: _isEnabled, ...user }: Record<string, unknown>) {
  return user;
}
