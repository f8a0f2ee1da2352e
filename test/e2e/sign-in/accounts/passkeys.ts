import type { TOTP } from 'otpauth';
import type { TestHost } from '../../../support/platform';
import { send, sendJson, type Answer } from '../../../support/rest-client';
import {
  cookieOf,
  createUsers,
  password,
  sendAs,
  setUpTotp,
  untilSignInIsRequired,
  useLink,
} from '../support/accounts';
import { addPasskey, askForPasskey, beginPasskey, originOf, setUpPasskey } from '../support/passkeys';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from '../../../support/software-authenticator';

const ann = 'ann.passkeys@example.com';
const account = '/api/platform/account';
/** Its attempts are counted apart from those of others. */
const client = { 'x-forwarded-for': '198.51.100.2' };

/** On a host that trusts the proxies of this machine. */
export function testPasskeys(host: TestHost): void {
  let session = '';
  let authenticator: SoftwareAuthenticator;
  let recoveryCodes: readonly string[] = [];
  let id = '';

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    session = await useLink(host.address, secret);
  });

  it('is set up with the password only', async () => {
    const refused = await beginPasskey(host.address, session, 'wrong');
    const begun = await beginPasskey(host.address, session);

    expect(refused.status).toBe(403);
    expect(begun).toMatchObject({
      status: 200,
      json: { data: { rp: { id: 'localhost' }, user: { name: ann }, attestation: 'none', excludeCredentials: [] } },
    });
    // Before it is added, the sign-in does not need it.
    await expect(signIn()).resolves.toMatchObject({ status: 200 });
  });

  it('gives recovery codes as the first second factor, and is listed with its name', async () => {
    authenticator = createSoftwareAuthenticator(originOf(host));
    const begun = await beginPasskey(host.address, session);
    const added = await addPasskey(host.address, session, {
      name: 'Key ring',
      registration: authenticator.create(begun.json.data),
    });
    recoveryCodes = added.json.data.recoveryCodes as readonly string[];
    id = added.json.data.id as string;

    expect(added).toMatchObject({ status: 201, json: { data: { name: 'Key ring', host: 'localhost' } } });
    expect(recoveryCodes).toHaveLength(10);
    await expect(list()).resolves.toMatchObject({
      origin: originOf(host),
      passkeys: [{ id, name: 'Key ring', host: 'localhost', lastUsedAt: null }],
    });
  });

  it('is then needed to sign in, and not asked for before the password is right', async () => {
    const missing = await signIn();
    const wrongPassword = await signIn({ password: 'wrong' });
    const options: unknown = missing.json.error.secondFactor.passkey.options;
    const right = await signIn({ passkey: authenticator.get(options) });

    expect(missing).toMatchObject({
      status: 401,
      json: {
        error: {
          code: 'SECOND_FACTOR_REQUIRED',
          message: expect.any(String),
          secondFactor: {
            kinds: ['passkey', 'recovery-code'],
            passkey: {
              origin: originOf(host),
              options: {
                rpId: 'localhost',
                userVerification: 'preferred',
                allowCredentials: [{ id: authenticator.id }],
              },
            },
          },
        },
      },
    });
    expect(wrongPassword).toMatchObject({ status: 401, json: { error: { code: 'UNAUTHENTICATED' } } });
    expect(wrongPassword.text).not.toContain('secondFactor');
    expect(right.status).toBe(200);
    const { passkeys } = await list(cookieOf(right));
    expect(passkeys[0]?.lastUsedAt).toMatch(/^\d{4}-/);
  });

  it('is replaced by a recovery code, once', async () => {
    const [first = ''] = recoveryCodes;

    const answers = [await signIn({ code: first.toUpperCase() }), await signIn({ code: first })];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  it('is needed for a one-time link, too', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    const use = (more: object) =>
      sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password, ...more }, client);

    const missing = await use({});
    const ofSignIn = await use({ passkey: authenticator.get(await askForPasskey(host.address, ann)) });
    const right = await use({ passkey: authenticator.get(missing.json.error.secondFactor.passkey.options) });

    expect([missing, ofSignIn, right].map(({ status }) => status)).toEqual([401, 401, 200]);
    session = cookieOf(right);
  });

  it('is used beside an authenticator app, which gives no other recovery codes', async () => {
    const { app, recoveryCodes: others } = await setUpTotp(host.address, session, password);

    const missing = await signIn();
    const byCode = await signIn({ code: codeAfter(app) });
    const byRecoveryCode = await signIn({ code: recoveryCodes[1] });

    expect(others).toEqual([]);
    expect(missing.json.error.secondFactor.kinds).toEqual(['passkey', 'authenticator-app', 'recovery-code']);
    expect([byCode.status, byRecoveryCode.status]).toEqual([200, 200]);
  });

  it('keeps the recovery codes when the app is removed', async () => {
    const removed = await sendAs(host.address, session, 'DELETE', `${account}/totp`, { currentPassword: password });
    const byRecoveryCode = await signIn({ code: recoveryCodes[2] });

    expect([removed.status, byRecoveryCode.status]).toEqual([204, 200]);
  });

  it('is renamed', async () => {
    const renamed = await sendAs(host.address, session, 'PATCH', `${account}/passkeys/${id}`, { name: ' Blue key ' });
    const unknown = await sendAs(host.address, session, 'PATCH', `${account}/passkeys/0`, { name: 'x' });
    const noNumber = await sendAs(host.address, session, 'PATCH', `${account}/passkeys/x%00`, { name: 'x' });

    expect(renamed).toMatchObject({ status: 200, json: { data: { id, name: 'Blue key' } } });
    expect([unknown.status, noNumber.status]).toEqual([404, 404]);
  });

  it('is one of ten at most', async () => {
    for (let count = 2; count <= 10; count += 1) await setUpPasskey(host, session);

    const refused = await beginPasskey(host.address, session);

    expect(refused).toMatchObject({ status: 409, json: { error: { code: 'CONFLICT' } } });
    const { passkeys } = await list();
    expect(passkeys.map(({ name }) => name)).toEqual([
      'Blue key',
      ...Array.from({ length: 9 }, (_, index) => `Passkey ${index + 2}`),
    ]);
  });

  it('is removed with the password, and the last one takes the recovery codes along', async () => {
    const refused = await remove(id, 'wrong');
    const { passkeys } = await list();
    const answers: Answer[] = [];
    for (const passkey of passkeys) answers.push(await remove(passkey.id));
    const again = await remove(id);

    expect(refused.status).toBe(403);
    expect(answers.map(({ status }) => status)).toEqual(passkeys.map(() => 204));
    expect(again.status).toBe(404);
    await expect(signIn()).resolves.toMatchObject({ status: 200 });
    const { recoveryCodes: next } = await setUpPasskey(host, session);
    const byEarlier = await signIn({ code: recoveryCodes[3] });
    const byNext = await signIn({ code: next[0] });
    expect([next.length, byEarlier.status, byNext.status]).toEqual([10, 401, 200]);
  });

  it('is in the audit log without its key', async () => {
    const { text, json } = await send(host.address, '/api/platform/audit', { headers: { cookie: session } });
    const actions = (json.data as readonly { readonly action: string }[]).map(({ action }) => action);

    expect(actions).toEqual(expect.arrayContaining(['passkey-added', 'passkey-renamed', 'passkey-removed']));
    expect(text).not.toContain(authenticator.id);
  });

  function signIn(more: object = {}) {
    return sendJson(host.address, 'POST', '/api/platform/session', { login: ann, password, ...more }, client);
  }

  async function list(cookie = session) {
    const { json } = await send(host.address, `${account}/passkeys`, { headers: { cookie } });
    return json.data as {
      readonly origin: string;
      readonly passkeys: readonly { id: string; name: string; lastUsedAt: string | null }[];
    };
  }

  function remove(passkey: string, currentPassword = password) {
    return sendAs(host.address, session, 'DELETE', `${account}/passkeys/${passkey}`, { currentPassword });
  }

  /** The setup has used the code of now. */
  function codeAfter(app: TOTP): string {
    return app.generate({ timestamp: Date.now() + 30_000 });
  }
}
