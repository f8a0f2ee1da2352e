import { randomBytes } from 'node:crypto';
import type { TestHost } from '../../../support/platform';
import { execute } from '../../../support/database';
import { send, sendJson } from '../../../support/rest-client';
import { cookieOf, fromPage, sendAs, untilSignInIsRequired } from '../support/accounts';
import {
  configureProvider,
  createJar,
  refusalOf,
  signInByProvider,
  startIdentityProvider,
  toCallback,
  visit,
  type Claims,
  type IdentityProvider,
} from '../support/identity-provider';

const start = '/api/platform/oidc/start';
const callback = '/api/platform/oidc/callback';

/** On a host that trusts the proxies of this machine; clients without a name have no attempts left afterwards. */
export function testAttacks(host: TestHost, secretKey: string): void {
  let provider: IdentityProvider;
  let administrator = '';

  beforeAll(async () => {
    provider = await startIdentityProvider({ redirectUris: [host.address + callback], claimsInToken: true });
    provider.people.set('ann', { email: 'ann.attacked@example.com', email_verified: true, groups: ['admins'] });
    await configureProvider({ databaseUrl: host.databaseUrl, secretKey }, { issuer: provider.issuer });
    await untilSignInIsRequired(host.address);
    administrator = cookieOf(await signInByProvider(createJar(), host.address, 'ann'));
  });
  afterAll(() => provider.close());
  afterEach(() => {
    provider.faults.idToken = undefined;
    provider.faults.failing = undefined;
  });

  const refusals = async (code: string): Promise<number> => {
    const { json } = await sendAs(host.address, administrator, 'GET', '/api/platform/audit?limit=1000');
    return (json.data as readonly { readonly action: string; readonly count: number }[])
      .filter(({ action }) => action === `provider-sign-in-refused-${code}`)
      .reduce((sum, { count }) => sum + count, 0);
  };

  describe('with an address to return to', () => {
    it.each([
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example/admin/',
      'http:evil.example',
      'javascript:alert(1)',
      '/admin/\r\nSet-Cookie: a=b',
      '/admin/\t',
      '/admin\u0000',
      '/\t/evil.example',
      '/%2F%2Fevil.example',
      '/admin/../..//evil.example',
      '/admin/%2e%2e//evil.example',
      '/admin/\\..\\..\\evil.example',
      '/administrator',
      '/admin@evil.example',
      '/api/platform/oidc/start',
      '/admin/#sign-in-refused=expired',
      'admin/',
      '',
      ' ',
      `/admin/${'a'.repeat(1_001)}`,
    ])('leads nowhere else: %j', async (returnTo) => {
      const { status, headers, json } = await send(host.address, `${start}?returnTo=${encodeURIComponent(returnTo)}`);

      expect([status, headers.location, headers['set-cookie']]).toEqual([400, undefined, undefined]);
      expect(json.error.details).toEqual([{ path: 'returnTo', code: 'VALUE_INVALID', message: expect.any(String) }]);
    });

    it.each([
      ['/admin', '/admin'],
      ['/admin/', '/admin/'],
      ['/admin?a=1', '/admin?a=1'],
      ['/admin/content/product?q=%2F%2Fevil.example', '/admin/content/product?q=%2F%2Fevil.example'],
      ['/admin//evil.example', '/admin//evil.example'],
    ])('stays on the pages: %j', async (returnTo, location) => {
      const answer = await signInByProvider(createJar(), host.address, 'ann', returnTo);

      expect(answer.headers.location).toBe(location);
    });

    it.each(['?other=1', '?returnTo=/admin/&returnTo=/admin/'])('is refused when the query is %s', async (query) => {
      expect((await send(host.address, start + query)).status).toBe(400);
    });
  });

  describe('with an answer that is not that of the browser', () => {
    it('cannot use an answer twice', async () => {
      const jar = createJar();
      const url = await toCallback(jar, host.address, 'ann');
      await visit(jar, url);
      const before = await refusals('expired');

      const replayed = await visit(jar, url);

      expect([refusalOf(replayed), replayed.headers['set-cookie']]).toEqual(['expired', undefined]);
      expect(await refusals('expired')).toBeGreaterThan(before);
    });

    it('cannot use one twice at the same time', async () => {
      const jar = createJar();
      const url = await toCallback(jar, host.address, 'ann');

      const answers = await Promise.all(Array.from({ length: 5 }, () => visit(jar, url)));

      expect(answers.filter((answer) => refusalOf(answer) === undefined)).toHaveLength(1);
    });

    it('cannot plant a session of the attacker: another browser has no such cookie', async () => {
      const url = await toCallback(createJar(), host.address, 'ann');
      const other = createJar();
      await toCallback(other, host.address, 'ann');

      expect(refusalOf(await visit(createJar(), url))).toBe('expired');
      expect(refusalOf(await visit(other, url))).toBe('expired');
    });

    it.each([
      ['another state', (url: URL) => url.searchParams.set('state', randomBytes(32).toString('base64url'))],
      ['no state', (url: URL) => url.searchParams.delete('state')],
      ['an empty query', (url: URL) => void (url.search = '')],
    ])('needs the state: %s', async (_case, change) => {
      const jar = createJar();
      const url = new URL(await toCallback(jar, host.address, 'ann'));
      change(url);

      expect(refusalOf(await visit(jar, url.href))).toBe('expired');
    });

    it('cannot wait for longer than 10 minutes', async () => {
      const jar = createJar();
      const url = await toCallback(jar, host.address, 'ann');
      await execute(host.databaseUrl, "UPDATE gantry_provider_request SET expires_at = now() - interval '1 second'");

      expect(refusalOf(await visit(jar, url))).toBe('expired');
    });

    it.each([
      ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 'invalid-answer'],
      ['no issuer, although the provider names it', (url: URL) => url.searchParams.delete('iss'), 'invalid-answer'],
      ['two codes', (url: URL) => url.searchParams.append('code', 'other'), 'invalid-answer'],
      ['two states', (url: URL) => url.searchParams.append('state', 'other'), 'invalid-answer'],
      ['another code', (url: URL) => url.searchParams.set('code', 'other'), 'provider-refused'],
      ['no code', (url: URL) => url.searchParams.delete('code'), 'invalid-answer'],
      ['a token in place of the code', (url: URL) => url.searchParams.set('response', 'a.b.c'), 'invalid-answer'],
    ])('with %s', async (_case, change, code) => {
      const jar = createJar();
      const url = new URL(await toCallback(jar, host.address, 'ann'));
      change(url);

      expect(refusalOf(await visit(jar, url.href))).toBe(code);
    });

    it.each([
      ['?state=%00&code=%00', ''],
      ['?state=%FF&code=%ED%A0%80', 'gantry-provider-x=%00'],
      ['?state[]=a&code[]=b', ''],
      ['?%', '='],
      [`?state=${'a'.repeat(10_000)}`, 'a'],
    ])('%.40s is a sign-in that nobody has begun', async (query, cookie) => {
      const client = { 'x-forwarded-for': createJar().client };

      const answer = await send(host.address, callback + query, { headers: { cookie, ...client } });

      expect([answer.status, refusalOf(answer)]).toEqual([303, 'expired']);
    });

    it('cannot use the code that another browser was given', async () => {
      const stolen = new URL(await toCallback(createJar(), host.address, 'ann'));
      const jar = createJar();
      const own = new URL(await toCallback(jar, host.address, 'ann'));
      own.searchParams.set('code', stolen.searchParams.get('code') ?? '');

      expect(refusalOf(await visit(jar, own.href))).toBe('provider-refused');
    });

    it('shows no text of the provider', async () => {
      const jar = createJar();
      const url = new URL(await toCallback(jar, host.address, 'ann'));
      url.search = new URLSearchParams({
        error: 'pay_at_evil',
        error_description: '<script>alert(1)</script>',
        state: url.searchParams.get('state') ?? '',
        iss: provider.issuer,
      }).toString();

      const answer = await visit(jar, url.href);

      expect(answer.headers.location).toBe('/admin/#sign-in-refused=provider-refused');
      expect(answer.text).toBe('');
    });
  });

  describe('with an ID token', () => {
    it.each<[string, (claims: Claims) => string]>([
      ['without a signature', (claims) => withHeader({ alg: 'none' }, claims, '')],
      ['signed with the client secret', (claims) => withHeader({ alg: 'HS256' }, claims, 'c2lnbmF0dXJl')],
      ['with a signature of another text', (claims) => swapped(provider.sign({ ...claims, sub: 'eve' }), claims)],
      ['signed by an unknown key', (claims) => provider.sign(claims, { kid: 'other' })],
      ['for another audience', (claims) => provider.sign({ ...claims, aud: 'other' })],
      ['for several audiences', (claims) => provider.sign({ ...claims, aud: ['gantry', 'other'], azp: 'other' })],
      ['of another issuer', (claims) => provider.sign({ ...claims, iss: 'https://evil.example' })],
      ['with another nonce', (claims) => provider.sign({ ...claims, nonce: 'other' })],
      ['without a nonce', ({ nonce: _nonce, ...claims }) => provider.sign(claims)],
      ['that has expired', (claims) => provider.sign({ ...claims, exp: 1 })],
      ['of the future', (claims) => provider.sign({ ...claims, nbf: 9_999_999_999 })],
      ['without a subject', ({ sub: _sub, ...claims }) => provider.sign(claims)],
      ['with a number as subject', (claims) => provider.sign({ ...claims, sub: 7 })],
      ['with a subject that no database stores', (claims) => provider.sign({ ...claims, sub: 'a\u0000b' })],
      ['with a long subject', (claims) => provider.sign({ ...claims, sub: 'a'.repeat(5_000) })],
      ['that is no token', () => 'token'],
    ])('%s', async (_case, forged) => {
      provider.faults.idToken = forged;

      const answer = await signInByProvider(createJar(), host.address, 'ann');

      expect([refusalOf(answer), answer.headers['set-cookie']]).toEqual(['invalid-answer', undefined]);
      expect(await refusals('invalid-answer')).toBeGreaterThan(0);
    });
  });

  describe('from a page of another site', () => {
    it.each([
      [start, { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
      [callback, { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
      [callback, { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }],
    ])('%s is no picture, frame or script: %j', async (path, headers) => {
      expect((await send(host.address, path, { headers })).status).toBe(403);
    });

    it('the provider sends the browser back', async () => {
      const jar = createJar();
      const url = await toCallback(jar, host.address, 'ann');
      const headers = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

      expect(refusalOf(await visit(jar, url, undefined, headers))).toBeUndefined();
    });

    it.each(['POST', 'PUT', 'DELETE', 'HEAD'])('%s does not use an answer', async (method) => {
      const jar = createJar();
      const url = new URL(await toCallback(jar, host.address, 'ann'));
      const cookie = [...(jar.cookies.get(host.address) ?? [])].map((pair) => pair.join('=')).join('; ');

      const { status } = await send(host.address, url.pathname + url.search, { method, headers: { cookie } });

      expect(status).toBe(method === 'HEAD' ? 403 : 405);
      expect(refusalOf(await visit(jar, url.href))).toBeUndefined();
    });
  });

  it('cannot name the host to which the provider sends the browser', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };

    const answer = await send(host.address, start, { headers });

    expect(new URL(answer.headers.location ?? '').searchParams.get('redirect_uri')).toBe(host.address + callback);
    expect((await send(host.address, start, { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('finds code challenge, state and nonce, and a cookie that scripts cannot read', async () => {
    const { headers, status } = await send(host.address, start);

    const asked = Object.fromEntries(new URL(headers.location ?? '').searchParams);
    expect(status).toBe(303);
    expect(asked).toEqual({
      client_id: 'gantry',
      response_type: 'code',
      redirect_uri: host.address + callback,
      scope: 'openid profile email groups',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^gantry-provider-\w{8}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('finds no secret in the log, the answers and the audit log', async () => {
    const jar = createJar();
    const url = new URL(await toCallback(jar, host.address, 'ann'));
    await visit(jar, url.href);
    const { text: audit } = await sendAs(host.address, administrator, 'GET', '/api/platform/audit?limit=1000');
    const { text: users } = await sendAs(host.address, administrator, 'GET', '/api/platform/users');

    for (const secret of [
      'a secret of the client',
      url.searchParams.get('code') ?? '',
      url.searchParams.get('state') ?? '',
    ]) {
      expect(secret).not.toBe('');
      expect([host.output(), audit, users].join()).not.toContain(secret);
    }
  });

  describe('and a provider with faults', () => {
    it.each([
      ['/token', 'error', 'provider-unavailable'],
      ['/token', 'silence', 'provider-unavailable'],
    ] as const)('%s answers with %s', async (path, how, code) => {
      provider.faults.failing = { path, how };

      const answer = await signInByProvider(createJar(), host.address, 'ann', '/admin/plugins');

      expect([answer.status, answer.headers.location]).toEqual([303, `/admin/plugins#sign-in-refused=${code}`]);
    });
  });

  it('reaches a limit, which leaves other ways to sign in', async () => {
    const codes = new Set<string | undefined>();
    while (!codes.has('too-many-attempts') && codes.size < 5) {
      codes.add(refusalOf(await send(host.address, `${callback}?state=guess&code=guess`)));
    }
    expect([...codes]).toEqual(['expired', 'too-many-attempts']);
    expect(refusalOf(await send(host.address, start))).toBe('too-many-attempts');

    const { status } = await sendJson(
      host.address,
      'POST',
      '/api/platform/session',
      { login: 'ann.attacked@example.com', password: 'x' },
      fromPage(host.address, ''),
    );

    expect(status).toBe(401);
  });
}

function withHeader(header: Claims, claims: Claims, signature: string): string {
  return [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), signature].join(
    '.',
  );
}

/** The signature of a token under other claims. */
function swapped(token: string, claims: Claims): string {
  const [header = '', , signature = ''] = token.split('.');
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}
