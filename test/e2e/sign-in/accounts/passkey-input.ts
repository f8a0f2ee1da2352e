import type { TestHost } from '../../../support/platform';
import { sendJson } from '../../../support/rest-client';
import { createSoftwareAuthenticator } from '../../../support/software-authenticator';
import { createUsers, password, sendAs, untilSignInIsRequired, useLink } from '../support/accounts';
import {
  addPasskey,
  askForPasskey,
  beginPasskey,
  originOf,
  setUpPasskey,
  type AddedPasskey,
} from '../support/passkeys';

const ann = 'ann.input@example.com';
const account = '/api/platform/account';
/** Its attempts are counted apart from those of others. */
const client = { 'x-forwarded-for': '198.51.100.3' };

const wrongValues: readonly unknown[] = [null, 5, true, [], ['A'], {}, '', 'no base64url!', 'A'.repeat(100_000)];

type Json = Readonly<Record<string, unknown>>;

/** On a host that trusts the proxies of this machine. */
export function testPasskeyInput(host: TestHost): void {
  let session = '';
  let earlier = 0;
  let added: AddedPasskey;

  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    await untilSignInIsRequired(host.address);
    session = await useLink(host.address, secret);
    earlier = host.output().length;
    added = await setUpPasskey(host, session);
  });

  it.each([
    'id',
    'rawId',
    'type',
    'response',
    'response.clientDataJSON',
    'response.authenticatorData',
    'response.signature',
  ])('is refused with a wrong type of %s at the sign-in', async (path) => {
    const assertion: unknown = added.authenticator.get(await askForPasskey(host.address, ann));
    const statuses = await statusesOf([...wrongValues, undefined], (value) =>
      signIn({ passkey: withValue(assertion as Json, path, value) }),
    );

    expect(statuses).toEqual([...wrongValues, undefined].map(() => 400));
    // None of them has used the challenge.
    await expect(signIn({ passkey: assertion })).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    'id',
    'rawId',
    'type',
    'response',
    'response.clientDataJSON',
    'response.attestationObject',
    'response.transports',
  ])('is refused with a wrong type of %s in the setup', async (path) => {
    const { json } = await beginPasskey(host.address, session);
    const registration: unknown = createSoftwareAuthenticator(originOf(host)).create(json.data);
    const values =
      path === 'response.transports' ? [null, 5, 'usb', {}, [5], ['A'], Array(11).fill('usb')] : wrongValues;
    const statuses = await statusesOf(values, (value) =>
      addPasskey(host.address, session, { registration: withValue(registration as Json, path, value) }),
    );

    expect(statuses).toEqual(values.map(() => 400));
  });

  it('is refused with a wrong type of a whole passkey, a name or a password', async () => {
    const { json } = await beginPasskey(host.address, session);
    const registration = createSoftwareAuthenticator(originOf(host)).create(json.data);
    const notObjects = [null, 5, true, [], 'text', {}];
    const notNames = [null, 5, true, [], {}, '', '  ', 'a\u0000b', 'a\nb', 'a'.repeat(101)];
    const notPasswords = [null, 5, true, [], {}, undefined, 'a'.repeat(1_025)];
    const statuses = [
      ...(await statusesOf(notObjects, (passkey) => signIn({ passkey }))),
      ...(await statusesOf(notObjects, (value) => addPasskey(host.address, session, { registration: value }))),
      ...(await statusesOf(notNames, (name) => addPasskey(host.address, session, { name, registration }))),
      ...(await statusesOf(notNames, (name) => change('PATCH', { name }))),
      ...(await statusesOf(notPasswords, (currentPassword) => change('DELETE', { currentPassword }))),
      ...(await statusesOf(notPasswords.slice(0, 5), (value) => beginPasskey(host.address, session, value))),
      ...(await statusesOf([[], 5, null, 'text'], (body) => change('PATCH', body))),
    ];

    expect(statuses.filter((status) => status !== 400)).toEqual([]);
  });

  it('is refused when the bytes are not those of an authenticator', async () => {
    const { challenge } = (await askForPasskey(host.address, ann)) as { readonly challenge: string };
    const assertion = added.authenticator.get({ challenge, rpId: 'localhost' });
    const statuses = await statusesOf(
      [
        ...['null', '5', '[]', '{}', '{', '{"challenge":{}}', `{"challenge":"${challenge}","type":[],"origin":5}`],
        '\u0000',
      ].map((text) => Buffer.from(text).toString('base64url')),
      (clientDataJSON) => signIn({ passkey: withValue({ ...assertion }, 'response.clientDataJSON', clientDataJSON) }),
    );

    expect(statuses).toEqual(Array(8).fill(401));
  });

  it.each([
    ['authenticatorData', 'AA'],
    ['authenticatorData', Buffer.alloc(4_000, 0xff).toString('base64url').slice(0, 4_096)],
    ['signature', 'AA'],
  ])('is refused with other bytes of %s', async (member, bytes) => {
    const [secret = ''] = await createUsers(host.databaseUrl, [ann]);
    const use = (more: object) =>
      sendJson(host.address, 'POST', '/api/platform/one-time-links', { secret, password, ...more }, client);
    const { json } = await use({});
    const assertion = added.authenticator.get(json.error.secondFactor.passkey.options);

    const answer = await use({ passkey: withValue({ ...assertion }, `response.${member}`, bytes) });

    expect(answer).toMatchObject({ status: 401, json: { error: { code: 'SECOND_FACTOR_REQUIRED' } } });
  });

  it.each([
    ['no CBOR', '_____w'],
    ['a number', 'AA'],
    ['arrays in arrays', Buffer.alloc(48_000, 0x81).toString('base64url')],
    ['a map of a length that it does not have', Buffer.from('bbffffffffffffffff', 'hex').toString('base64url')],
    ['an empty map', Buffer.from('a0', 'hex').toString('base64url')],
  ])('is refused with an attestation that is %s', async (_what, bytes) => {
    const { json } = await beginPasskey(host.address, session);
    const registration = createSoftwareAuthenticator(originOf(host)).create(json.data);

    const answer = await addPasskey(host.address, session, {
      registration: withValue({ ...registration }, 'response.attestationObject', bytes),
    });

    expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ path: 'registration' }] } } });
  });

  it('leaves no fault in the log', () => {
    expect(host.output().slice(earlier)).not.toContain('request failed');
  });

  function signIn(more: object) {
    return sendJson(host.address, 'POST', '/api/platform/session', { login: ann, password, ...more }, client);
  }

  function change(method: string, body: unknown) {
    return sendAs(host.address, session, method, `${account}/passkeys/${added.id}`, body);
  }
}

async function statusesOf<T>(
  values: readonly T[],
  use: (value: T) => Promise<{ readonly status: number }>,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const value of values) statuses.push((await use(value)).status);
  return statuses;
}

/** A copy with another value at the path; undefined leaves the member out. */
function withValue(json: Json, path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withValue(json[name] as Json, rest.join('.'), value);
  return { ...json, [name]: inner };
}
