import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { startTestHost, type TestHost } from '../../support/platform';
import { send, sendJson } from '../../support/rest-client';
import { adminPlugins } from '../admin/support/content';
import { cookieOf, createUsers, sendAs, untilSignInIsRequired, useLink } from './support/accounts';
import {
  configureProvider,
  createJar,
  refusalOf,
  removeProvider,
  signInByProvider,
  startIdentityProvider,
  toCallback,
  visit,
  type IdentityProvider,
} from './support/identity-provider';

const secretKey = randomBytes(32).toString('base64');
const start = '/api/platform/oidc/start';

describe('the settings of sign-in by an identity provider', () => {
  let database: TestDatabase;
  let provider: IdentityProvider;
  const hosts: TestHost[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    provider = await startIdentityProvider({ redirectUris: [] });
  });
  afterEach(async () => {
    for (const host of hosts.splice(0)) await host.stop();
    await provider.close();
    await database.drop();
  });

  const startHost = async (
    environment: Readonly<Record<string, string>> = {},
    plugins: readonly string[] = ['plugins/articles'],
  ): Promise<TestHost> => {
    const host = await startTestHost({
      plugins,
      databaseUrl: database.url,
      environment: { GANTRY_SECRET_KEY: secretKey, ...environment },
    });
    hosts.push(host);
    return host;
  };
  const configure = (settings: object = {}): Promise<void> =>
    configureProvider({ databaseUrl: database.url, secretKey }, { issuer: provider.issuer, ...settings });
  const nameAt = async ({ address }: TestHost): Promise<unknown> =>
    (await send(address, '/api/platform/session')).json.data.identityProvider;

  it('are effective in every process within 5 seconds', async () => {
    const [one, other] = [await startHost(), await startHost()];
    expect((await send(one.address, start)).status).toBe(409);
    await configure();
    for (const host of [one, other]) {
      await eventually(async () => (await nameAt(host)) !== null, 5_000, 'the name is shown');
      await untilSignInIsRequired(host.address);
    }
    await configure({ name: 'Another name' });

    for (const host of [one, other]) {
      await eventually(
        async () => JSON.stringify(await nameAt(host)) === '{"name":"Another name"}',
        5_000,
        'the other name is shown',
      );
    }
  });

  it('end the sessions of the provider when they are removed', async () => {
    const host = await startHost();
    await provider.close();
    provider = await startIdentityProvider({ redirectUris: [`${host.address}/api/platform/oidc/callback`] });
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['admins'] });
    await configure();
    await untilSignInIsRequired(host.address);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'ann'));
    expect((await sendAs(host.address, session, 'GET', '/api/platform/users')).status).toBe(200);

    await removeProvider({ databaseUrl: database.url, secretKey });

    await eventually(
      async () => (await sendAs(host.address, session, 'GET', '/api/platform/users')).status === 401,
      5_000,
      'the session has ended',
    );
    expect(refusalOf(await send(host.address, start))).toBe('not-configured');
    const [secret = ''] = await createUsers(database.url, ['ann@example.com']);
    const withPassword = await useLink(host.address, secret);
    const { json } = await sendAs(host.address, withPassword, 'GET', '/api/platform/users');
    expect(json.data).toMatchObject([{ login: 'ann@example.com', hasPassword: true, identityProvider: null }]);
  });

  it('of another provider end the sessions of the former one, and sign-ins that wait for it', async () => {
    const host = await startHost();
    const redirectUris = [`${host.address}/api/platform/oidc/callback`];
    const former = await startIdentityProvider({ redirectUris });
    former.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['admins'] });
    await configure({ issuer: former.issuer });
    await untilSignInIsRequired(host.address);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'ann'));
    const jar = createJar();
    const waiting = await toCallback(jar, host.address, 'ann');

    await configure();

    expect(refusalOf(await visit(jar, waiting))).toBe('expired');
    await eventually(
      async () => (await sendAs(host.address, session, 'GET', '/api/platform/users')).status === 401,
      5_000,
      'the session has ended',
    );
    await former.close();
  });

  describe('that change during a sign-in', () => {
    const platform = () => ({ databaseUrl: database.url, secretKey });
    const admins = { email: 'ann@example.com', email_verified: true, groups: ['admins'] };
    let host: TestHost;
    let client: Client;
    let locking: Client;

    beforeEach(async () => {
      host = await startHost();
      await provider.close();
      provider = await startIdentityProvider({ redirectUris: [`${host.address}/api/platform/oidc/callback`] });
      provider.people.set('ann', admins);
      await configure();
      await untilSignInIsRequired(host.address);
      [client, locking] = [1, 2].map(() => new Client({ connectionString: database.url })) as [Client, Client];
      await Promise.all([client.connect(), locking.connect()]);
    });
    afterEach(() => Promise.all([client.end(), locking.end()]));

    it('leave no session when they are removed while it is being opened', async () => {
      const jar = createJar();
      const callback = await toCallback(jar, host.address, 'ann');
      // The sign-in stops where it notes that it has created the account.
      await locking.query('BEGIN; LOCK TABLE gantry_audit_event IN SHARE MODE');
      const signingIn = visit(jar, callback);
      await untilWaiting("query LIKE '%gantry_audit_event%'");
      let isRemoved = false;
      const removing = removeProvider(platform()).then(() => (isRemoved = true));
      await eventually(async () => isRemoved || (await isWaiting("wait_event = 'advisory'")));
      await locking.query('COMMIT');
      const [answer] = await Promise.all([signingIn, removing]);

      const cookie = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
      expect((await sendAs(host.address, cookie, 'GET', '/api/platform/users')).status).toBe(401);
      expect((await client.query('SELECT FROM gantry_session')).rowCount).toBe(0);
    });

    it.each([
      ['removed', () => removeProvider(platform()), 'expired', 0],
      ['replaced by another provider', () => useAnotherProvider(), 'expired', 0],
      [
        'set with another role for the group',
        () => configure({ roles: [{ group: 'admins', role: 'reader' }] }),
        undefined,
        1,
      ],
    ] as const)('decide when they are %s before the provider answers', async (_how, change, refusal, sessions) => {
      const jar = createJar();
      const callback = await toCallback(jar, host.address, 'ann');
      const token = new EventEmitter();
      provider.faults.delayed = {
        path: '/token',
        until: async () => {
          const released = once(token, 'released');
          token.emit('requested');
          await released;
        },
      };
      const requested = once(token, 'requested');
      const signingIn = visit(jar, callback);
      await requested;
      await change();
      token.emit('released');

      expect(refusalOf(await signingIn)).toBe(refusal);
      expect((await client.query('SELECT FROM gantry_session')).rowCount).toBe(sessions);
      const { rows } = await client.query("SELECT roles FROM gantry_user WHERE 'administrator' = ANY (roles)");
      expect(rows).toEqual([]);
    });

    async function useAnotherProvider(): Promise<void> {
      const other = await startIdentityProvider({ redirectUris: [] });
      await configure({ issuer: other.issuer });
      await other.close();
    }

    async function isWaiting(condition: string): Promise<boolean> {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND ${condition}`,
      );
      return rowCount !== 0;
    }

    const untilWaiting = (condition: string): Promise<void> => eventually(() => isWaiting(condition));
  });

  it('send the client secret in the body to a provider that takes it only there', async () => {
    const host = await startHost();
    await provider.close();
    provider = await startIdentityProvider({
      redirectUris: [`${host.address}/api/platform/oidc/callback`],
      secretInBody: true,
    });
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['admins'] });
    await configure();
    await untilSignInIsRequired(host.address);

    const answer = await signInByProvider(createJar(), host.address, 'ann');

    expect(refusalOf(answer)).toBeUndefined();
    expect(cookieOf(answer)).toContain('gantry-');
  });

  it('give what was stored on the open platform to the first administrator who signs in', async () => {
    const host = await startHost({}, adminPlugins);
    const views = { version: null, value: { views: [{ id: 'v', name: 'Mine', parameters: '' }] } };
    await sendJson(host.address, 'PUT', '/admin/api/preferences/list.article', views);
    await provider.close();
    provider = await startIdentityProvider({ redirectUris: [`${host.address}/api/platform/oidc/callback`] });
    provider.people.set('bob', { email: 'bob@example.com', email_verified: true, groups: ['staff'] });
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['admins'] });
    const roles = [
      { group: 'admins', role: 'administrator' },
      { group: 'staff', role: 'reader' },
    ];
    await configure({ roles });
    await untilSignInIsRequired(host.address);
    const bob = cookieOf(await signInByProvider(createJar(), host.address, 'bob'));
    const ann = cookieOf(await signInByProvider(createJar(), host.address, 'ann'));
    const stored = async (session: string): Promise<readonly unknown[]> =>
      (await sendAs(host.address, session, 'GET', '/admin/api/preferences')).json.data;

    await eventually(async () => (await stored(ann)).length === 1, 10_000, 'the views belong to the administrator');

    expect(await stored(bob)).toEqual([]);
  });

  it('let an exposed platform start, with the public address for the way back', async () => {
    await configure();
    const host = await startHost({ GANTRY_PUBLIC_URL: 'https://cms.example.com', GANTRY_TRUSTED_PROXIES: '127.0.0.1' });

    const { headers } = await send(host.address, start, {
      headers: { host: 'cms.example.com', 'x-forwarded-host': 'evil.example' },
    });

    expect(new URL(headers.location ?? '').searchParams.get('redirect_uri')).toBe(
      'https://cms.example.com/api/platform/oidc/callback',
    );
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-gantry-provider=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  it('say that the provider does not answer, and use it as soon as it does', async () => {
    await configure();
    const host = await startHost();
    provider.faults.failing = { path: '/.well-known/openid-configuration', how: 'error' };
    expect(refusalOf(await send(host.address, start))).toBe('provider-unavailable');
    provider.faults.failing = { path: '/.well-known/openid-configuration', how: 'silence' };
    expect(refusalOf(await send(host.address, start))).toBe('provider-unavailable');
    provider.faults.failing = undefined;

    expect((await send(host.address, start)).headers.location).toContain(`${provider.issuer}/auth?`);
  });

  it('say that the provider cannot be reached', async () => {
    await configure();
    const host = await startHost();
    await provider.close();

    const answer = await send(host.address, `${start}?returnTo=/admin/plugins`);

    expect([answer.status, answer.headers.location]).toEqual([
      303,
      '/admin/plugins#sign-in-refused=provider-unavailable',
    ]);
    provider = await startIdentityProvider({ redirectUris: [] });
  });

  it('say in the log that another key has encrypted the client secret', async () => {
    await configure();
    const host = await startHost({ GANTRY_SECRET_KEY: randomBytes(32).toString('base64') });

    expect(refusalOf(await send(host.address, start))).toBe('unavailable');

    await eventually(() => host.output().includes('The client secret of the identity provider cannot be decrypted'));
  });

  it('refuse a provider that would send browsers or codes without TLS', async () => {
    const server = createServer((_request, response) => {
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const endpoints = { authorization_endpoint: `${issuer}/auth`, jwks_uri: `${issuer}/jwks` };
      const token_endpoint = 'http://evil.example/token';
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ issuer, ...endpoints, token_endpoint }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    await expect(configure({ issuer })).rejects.toThrow('The provider names an address without https.');

    server.close();
    server.closeAllConnections();
  });
});
