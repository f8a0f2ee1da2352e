import { Client } from 'pg';
import type { TestHost } from '../../../support/platform';
import { send, sendJson, type Answer } from '../../../support/rest-client';
import {
  cookieOf,
  createUsers,
  fromPage,
  password,
  sendAs,
  setUpTotp,
  signIn,
  untilSignInIsRequired,
  useLink,
} from '../support/accounts';

const ann = 'ann.attacked@example.com';
const person = { kind: 'person', login: 'new@example.com', roles: ['administrator'] };

/** On a host with the content plugins and the admin pages that trusts no proxy. */
export function testAttacks(host: TestHost): void {
  let cookie = '';
  let device = '';

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    const opened = await sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password });
    cookie = cookieOf(opened);
    device = deviceOf(opened);
  });

  it.each([
    ['an array', [ann], password],
    ['an object', { $ne: null }, password],
    ['a number', 1, password],
    ['null', null, password],
    ['an array as password', ann, [password]],
    ['an object as password', ann, { length: 30 }],
    ['a boolean as password', ann, true],
    ['a password that is too long', ann, 'x'.repeat(5_000)],
  ])('%s is not taken for a credential', async (_name, login, secret) => {
    const answer = await signIn(host.address, login, secret);

    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  });

  it.each([
    ['an unknown member', { login: ann, password, remember: true }],
    ['a missing password', { login: ann }],
  ])('%s is refused by name', async (_name, body) => {
    const answer = await sendJson(host.address, 'POST', '/api/platform/session', body);

    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  });

  it.each([
    ['of another form', 'Bearer gty_short'],
    ['with a wrong checksum', `Bearer gty_${'a'.repeat(12)}_${'b'.repeat(43)}cccccc`],
    ['of another scheme', 'Basic YW5uOnBhc3N3b3Jk'],
    ['that claims to be of the home', `Bearer local_${'a'.repeat(43)}`],
    ['without a text', 'Bearer '],
  ])('a credential %s is refused, also with a valid cookie', async (_name, authorization) => {
    const answer = await send(host.address, '/api/cms/items/types', { headers: { authorization, cookie } });

    expect(answer.status).toBe(401);
  });

  it.each([
    ['POST', '/api/platform/session', { login: 'a\u0000@example.com', password: 'x' }, 400],
    ['POST', '/api/platform/session', { login: '\ud800@example.com', password: 'x' }, 400],
    ['POST', '/api/platform/session', { login: ann, password: '\u0000\ud800' }, 401],
    ['POST', '/api/platform/one-time-links', { secret: '\u0000', password }, 401],
    ['POST', '/api/platform/account/tokens', { name: 'a\u0000' }, 400],
    ['POST', '/api/platform/account/tokens', { name: '\ud800' }, 400],
    ['POST', '/api/platform/users', { ...person, displayName: '\u0000' }, 400],
    ['POST', '/api/platform/users', { ...person, login: 'x\u0000@example.com' }, 400],
    ['POST', '/api/platform/users', { ...person, roles: [] }, 400],
    ['PATCH', '/api/platform/users/1', { roles: [] }, 400],
    ['PATCH', '/api/platform/users/1', { id: '9' }, 400],
    ['GET', '/api/platform/users/99999999999999999999', undefined, 404],
    ['GET', '/api/platform/users/1%00', undefined, 404],
    ['DELETE', '/api/platform/account/sessions/1%00', undefined, 404],
    ['DELETE', '/api/platform/account/sessions/99999999999999999999', undefined, 404],
    ['DELETE', '/api/platform/account/tokens/%00', undefined, 404],
    ['DELETE', '/api/platform/tokens/%ED%A0%80', undefined, 400],
    ['GET', '/api/platform/audit?before=9999999999999999', undefined, 400],
    ['PUT', '/api/platform/account/password', { currentPassword: '\u0000', newPassword: 'abcdefghijk' }, 403],
  ])('%s %s with %j is answered with %i', async (method, path, body, status) => {
    await expect(asAnn(method, path, body)).resolves.toMatchObject({ status });
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'DELETE', 'PATCH'])(
    '%s to a route below the public pages needs a credential',
    async (method) => {
      const answer = await send(host.address, '/admin/api/preferences', { method });

      expect(answer.status).toBe(401);
    },
  );

  it.each([
    '/ADMIN/',
    '//api/cms/items/types',
    '/admin;/x',
    '/admin%2f',
    '/readyz/',
    '/API/cms/items/types',
    '/livez/x',
  ])('the path %s is not public', async (path) => {
    await expect(send(host.address, path)).resolves.toMatchObject({ status: 401 });
  });

  it('an account without a role has no rights', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['kay@example.com']);
    await query(`UPDATE gantry_user SET roles = '{}' WHERE login = 'kay@example.com'`);
    const opened = await sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password });

    const answer = await send(host.address, '/api/cms/items/types', { headers: { cookie: cookieOf(opened) } });

    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
  });

  it('a token in the address is not a credential', async () => {
    const { json } = await asAnn('POST', '/api/platform/account/tokens', { name: 'address' });
    const { token } = json.data as { readonly token: string };

    const answers = await Promise.all(
      ['token', 'access_token', 'api_key'].map((name) => send(host.address, `/api/cms/items/types?${name}=${token}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(host.output()).not.toContain(token);
  });

  it('an API token makes neither users nor tokens, which would outlive it', async () => {
    const { json } = await asAnn('POST', '/api/platform/account/tokens', { name: 'script' });
    const { id, token } = json.data as { readonly id: string; readonly token: string };
    const service = { kind: 'service', login: 'late', roles: ['administrator'] };
    const created = await asAnn('POST', '/api/platform/users', { ...service, login: 'early' });
    const serviceId = (created.json.data as { readonly id: string }).id;
    const withToken = (method: string, path: string, body: object) =>
      sendJson(host.address, method, path, body, { authorization: `Bearer ${token}` });

    const answers = await Promise.all([
      withToken('POST', '/api/platform/users', service),
      withToken('PATCH', `/api/platform/users/${serviceId}`, { isEnabled: false }),
      withToken('DELETE', `/api/platform/users/${serviceId}`, {}),
      withToken('POST', `/api/platform/users/${serviceId}/tokens`, { name: 'x' }),
      withToken('DELETE', `/api/platform/tokens/${id}`, {}),
      withToken('POST', '/api/platform/account/tokens', { name: 'x' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });

  it('an expired token is refused', async () => {
    const { json } = await asAnn('POST', '/api/platform/account/tokens', { name: 'old' });
    const { id, token } = json.data as { readonly id: string; readonly token: string };
    await query(`UPDATE gantry_api_token SET expires_at = now() - interval '1 second' WHERE public_id = '${id}'`);

    const answer = await send(host.address, '/api/cms/items/types', { headers: { authorization: `Bearer ${token}` } });

    expect(answer.status).toBe(401);
  });

  it('a session that was idle too long is refused', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['idle@example.com']);
    const own = await useLink(host.address, secret);
    // Found again within 5 seconds, as a change of another process.
    await query(
      `UPDATE gantry_session SET last_seen_at = now() - interval '9 hours'
       WHERE user_id = (SELECT id FROM gantry_user WHERE login = 'idle@example.com')`,
    );

    const statuses = await statusesUntil(401, () =>
      send(host.address, '/api/cms/items/types', { headers: { cookie: own } }),
    );

    expect(statuses.at(-1)).toBe(401);
  });

  it('a write with the cookie of a person must come from a page of the platform', async () => {
    const write = (headers: Readonly<Record<string, string>>) =>
      sendJson(host.address, 'POST', '/api/platform/account/tokens', { name: 'x' }, { cookie, ...headers });

    const answers = await Promise.all([
      write({}),
      write({ origin: 'https://evil.example' }),
      write({ 'sec-fetch-site': 'cross-site' }),
      write({ 'sec-fetch-site': 'same-site', origin: host.address }),
      write({ origin: 'null' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it('a session that an attacker planted does not become the session of a person', async () => {
    const name = cookie.split('=')[0] ?? '';
    const planted = `${name}=${'A'.repeat(43)}`;

    await signIn(host.address, ann, password, { cookie: planted });

    const answer = await send(host.address, '/api/cms/items/types', { headers: { cookie: planted } });
    expect(answer.status).toBe(401);
  });

  it('two cookies of one name are no credential', async () => {
    const answer = await send(host.address, '/api/cms/items/types', { headers: { cookie: `${cookie}; ${cookie}` } });

    expect(answer.status).toBe(401);
  });

  it('the host of a request has no part in a one-time link', async () => {
    const body = { kind: 'person', login: 'eve@example.com', roles: ['administrator'] };
    const evil = await sendJson(host.address, 'POST', '/api/platform/users', body, {
      ...fromPage(host.address, cookie),
      host: 'evil.example',
    });
    const forwarded = await sendJson(host.address, 'POST', '/api/platform/users', body, {
      ...fromPage(host.address, cookie),
      'x-forwarded-host': 'evil.example',
    });

    expect(evil.status).toBe(403);
    expect(forwarded.json.data.link).toMatch(
      new RegExp(`^http://localhost:${host.port}/admin/set-password#[\\w-]{43}$`),
    );
  });

  it('a one-time link works once, and not after 15 minutes', async () => {
    const [first = '', second = ''] = await createUsers(host.databaseUrl, ['fay@example.com', 'gil@example.com']);
    await query(
      `UPDATE gantry_one_time_link SET expires_at = now() - interval '1 second'
       WHERE user_id = (SELECT id FROM gantry_user WHERE login = 'gil@example.com')`,
    );
    const use = (secret: unknown) =>
      sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password });

    const answers = [await use(first), await use(first), await use(second), await use([first]), await use('')];

    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 400, 400]);
  });

  it('a one-time link is used once by two requests at the same time', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['hal@example.com']);
    const use = () => sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password });

    const statuses = (await Promise.all([use(), use()])).map(({ status }) => status);

    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  it('the finder of a one-time link does not guess the code of the second factor behind it', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['jan@example.com']);
    const own = await useLink(host.address, secret);
    const { app, recoveryCodes } = await setUpTotp(host.address, own, password);
    const [found = ''] = await createUsers(host.databaseUrl, ['jan@example.com']);
    const use = (code: string, next: string = password) =>
      sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret: found, password: next, code });

    // A password that is refused does not use the code up.
    await expect(use(recoveryCodes[0] ?? '', 'short')).resolves.toMatchObject({ status: 400 });
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess += 1) statuses.push((await use('000000')).status);

    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    await expect(use(app.generate())).resolves.toMatchObject({ status: 429 });
  });

  it.each(['short', 'Password1', '1234567890', 'qwertyuiop'])('the password "%s" is not accepted', async (weak) => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['ida@example.com']);

    const answer = await sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password: weak });

    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    expect(answer.text).not.toContain(weak);
  });

  it('a flood of wrong passwords is refused whatever it claims about itself, and fills no disk', async () => {
    const statuses = new Map<number, number>();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const headers = { 'x-forwarded-for': `10.0.0.${attempt}`, forwarded: `for=10.1.0.${attempt}` };
      const { status } = await signIn(host.address, `user${attempt}@example.com`, `wrong ${attempt}`, headers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }

    expect(statuses.get(429)).toBeGreaterThanOrEqual(40);
    expect([...statuses.keys()].toSorted((one, other) => one - other)).toEqual([401, 429]);
    const rows = await query<{ count: string }>(
      `SELECT count(*) AS count FROM gantry_audit_event WHERE action = 'sign-in-refused'`,
    );
    // Attempts that the limit of the address lets through.
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(20);
    const limited = await query(`SELECT 1 FROM gantry_audit_event WHERE action = 'attempts-limited'`);
    expect(limited).not.toEqual([]);
    // The owner of an account whose session is open is not concerned, nor one who signs in with a browser that is known.
    await expect(asAnn('GET', '/api/platform/users')).resolves.toMatchObject({ status: 200 });
    await expect(signIn(host.address, ann, password)).resolves.toMatchObject({ status: 429 });
    const known = await signIn(host.address, ann, password, { cookie: device });
    expect(known.status).toBe(200);
    device = deviceOf(known);
  });

  it('a wrong current password and a refused token are in the audit log', async () => {
    await asAnn('PUT', '/api/platform/account/password', { currentPassword: 'wrong', newPassword: 'abcdefghijk' });
    await send(host.address, '/api/cms/items/types', { headers: { authorization: 'Bearer gty_wrong' } });

    const rows = await query<{ action: string }>(`SELECT DISTINCT action FROM gantry_audit_event`);

    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['password-refused', 'token-refused']));
  });

  it('a wrong password in one session does not keep the person from changing it in another', async () => {
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await asAnn('PUT', '/api/platform/account/password', { currentPassword: 'wrong', newPassword: 'abcdefghijk' });
    }
    const other = cookieOf(await signIn(host.address, ann, password, { cookie: device }));
    const change = { currentPassword: 'wrong', newPassword: 'abcdefghijk' };
    const path = '/api/platform/account/password';

    await expect(asAnn('PUT', path, change)).resolves.toMatchObject({ status: 429 });
    await expect(sendJson(host.address, 'PUT', path, change, fromPage(host.address, other))).resolves.toMatchObject({
      status: 403,
    });
  });

  it('sessions go on while the database can only be read', async () => {
    const database = new URL(host.databaseUrl).pathname.slice(1);
    await query(`UPDATE gantry_session SET last_seen_at = now() - interval '2 minutes'`);
    await query(`ALTER DATABASE "${database}" SET default_transaction_read_only = on`);
    try {
      await query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      // Sessions that were read before are kept for some seconds.
      await new Promise((resolve) => setTimeout(resolve, 4_200));

      await expect(asAnn('GET', '/api/cms/items/types')).resolves.toMatchObject({ status: 200 });
    } finally {
      await query(`ALTER DATABASE "${database}" RESET default_transaction_read_only`);
    }
  });

  it('writes no secret into the log', () => {
    const [, secret = ''] = cookie.split('=');

    expect(host.output()).not.toContain(secret);
    expect(host.output()).not.toContain(password);
  });

  function asAnn(method: string, path: string, body?: object) {
    return sendAs(host.address, cookie, method, path, body);
  }

  async function query<Row extends object>(sql: string): Promise<readonly Row[]> {
    const client = new Client({
      connectionString: host.databaseUrl,
      options: '-c default_transaction_read_only=off',
    });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }
}

/** The cookie by which a browser is known. */
function deviceOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).find((one) => one.startsWith('gantry-device'))?.split(';')[0] ?? '';
}

/** The statuses of repeated requests, until the wanted one comes or 6 seconds are over. */
async function statusesUntil(
  wanted: number,
  ask: () => Promise<{ readonly status: number }>,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  const until = performance.now() + 60_000;
  while (statuses.at(-1) !== wanted && performance.now() < until) {
    statuses.push((await ask()).status);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return statuses;
}
