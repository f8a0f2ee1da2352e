import { Secret, TOTP } from 'otpauth';
import type { TestHost } from '../../../support/platform';
import { send, sendJson } from '../../../support/rest-client';
import { createUsers, fromPage, password, untilSignInIsRequired, useLink } from '../support/accounts';

const ann = 'ann.app@example.com';
/** Its attempts are counted apart from those of others. */
const client = { 'x-forwarded-for': '198.51.100.1' };

/** On a host that trusts the proxies of this machine. */
export function testSecondFactor(host: TestHost): void {
  let cookie = '';
  let app: TOTP;
  let recoveryCodes: readonly string[] = [];
  /** A code is accepted once: each test takes that of another moment, within the 30 seconds that clocks may differ. */
  const codeAt = (offsetSeconds: number): string => app.generate({ timestamp: Date.now() + offsetSeconds * 1_000 });

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    cookie = await useLink(host.address, secret);
  });

  it('is set up with the password only', async () => {
    const refused = await totp('POST', { currentPassword: 'wrong' });
    const begun = await totp('POST', { currentPassword: password });

    expect(refused.status).toBe(403);
    expect(begun.json.data.uri).toMatch(
      /^otpauth:\/\/totp\/Gantry:ann\.app%40example\.com\?issuer=Gantry&secret=[A-Z2-7]{32}&/,
    );
    app = new TOTP({ secret: Secret.fromBase32(begun.json.data.secret) });
    // Before it is confirmed, the sign-in does not need it.
    await expect(signIn()).resolves.toMatchObject({ status: 200 });
  });

  it('is confirmed by a code, which gives recovery codes', async () => {
    const wrong = await totp('PUT', { code: '000000' });
    const right = await totp('PUT', { code: codeAt(-30) });

    expect(wrong).toMatchObject({ status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    expect(right.status).toBe(200);
    recoveryCodes = right.json.data.recoveryCodes as readonly string[];
    expect(recoveryCodes).toHaveLength(10);
  });

  it('is then needed to sign in, and not asked for before the password is right', async () => {
    const missing = await signIn();
    const wrong = await signIn({ code: '000000' });
    const wrongPassword = await signIn({ password: 'wrong', code: codeAt(0) });
    const right = await signIn({ code: codeAt(0) });

    expect(missing).toMatchObject({ status: 401, json: { error: { code: 'SECOND_FACTOR_REQUIRED' } } });
    expect(wrong).toMatchObject({ status: 401, json: { error: { code: 'SECOND_FACTOR_REQUIRED' } } });
    expect(wrongPassword).toMatchObject({ status: 401, json: { error: { code: 'UNAUTHENTICATED' } } });
    expect(right.status).toBe(200);
  });

  it('accepts a code once, also from two requests at the same time', async () => {
    const used = await signIn({ code: codeAt(0) });
    const both = await Promise.all([signIn({ code: codeAt(30) }), signIn({ code: codeAt(30) })]);

    expect(used.status).toBe(401);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
  });

  it('is replaced by a recovery code, once', async () => {
    const [first = ''] = recoveryCodes;

    const answers = [await signIn({ code: first.toUpperCase() }), await signIn({ code: first })];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  it('is needed for a one-time link, too, which stays valid after a wrong code', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    const use = (more: object) =>
      sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password, ...more }, client);

    const answers = [await use({}), await use({ code: '123456' }), await use({ code: recoveryCodes[1] })];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  it('is removed with the password', async () => {
    const own = await signIn({ code: recoveryCodes[2] ?? '' });
    const session = (own.headers['set-cookie'] ?? [])[0]?.split(';')[0] ?? '';

    const removed = await sendJson(
      host.address,
      'DELETE',
      '/api/platform/account/totp',
      { currentPassword: password },
      fromPage(host.address, session),
    );

    expect(removed.status).toBe(204);
    await expect(signIn()).resolves.toMatchObject({ status: 200 });
  });

  it('has its key neither in the log nor in answers afterwards', async () => {
    const state = await send(host.address, '/api/platform/account/totp', { headers: { cookie } });

    expect(host.output()).not.toContain(app.secret.base32);
    expect(state.text).not.toContain(app.secret.base32);
  });

  function totp(method: string, body: object) {
    return sendJson(host.address, method, '/api/platform/account/totp', body, fromPage(host.address, cookie));
  }

  function signIn(more: object = {}) {
    return sendJson(host.address, 'POST', '/api/platform/session', { login: ann, password, ...more }, client);
  }
}
