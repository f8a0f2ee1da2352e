import { Client } from 'pg';
import type { TestHost } from '../../../support/platform';
import { send, sendJson, type Answer } from '../../../support/rest-client';
import { createSoftwareAuthenticator, type AssertionJson } from '../../../support/software-authenticator';
import {
  cookieOf,
  createUsers,
  fromPage,
  password,
  sendAs,
  setUpTotp,
  untilSignInIsRequired,
  useLink,
} from '../support/accounts';
import {
  addPasskey,
  askForPasskey,
  beginPasskey,
  originOf,
  setUpPasskey,
  type AddedPasskey,
} from '../support/passkeys';

const [ann, bob, cat, dan, eve] = ['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => `${name}.attacked@example.com`) as [
  string,
  string,
  string,
  string,
  string,
];
const account = '/api/platform/account';
/** Its attempts are counted apart from those of others. */
const client = { 'x-forwarded-for': '198.51.100.4' };
/** A certificate, which nothing is allowed to read. */
const certified = new Map<string, unknown>([
  ['alg', -7],
  ['sig', Buffer.alloc(70)],
  ['x5c', [Buffer.alloc(100)]],
]);

/** On a host that trusts the proxies of this machine. */
export function testPasskeyAttacks(host: TestHost): void {
  const sessions: Record<string, string> = {};
  let anns: AddedPasskey;
  let bobs: AddedPasskey;

  beforeAll(async () => {
    const logins = [ann, bob, cat, dan, eve];
    const secrets = await createUsers(host.databaseUrl, logins);
    await untilSignInIsRequired(host.address);
    for (const [index, login] of logins.entries()) {
      sessions[login] = await useLink(host.address, secrets[index] ?? '');
    }
    anns = await setUpPasskey(host, sessionOf(ann));
    bobs = await setUpPasskey(host, sessionOf(bob));
  });

  it('an assertion that was used, also by two requests at the same time', async () => {
    const assertion = anns.authenticator.get(await askForPasskey(host.address, ann));

    const answers = await Promise.all([signIn(ann, assertion), signIn(ann, assertion)]);
    const replayed = await signIn(ann, assertion);

    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
    expect(replayed).toMatchObject({ status: 401, json: { error: { code: 'SECOND_FACTOR_REQUIRED' } } });
  });

  it('the passkey and the challenge of another user', async () => {
    const challengeOfBob = await askForPasskey(host.address, bob);

    const byChallenge = await signIn(ann, anns.authenticator.get(challengeOfBob));
    const byPasskey = await signIn(ann, bobs.authenticator.get(await askForPasskey(host.address, ann)));
    const byBoth = await signIn(ann, bobs.authenticator.get(challengeOfBob));

    expect([byChallenge, byPasskey, byBoth].map(refusalOf)).toEqual(Array(3).fill('SECOND_FACTOR_REQUIRED'));
    // An attempt on another account does not use it up.
    expect((await signIn(bob, bobs.authenticator.get(challengeOfBob))).status).toBe(200);
  });

  it('a challenge of another purpose, of which there is none, and one that has expired', async () => {
    const { json } = await beginPasskey(host.address, sessionOf(ann));
    const ofSetup = await signIn(ann, anns.authenticator.get({ ...json.data, rpId: 'localhost' }));
    const options = await askForPasskey(host.address, ann);
    const invented = await signIn(ann, anns.authenticator.get(options, { challenge: 'A'.repeat(43) }));
    await query(`UPDATE gantry_passkey_challenge SET expires_at = now() - interval '1 second'`);
    const expired = await signIn(ann, anns.authenticator.get(options));

    expect([ofSetup, invented, expired].map(refusalOf)).toEqual(Array(3).fill('SECOND_FACTOR_REQUIRED'));
  });

  it.each([
    ['another origin', { origin: 'http://localhost:1' }],
    ['an origin of another scheme', { origin: 'https://localhost' }],
    ['another relying party', { rpId: 'example.com' }],
    ['the type of a setup', { type: 'webauthn.create' }],
    ['a person who was not there', { flags: 0 }],
  ])('an assertion of %s', async (_what, changes) => {
    const assertion = bobs.authenticator.get(await askForPasskey(host.address, bob), changes);

    expect(refusalOf(await signIn(bob, assertion))).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('a signature that was changed, and uses up its challenge', async () => {
    const assertion = bobs.authenticator.get(await askForPasskey(host.address, bob));

    const changed = await signIn(bob, wrongSignature(assertion));
    const right = await signIn(bob, assertion);

    expect([changed, right].map(refusalOf)).toEqual(['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_REQUIRED']);
  });

  it('a signature counter that goes back, and says so in the audit log', async () => {
    const { authenticator } = await setUpPasskey(host, sessionOf(cat));
    const first = await signIn(cat, authenticator.get(await askForPasskey(host.address, cat), { signCount: 7 }));
    const same = await signIn(cat, authenticator.get(await askForPasskey(host.address, cat), { signCount: 7 }));
    const none = await signIn(cat, authenticator.get(await askForPasskey(host.address, cat), { signCount: 0 }));
    const next = await signIn(cat, authenticator.get(await askForPasskey(host.address, cat), { signCount: 8 }));

    expect([first, same, none, next].map(({ status }) => status)).toEqual([200, 401, 401, 200]);
    expect(same.json.error.message).toContain('counter');
    const { json } = await send(host.address, '/api/platform/audit', { headers: { cookie: cookieOf(next) } });
    expect(json.data).toContainEqual(expect.objectContaining({ action: 'passkey-counter-refused', actor: cat }));
  });

  it('no passkey without a counter, which always sends 0', async () => {
    const { authenticator } = await setUpPasskey(host, sessionOf(dan), false);

    const answers = [
      await signIn(dan, authenticator.get(await askForPasskey(host.address, dan))),
      await signIn(dan, authenticator.get(await askForPasskey(host.address, dan))),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('a code and a passkey in one request', async () => {
    const assertion = bobs.authenticator.get(await askForPasskey(host.address, bob));

    const both = { code: '123456', passkey: assertion };
    const answer = await sendJson(host.address, 'POST', '/api/platform/session', { login: bob, password, ...both });

    expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ path: 'passkey' }] } } });
  });

  describe('in the setup', () => {
    it.each([
      ['another origin', { origin: 'http://localhost:1' }],
      ['another relying party', { rpId: 'example.com' }],
      ['the type of a sign-in', { type: 'webauthn.get' }],
      ['a challenge that the platform did not make', { challenge: 'A'.repeat(43) }],
      ['certificates', { attestation: { fmt: 'packed', attStmt: certified } }],
      ['an unknown attestation', { attestation: { fmt: 'mine', attStmt: new Map() } }],
    ])('a passkey of %s', async (_what, changes) => {
      const { json } = await beginPasskey(host.address, sessionOf(dan));
      const registration = createSoftwareAuthenticator(originOf(host)).create(json.data, changes);

      await expect(addPasskey(host.address, sessionOf(dan), { registration })).resolves.toMatchObject({
        status: 400,
        json: { error: { code: 'VALIDATION_FAILED', details: [{ path: 'registration' }] } },
      });
    });

    it('no passkey that is signed with its own key', async () => {
      const { json } = await beginPasskey(host.address, sessionOf(dan));
      const registration = createSoftwareAuthenticator(originOf(host)).create(json.data, { attestation: 'self' });

      await expect(addPasskey(host.address, sessionOf(dan), { registration })).resolves.toMatchObject({ status: 201 });
    });

    it('a challenge of another user or of the sign-in, and one that was used', async () => {
      const authenticator = createSoftwareAuthenticator(originOf(host));
      const ofBob = await beginPasskey(host.address, sessionOf(bob));
      const byEve = await addPasskey(host.address, sessionOf(eve), {
        registration: authenticator.create(ofBob.json.data),
      });
      const ofSignIn = await addPasskey(host.address, sessionOf(bob), {
        registration: authenticator.create({ ...(await optionsOf(bob)), rp: { id: 'localhost' } }),
      });
      const registration = authenticator.create((await beginPasskey(host.address, sessionOf(eve))).json.data);
      const first = await addPasskey(host.address, sessionOf(eve), { registration });
      const second = await addPasskey(host.address, sessionOf(eve), { registration });

      expect([byEve, ofSignIn, first, second].map(({ status }) => status)).toEqual([400, 400, 201, 400]);
    });

    it('the passkey of another user', async () => {
      const { json } = await beginPasskey(host.address, sessionOf(eve));

      const answer = await addPasskey(host.address, sessionOf(eve), {
        registration: anns.authenticator.create(json.data),
      });

      expect(answer).toMatchObject({ status: 409, json: { error: { code: 'CONFLICT' } } });
    });

    it('changes of the passkeys of another user, and without a session', async () => {
      const path = `${account}/passkeys/${anns.id}`;
      const { token } = (await sendAs(host.address, sessionOf(ann), 'POST', `${account}/tokens`, { name: 'one' })).json
        .data as { readonly token: string };
      const headers = { authorization: `Bearer ${token}` };

      const answers = [
        await sendAs(host.address, sessionOf(bob), 'PATCH', path, { name: 'x' }),
        await sendAs(host.address, sessionOf(bob), 'DELETE', path, { currentPassword: password }),
        await sendJson(host.address, 'DELETE', path, { currentPassword: password }),
        await sendJson(host.address, 'DELETE', path, { currentPassword: password }, headers),
        await sendJson(host.address, 'POST', `${account}/passkey-registration`, { currentPassword: password }, headers),
      ];

      expect(answers.map(({ status }) => status)).toEqual([404, 404, 401, 403, 403]);
    });

    it('more than 10 wrong passwords of a session', async () => {
      const statuses: number[] = [];
      for (let count = 0; count < 11; count += 1) {
        statuses.push((await beginPasskey(host.address, sessionOf(cat), 'wrong')).status);
      }

      expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
    });
  });

  it('never takes the host name from a header', async () => {
    const { json } = await sendJson(
      host.address,
      'POST',
      `${account}/passkey-registration`,
      { currentPassword: password },
      { ...fromPage(host.address, sessionOf(dan)), 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    );

    expect(json.data.rp).toEqual({ name: 'Gantry', id: 'localhost' });
  });

  it('gives recovery codes for exactly one of two factors that are set up at the same time', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['fay.attacked@example.com']);
    const session = await useLink(host.address, secret);
    const begun = await beginPasskey(host.address, session);
    const registration = createSoftwareAuthenticator(originOf(host)).create(begun.json.data);

    const [added, app] = await Promise.all([
      addPasskey(host.address, session, { registration }),
      setUpTotp(host.address, session, password),
    ]);

    expect(added.status).toBe(201);
    expect([added.json.data.recoveryCodes.length, app.recoveryCodes.length].toSorted()).toEqual([0, 10]);
  });

  function sessionOf(login: string): string {
    return sessions[login] ?? '';
  }

  function signIn(login: string, passkey: AssertionJson): Promise<Answer> {
    return sendJson(host.address, 'POST', '/api/platform/session', { login, password, passkey }, client);
  }

  async function optionsOf(login: string): Promise<object> {
    return (await askForPasskey(host.address, login)) as object;
  }

  async function query(sql: string): Promise<void> {
    const client = new Client({
      connectionString: host.databaseUrl,
      options: '-c default_transaction_read_only=off',
    });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}

function refusalOf({ json }: Answer): string {
  return json.error?.code as string;
}

function wrongSignature(assertion: AssertionJson): AssertionJson {
  const signature = Buffer.from(assertion.response.signature, 'base64url');
  signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
  return { ...assertion, response: { ...assertion.response, signature: signature.toString('base64url') } };
}
