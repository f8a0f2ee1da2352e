import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { eventually } from '../../../support/eventually';
import { startTestHost, type TestHost } from '../../../support/platform';
import { send, sendJson } from '../../../support/rest-client';
import { adminPlugins } from '../../admin/support/content';
import { cookieOf, createUsers, sendAs, untilSignInIsRequired, useLink } from '../support/accounts';
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
  type IdentityProviderOptions,
} from '../support/identity-provider';

const start = '/api/platform/oidc/start';

/** On a host with the admin plugins that is open and trusts the proxies of this machine. */
export function testFirstSettings(host: TestHost, secretKey: string): void {
  let provider: IdentityProvider;
  let exposed: TestHost | undefined;

  beforeAll(async () => {
    provider = await startIdentityProvider({ redirectUris: [callbackOf(host)] });
  });
  afterAll(async () => {
    await exposed?.stop();
    await provider.close();
  });

  const configure = (settings: object = {}): Promise<void> =>
    configureProvider({ databaseUrl: host.databaseUrl, secretKey }, { issuer: provider.issuer, ...settings });

  it('give what was stored on the open platform to the first administrator who signs in', async () => {
    const views = { version: null, value: { views: [{ id: 'v', name: 'Mine', parameters: '' }] } };
    await sendJson(host.address, 'PUT', '/admin/api/preferences/list.article', views);
    expect((await send(host.address, start)).status).toBe(409);
    know(provider, 'reader', ['staff']);
    know(provider, 'first', ['admins']);
    const roles = [
      { group: 'admins', role: 'administrator' },
      { group: 'staff', role: 'reader' },
    ];
    await configure({ roles });
    await eventually(async () => (await nameAt(host)) !== null, 'the name is shown');
    await untilSignInIsRequired(host.address);
    const reader = cookieOf(await signInByProvider(createJar(), host.address, 'reader'));
    const first = cookieOf(await signInByProvider(createJar(), host.address, 'first'));
    const stored = async (session: string): Promise<readonly unknown[]> =>
      (await sendAs(host.address, session, 'GET', '/admin/api/preferences')).json.data;

    await eventually(async () => (await stored(first)).length === 1, 'the views belong to the administrator');

    expect(await stored(reader)).toEqual([]);
  });

  it('let an exposed platform start, with the public address for the way back', async () => {
    exposed = await startTestHost({
      plugins: adminPlugins,
      databaseUrl: host.databaseUrl,
      environment: {
        GANTRY_SECRET_KEY: secretKey,
        GANTRY_PUBLIC_URL: 'https://cms.example.com',
        GANTRY_TRUSTED_PROXIES: '127.0.0.1',
      },
    });

    const { headers } = await send(exposed.address, start, {
      headers: { host: 'cms.example.com', 'x-forwarded-host': 'evil.example' },
    });

    expect(new URL(headers.location ?? '').searchParams.get('redirect_uri')).toBe(
      'https://cms.example.com/api/platform/oidc/callback',
    );
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-gantry-provider=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  it('are effective in every process within 5 seconds', async () => {
    const processes = exposed === undefined ? [] : [host, exposed];
    expect(processes).toHaveLength(2);
    expect(await Promise.all(processes.map(nameAt))).toEqual(processes.map(() => ({ name: 'Example login' })));
    const untilShown = async (name: string | null): Promise<void> => {
      const expected = JSON.stringify(name === null ? null : { name });
      for (const process of processes) {
        await eventually(async () => JSON.stringify(await nameAt(process)) === expected, `${name} is shown`);
      }
    };

    await configure({ name: 'Another name' });
    await untilShown('Another name');
    await removeProvider({ databaseUrl: host.databaseUrl, secretKey });
    await untilShown(null);
    await configure({ name: 'The name' });
    await untilShown('The name');
  });
}

/** On a host with sign-in that trusts the proxies of this machine. */
export function testSettings(host: TestHost, secretKey: string): void {
  const platform = () => ({ databaseUrl: host.databaseUrl, secretKey });
  const providers: IdentityProvider[] = [];
  let database: Client;

  beforeAll(async () => {
    database = new Client({ connectionString: host.databaseUrl });
    await database.connect();
  });
  afterAll(() => database.end());
  afterEach(async () => {
    for (const provider of providers.splice(0)) await provider.close();
  });

  const startProvider = async (options: Partial<IdentityProviderOptions> = {}): Promise<IdentityProvider> => {
    const provider = await startIdentityProvider({ redirectUris: [callbackOf(host)], ...options });
    providers.push(provider);
    return provider;
  };
  const configure = ({ issuer }: Pick<IdentityProvider, 'issuer'>, settings: object = {}): Promise<void> =>
    configureProvider(platform(), { issuer, ...settings });
  const usersAs = (session: string) => sendAs(host.address, session, 'GET', '/api/platform/users');
  const untilEnded = (session: string): Promise<void> =>
    eventually(async () => (await usersAs(session)).status === 401, 'the session has ended');
  const begin = async (query = '') =>
    send(host.address, start + query, { headers: { 'x-forwarded-for': createJar().client } });

  it('end the sessions of the provider when they are removed', async () => {
    const provider = await startProvider();
    know(provider, 'removed', ['admins']);
    await configure(provider);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'removed'));
    expect((await usersAs(session)).status).toBe(200);

    await removeProvider(platform());

    await untilEnded(session);
    expect(refusalOf(await begin())).toBe('not-configured');
    const [secret = ''] = await createUsers(host.databaseUrl, ['removed@example.com']);
    const { json } = await usersAs(await useLink(host.address, secret));
    const users = json.data as readonly { readonly login: string }[];
    expect(users.filter(({ login }) => login === 'removed@example.com')).toMatchObject([
      { hasPassword: true, identityProvider: null },
    ]);
  });

  it('of another provider end the sessions of the former one, and sign-ins that wait for it', async () => {
    const [former, other] = [await startProvider(), await startProvider()];
    know(former, 'former', ['admins']);
    await configure(former);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'former'));
    const jar = createJar();
    const waiting = await toCallback(jar, host.address, 'former');

    await configure(other);

    expect(refusalOf(await visit(jar, waiting))).toBe('expired');
    await untilEnded(session);
  });

  it('leave no session when they are removed while it is being opened', async () => {
    const provider = await startProvider();
    know(provider, 'opening', ['admins']);
    await configure(provider);
    const locking = new Client({ connectionString: host.databaseUrl });
    await locking.connect();
    const jar = createJar();
    const callback = await toCallback(jar, host.address, 'opening');
    // The sign-in stops where it notes that it has created the account.
    await locking.query('BEGIN; LOCK TABLE gantry_audit_event IN SHARE MODE');
    const signingIn = visit(jar, callback);
    await eventually(() => isWaiting("query LIKE '%gantry_audit_event%'"));
    let isRemoved = false;
    const removing = removeProvider(platform()).then(() => (isRemoved = true));
    await eventually(async () => isRemoved || (await isWaiting("wait_event = 'advisory'")));
    await locking.query('COMMIT');
    const [answer] = await Promise.all([signingIn, removing]);
    await locking.end();

    const cookie = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
    expect((await usersAs(cookie)).status).toBe(401);
    expect(await sessionsOf('opening')).toBe(0);
  });

  it.each([
    ['removed', () => removeProvider(platform()), 'expired', 0],
    ['replaced', async () => configure(await startProvider()), 'expired', 0],
    [
      'changed',
      ({ issuer }: IdentityProvider) => configure({ issuer }, { roles: [{ group: 'admins', role: 'reader' }] }),
      undefined,
      1,
    ],
  ] as const)('decide when they are %s before the provider answers', async (how, change, refusal, sessions) => {
    const subject = `while-${how}`;
    const provider = await startProvider();
    know(provider, subject, ['admins']);
    await configure(provider);
    const jar = createJar();
    const callback = await toCallback(jar, host.address, subject);
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
    await change(provider);
    token.emit('released');

    expect(refusalOf(await signingIn)).toBe(refusal);
    expect(await sessionsOf(subject)).toBe(sessions);
    const sql = `SELECT roles FROM gantry_user WHERE 'administrator' = ANY (roles) AND login = $1`;
    expect((await database.query(sql, [`${subject}@example.com`])).rows).toEqual([]);
  });

  it('send the client secret in the body to a provider that takes it only there', async () => {
    const provider = await startProvider({ secretInBody: true });
    know(provider, 'in-body', ['admins']);
    await configure(provider);

    const answer = await signInByProvider(createJar(), host.address, 'in-body');

    expect(refusalOf(answer)).toBeUndefined();
    expect(cookieOf(answer)).toContain('gantry-');
  });

  it('say that the provider does not answer, and use it as soon as it does', async () => {
    const provider = await startProvider();
    await configure(provider);
    provider.faults.failing = { path: '/.well-known/openid-configuration', how: 'error' };
    expect(refusalOf(await begin())).toBe('provider-unavailable');
    provider.faults.failing = { path: '/.well-known/openid-configuration', how: 'silence' };
    expect(refusalOf(await begin())).toBe('provider-unavailable');
    provider.faults.failing = undefined;

    expect((await begin()).headers.location).toContain(`${provider.issuer}/auth?`);
  });

  it('say that the provider cannot be reached', async () => {
    const provider = await startProvider();
    await configure(provider);
    await providers.pop()?.close();

    const { status, headers } = await begin('?returnTo=/admin/plugins');

    expect([status, headers.location]).toEqual([303, '/admin/plugins#sign-in-refused=provider-unavailable']);
  });

  it('say in the log that another key has encrypted the client secret', async () => {
    const { issuer } = await startProvider();
    const anotherKey = randomBytes(32).toString('base64');
    await configureProvider({ databaseUrl: host.databaseUrl, secretKey: anotherKey }, { issuer });
    const earlier = host.output().length;

    expect(refusalOf(await begin())).toBe('unavailable');

    const message = 'cannot be decrypted';
    await eventually(() => host.output().slice(earlier).includes(message));
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

    await expect(configure({ issuer })).rejects.toThrow(/ address without https/);

    server.close();
    server.closeAllConnections();
  });

  async function sessionsOf(subject: string): Promise<number | null> {
    const sql = 'SELECT FROM gantry_session s JOIN gantry_user u ON u.id = s.user_id WHERE u.login = $1';
    return (await database.query(sql, [`${subject}@example.com`])).rowCount;
  }

  async function isWaiting(condition: string): Promise<boolean> {
    const { rowCount } = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND ${condition}`,
    );
    return rowCount !== 0;
  }
}

function callbackOf({ address }: TestHost): string {
  return `${address}/api/platform/oidc/callback`;
}

function know(provider: IdentityProvider, subject: string, groups: readonly string[]): void {
  provider.people.set(subject, { email: `${subject}@example.com`, email_verified: true, groups });
}

async function nameAt({ address }: TestHost): Promise<unknown> {
  return (await send(address, '/api/platform/session')).json.data.identityProvider;
}
