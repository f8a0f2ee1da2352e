import { execute } from '../../../support/database';
import { eventually } from '../../../support/eventually';
import type { TestHost } from '../../../support/platform';
import { send } from '../../../support/rest-client';
import {
  cookieOf,
  createUsers,
  password,
  sendAs,
  setUpTotp,
  signIn,
  untilSignInIsRequired,
  useLink,
} from '../support/accounts';
import {
  configureProvider,
  createJar,
  provePresence,
  refusalOf,
  signInByProvider,
  startIdentityProvider,
  visit,
  type IdentityProvider,
} from '../support/identity-provider';

const roles = [
  { group: 'admins', role: 'administrator' },
  { group: 'cn=editors,dc=example', role: 'editor' },
  { group: 'staff', role: 'reader' },
  { group: 'staff', role: 'operator' },
] as const;

/** On a host with the content plugins. */
export function testSignIn(host: TestHost, secretKey: string): void {
  let provider: IdentityProvider;
  let administrator = '';

  beforeAll(async () => {
    provider = await startIdentityProvider({ redirectUris: [`${host.address}/api/platform/oidc/callback`] });
    await configure();
    await untilSignInIsRequired(host.address);
    await eventually(async () => (await sessionOf('')).identityProvider?.name === 'Example login', 'the name is shown');
  });
  afterAll(() => provider.close());

  const configure = (settings: Partial<Parameters<typeof configureProvider>[1]> = {}): Promise<void> =>
    configureProvider(
      { databaseUrl: host.databaseUrl, secretKey },
      { issuer: provider.issuer, roles: [...roles], ...settings },
    );
  const know = (subject: string, groups: unknown, more: object = {}): void => {
    const email = `${subject}@example.com`;
    provider.people.set(subject, { email, email_verified: true, name: subject, groups, ...more });
  };
  const sessionOf = async (session: string) =>
    (await sendAs(host.address, session, 'GET', '/api/platform/session')).json.data;
  const userOf = async (login: string) => {
    const { json } = await sendAs(host.address, administrator, 'GET', '/api/platform/users');
    return (json.data as readonly Record<string, unknown>[]).find((user) => user['login'] === login);
  };
  const auditOf = async (action: string): Promise<readonly Record<string, unknown>[]> => {
    const { json } = await sendAs(host.address, administrator, 'GET', '/api/platform/audit?limit=200');
    return (json.data as readonly Record<string, unknown>[]).filter((event) => event['action'] === action);
  };

  it('creates an administrator, opens a session and goes to the address that was asked for', async () => {
    know('Ann', ['admins']);

    const answer = await signInByProvider(createJar(), host.address, 'Ann', '/admin/content/product?page=2');

    expect([answer.status, answer.headers.location]).toEqual([303, '/admin/content/product?page=2']);
    administrator = cookieOf(answer);
    expect(await sessionOf(administrator)).toMatchObject({
      mode: 'sign-in',
      user: { kind: 'person', name: 'Ann', roles: ['administrator'] },
      identityProvider: { name: 'Example login' },
    });
    expect(await userOf('ann@example.com')).toMatchObject({ hasPassword: false, identityProvider: provider.issuer });
    const [created] = await auditOf('user-created');
    expect(created).toMatchObject({ actor: 'identity-provider', detail: { login: 'ann@example.com' } });
    const { id } = (await userOf('ann@example.com')) ?? {};
    const signIns = (await auditOf('provider-sign-in')).filter(({ subject }) => subject === `user:${String(id)}`);
    expect(signIns).toHaveLength(1);
  });

  it('proves presence only where the provider has asked the person again', async () => {
    const tokens = '/api/platform/account/tokens';
    const jar = createJar();
    const asAnn = cookieOf(await signInByProvider(jar, host.address, 'Ann'));

    const refused = await sendAs(host.address, asAnn, 'POST', tokens, { name: 'x' });
    const start = await visit(createJar(), `${host.address}/api/platform/oidc/start?presence=true`);
    administrator = cookieOf(await provePresence(jar, host.address, 'Ann'));

    expect(refused).toMatchObject({
      status: 403,
      json: { error: { code: 'PRESENCE_REQUIRED', presence: { proofs: ['identity-provider'] } } },
    });
    const asked = new URL(start.headers.location ?? '').searchParams;
    expect([asked.get('max_age'), asked.get('prompt')]).toEqual(['0', 'login']);
    expect((await sendAs(host.address, administrator, 'POST', tokens, { name: 'x' })).status).toBe(201);
  });

  it.each([
    ['remembers an earlier sign-in', (now: number) => ({ auth_time: now - 3_600 })],
    ['does not say when that was', () => ({ auth_time: undefined })],
  ])('proves no presence where the provider %s', async (_what, change) => {
    provider.faults.idToken = (claims) => provider.sign({ ...claims, ...change(Math.floor(Date.now() / 1_000)) });

    expect(refusalOf(await provePresence(createJar(), host.address, 'Ann'))).toBe('not-asked-again');

    provider.faults.idToken = undefined;
  });

  it('ends the API tokens of a person who has lost all roles', async () => {
    know('ola', ['staff']);
    const jar = createJar();
    const session = cookieOf(await provePresence(jar, host.address, 'ola'));
    const { json } = await sendAs(host.address, session, 'POST', '/api/platform/account/tokens', { name: 'mine' });
    const headers = { authorization: `Bearer ${json.data.token as string}` };
    expect((await send(host.address, '/api/cms/items/types', { headers })).status).toBe(200);
    know('ola', []);
    expect(refusalOf(await signInByProvider(jar, host.address, 'ola'))).toBe('no-role');
    know('ola', ['staff']);
    await signInByProvider(jar, host.address, 'ola');

    expect((await send(host.address, '/api/cms/items/types', { headers })).status).toBe(401);
    const [revoked] = await auditOf('token-revoked');
    expect(revoked).toMatchObject({ actor: 'identity-provider', detail: { login: 'ola@example.com', name: 'mine' } });
  });

  it('is offered by name to a browser without a session', async () => {
    const { json } = await send(host.address, '/api/platform/session');

    expect(json.data).toEqual({ mode: 'sign-in', user: null, identityProvider: { name: 'Example login' } });
  });

  it('gives the roles of the groups at each sign-in, also to sessions that are open', async () => {
    know('bob', ['staff', 'cn=editors,dc=example', 'unknown']);
    const first = cookieOf(await signInByProvider(createJar(), host.address, 'bob'));
    expect((await sessionOf(first)).user.roles.toSorted()).toEqual(['editor', 'operator', 'reader']);

    know('bob', 'staff');
    const second = cookieOf(await signInByProvider(createJar(), host.address, 'bob'));

    expect((await sessionOf(second)).user.roles.toSorted()).toEqual(['operator', 'reader']);
    expect((await sessionOf(first)).user.roles.toSorted()).toEqual(['operator', 'reader']);
  });

  it.each([
    [[]],
    [undefined],
    [null],
    [7],
    [{ admins: true }],
    [['constructor', '__proto__', 1, null]],
    [[['admins']]],
  ])('creates nobody for a person with the groups %j', async (groups) => {
    know('eve', groups);

    const answer = await signInByProvider(createJar(), host.address, 'eve', '/admin/plugins');

    expect([answer.headers.location, answer.headers['set-cookie']]).toEqual([
      '/admin/plugins#sign-in-refused=no-role',
      undefined,
    ]);
    expect(await userOf('eve@example.com')).toBeUndefined();
  });

  it('takes all roles and sessions away from a person who has left the groups', async () => {
    know('carl', ['staff']);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'carl'));
    expect((await sendAs(host.address, session, 'GET', '/api/cms/items/types')).status).toBe(200);
    know('carl', []);

    expect(refusalOf(await signInByProvider(createJar(), host.address, 'carl'))).toBe('no-role');

    expect(await userOf('carl@example.com')).toMatchObject({ roles: [] });
    expect((await auditOf('user-changed'))[0]).toMatchObject({ actor: 'identity-provider', detail: { roles: [] } });
    expect((await sendAs(host.address, session, 'GET', '/api/cms/items/types')).status).toBe(401);
  });

  it('takes no roles away where the provider leaves out the groups, as there are too many', async () => {
    know('dan', ['staff']);
    await signInByProvider(createJar(), host.address, 'dan');
    know('dan', undefined);
    provider.faults.idToken = (claims) => provider.sign({ ...claims, _claim_names: { groups: 'src1' } });

    const answer = await signInByProvider(createJar(), host.address, 'dan');

    provider.faults.idToken = undefined;
    expect(refusalOf(answer)).toBe('invalid-answer');
    expect(await userOf('dan@example.com')).toMatchObject({ roles: ['reader', 'operator'] });
  });

  it('keeps the role of the last enabled administrator', async () => {
    await execute(host.databaseUrl, "UPDATE gantry_user SET is_enabled = false WHERE login <> 'ann@example.com'");
    know('Ann', ['staff']);

    administrator = cookieOf(await provePresence(createJar(), host.address, 'Ann'));

    expect((await sessionOf(administrator)).user.roles).toContain('administrator');
    expect(await auditOf('last-administrator-kept')).toHaveLength(1);
    know('Ann', ['admins']);
  });

  it.each([
    ['no email address', { email: undefined }, 'email-missing'],
    ['an empty email address', { email: '' }, 'email-missing'],
    ['a number as email address', { email: 7 }, 'email-missing'],
    ['a list of email addresses', { email: ['fay@example.com'] }, 'email-missing'],
    ['a name as email address', { email: 'fay' }, 'email-missing'],
    ['an email address with a control character', { email: 'fay@example.com\u0000' }, 'email-missing'],
    ['an email address that is not verified', { email_verified: false }, 'email-not-verified'],
    ['an email address of which nothing is said', { email_verified: undefined }, 'email-not-verified'],
    ['a text for true', { email_verified: 'true' }, 'email-not-verified'],
  ])('refuses a first sign-in with %s', async (_case, claims, code) => {
    know('fay', ['staff'], claims);

    expect(refusalOf(await signInByProvider(createJar(), host.address, 'fay'))).toBe(code);

    expect(await userOf('fay@example.com')).toBeUndefined();
  });

  it('knows a person by the subject, whatever becomes of the address and the name', async () => {
    know('gus', ['staff'], { name: ['no text'] });
    await signInByProvider(createJar(), host.address, 'gus');
    know('gus', ['staff'], { email: 'ann@example.com', email_verified: false });

    const session = cookieOf(await signInByProvider(createJar(), host.address, 'gus'));

    expect((await sessionOf(session)).user).toMatchObject({ name: 'gus@example.com' });
  });

  it('gives the default role to a person without a group that has one', async () => {
    await configure({ defaultRole: 'reader' });
    know('hal', []);

    const session = cookieOf(await signInByProvider(createJar(), host.address, 'hal'));

    expect((await sessionOf(session)).user.roles).toEqual(['reader']);
    await configure();
  });

  it('refuses a disabled user', async () => {
    know('ida', ['staff']);
    await signInByProvider(createJar(), host.address, 'ida');
    const { id } = (await userOf('ida@example.com')) ?? {};
    await sendAs(host.address, administrator, 'PATCH', `/api/platform/users/${String(id)}`, { isEnabled: false });

    expect(refusalOf(await signInByProvider(createJar(), host.address, 'ida'))).toBe('account-disabled');
  });

  describe('where a user with the email address exists', () => {
    it('refuses by default', async () => {
      await createUsers(host.databaseUrl, ['joe@example.com']);
      know('joe', ['admins']);

      expect(refusalOf(await signInByProvider(createJar(), host.address, 'joe'))).toBe('account-exists');
    });

    it('links it when this is configured, and ends what was opened with the password', async () => {
      const [secret = ''] = await createUsers(host.databaseUrl, ['kim@example.com']);
      const old = await useLink(host.address, secret);
      await setUpTotp(host.address, old, password);
      const made = await sendAs(host.address, old, 'POST', '/api/platform/account/tokens', { name: 'made before' });
      const headers = { authorization: `Bearer ${made.json.data.token as string}` };
      expect((await send(host.address, '/api/platform/users', { headers })).status).toBe(200);
      const [unused = ''] = await createUsers(host.databaseUrl, ['kim@example.com']);
      await configure({ linksByEmail: true });
      know('kim', ['staff'], { email: 'Kim@Example.com' });

      const session = cookieOf(await signInByProvider(createJar(), host.address, 'kim'));

      expect((await sessionOf(session)).user.roles.toSorted()).toEqual(['operator', 'reader']);
      expect((await signIn(host.address, 'kim@example.com')).status).toBe(401);
      await expect(useLink(host.address, unused)).rejects.toThrow('401');
      expect((await send(host.address, '/api/platform/users', { headers })).status).toBe(401);
      expect(await auditOf('user-linked')).toHaveLength(1);
    });

    it('links neither an address that is not verified nor one that the provider has given to another person', async () => {
      await configure({ linksByEmail: true });
      know('joe', ['admins'], { email_verified: false });
      expect(refusalOf(await signInByProvider(createJar(), host.address, 'joe'))).toBe('email-not-verified');
      know('new-kim', ['admins'], { email: 'kim@example.com' });

      expect(refusalOf(await signInByProvider(createJar(), host.address, 'new-kim'))).toBe('account-exists');

      expect(await userOf('kim@example.com')).toMatchObject({ roles: ['reader', 'operator'] });
      await configure();
    });
  });

  it('gives a person no way to a password', async () => {
    know('lea', ['staff']);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'lea'));
    const account = '/api/platform/account';

    const shown = await sendAs(host.address, session, 'GET', `${account}/password`);
    const changed = await sendAs(host.address, session, 'PUT', `${account}/password`, {
      currentPassword: '',
      newPassword: password,
    });
    const totp = await sendAs(host.address, session, 'POST', `${account}/totp`, { currentPassword: '' });

    expect(shown.json.data).toEqual({ hasPassword: false, identityProvider: provider.issuer });
    for (const { status, text } of [changed, totp]) {
      expect([status, text]).toEqual([409, expect.stringContaining('no password')]);
    }
    expect((await signIn(host.address, 'lea@example.com', '')).status).toBe(400);
    expect((await signIn(host.address, 'lea@example.com', 'null')).status).toBe(401);
    await expect(createUsers(host.databaseUrl, ['lea@example.com'])).rejects.toThrow(
      /lea@example\.com .*identity provider/,
    );
  });

  it('replaces the session that the browser had, and remembers the browser', async () => {
    know('max', ['staff']);
    const jar = createJar();
    const first = await signInByProvider(jar, host.address, 'max');
    const device = (first.headers['set-cookie'] ?? []).some((cookie) => cookie.startsWith('gantry-device-'));

    const second = cookieOf(await signInByProvider(jar, host.address, 'max'));

    expect(device).toBe(true);
    expect(second).not.toBe(cookieOf(first));
    expect((await sendAs(host.address, cookieOf(first), 'GET', '/api/cms/items/types')).status).toBe(401);
    expect((await sendAs(host.address, second, 'GET', '/api/cms/items/types')).status).toBe(200);
  });

  it('ends the session at sign-out', async () => {
    know('nia', ['staff']);
    const session = cookieOf(await signInByProvider(createJar(), host.address, 'nia'));

    expect((await sendAs(host.address, session, 'DELETE', '/api/platform/session', {})).status).toBe(204);

    expect((await sendAs(host.address, session, 'GET', '/api/cms/items/types')).status).toBe(401);
  });
}
