import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import {
  cookieOf,
  createUsers,
  password,
  sendAs,
  untilSignInIsRequired,
  useLink,
} from '../../../../test/e2e/sign-in/support/accounts';
import {
  configureProvider,
  createJar,
  refusalOf,
  signInByProvider,
  startIdentityProvider,
  toCallback,
  visit,
} from '../../../../test/e2e/sign-in/support/identity-provider';
import { askForPasskey, originOf, setUpPasskey } from '../../../../test/e2e/sign-in/support/passkeys';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { freePort } from '../../../../test/support/free-port';
import { startTestHost, type TestHost } from '../../../../test/support/platform';
import { sendJson, type Answer } from '../../../../test/support/rest-client';

const never = new AbortController().signal;
const secretKey = randomBytes(32).toString('base64');
const [ann, ben] = ['ann@example.com', 'ben@example.com'];
const ends: (() => Promise<void>)[] = [];

/** A person with a passkey and one of an identity provider, and the platform that their platform was restored to. */
let port: string;
let before: Before;
let restored: TestHost;

type Before = Awaited<ReturnType<typeof prepare>>;

beforeAll(async () => {
  port = String(await freePort());
  const source = await createDatabase();
  const host = await open(source.url);
  before = await prepare(host);
  await host.stop();

  const folder = mkdtempSync(join(tmpdir(), 'gantry-test-sign-in-'));
  ends.push(async () => rmSync(folder, { recursive: true, force: true }));
  const manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
  const target = await createDatabase();
  await loadDatabase({ url: target.url, folder, manifest, signal: never });
  restored = await open(target.url);
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
});

async function prepare(host: TestHost) {
  const { address, databaseUrl } = host;
  const provider = await startIdentityProvider({
    redirectUris: [`http://127.0.0.1:${port}/api/platform/oidc/callback`],
  });
  ends.push(provider.close);
  provider.people.set('ben', { email: ben, email_verified: true, groups: ['admins'] });
  const [secret = ''] = await createUsers(databaseUrl, [ann]);
  await configureProvider({ databaseUrl, secretKey }, { issuer: provider.issuer });
  await untilSignInIsRequired(address);
  const { authenticator, recoveryCodes } = await setUpPasskey(host, await useLink(address, secret));
  const session = cookieOf(await signInByProvider(createJar(), address, 'ben'));
  const jar = createJar();
  return {
    ...{ provider, authenticator, recoveryCodes, session, jar },
    challenge: await askForPasskey(address, ann),
    callback: await toCallback(jar, address, 'ben'),
  };
}

describe('a passkey on a platform that was restored from a backup', () => {
  it('signs in, and a challenge from before the backup is not valid', async () => {
    const { authenticator, challenge, recoveryCodes } = before;
    const origin = originOf(restored);

    const answers = [
      await signIn({ passkey: authenticator.get(challenge, { origin }) }),
      await signIn({ passkey: authenticator.get(await askForPasskey(restored.address, ann), { origin }) }),
      await signIn({ code: recoveryCodes[0] }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });

  function signIn(proof: object): Promise<Answer> {
    return sendJson(restored.address, 'POST', '/api/platform/session', { login: ann, password, ...proof });
  }
});

describe('the identity provider of a platform that was restored from a backup', () => {
  it('knows the same people, with the same client secret; sign-ins that waited have ended', async () => {
    const { address } = restored;
    const { provider, session, jar, callback } = before;
    // Only a person who is known already may have such an address.
    provider.people.set('ben', { email: 'new@example.com', email_verified: false, groups: ['admins'] });

    expect(refusalOf(await visit(jar, callback))).toBe('expired');
    expect((await sendAs(address, session, 'GET', '/api/platform/users')).status).toBe(401);
    const cookie = cookieOf(await signInByProvider(createJar(), address, 'ben'));
    const { json } = await sendAs(address, cookie, 'GET', '/api/platform/users');
    expect(json.data.find(({ login }: { readonly login: string }) => login === ben)).toMatchObject({
      identityProvider: provider.issuer,
    });
    expect(json.data).toHaveLength(2);
  });
});

async function createDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  ends.push(database.drop);
  return database;
}

async function open(databaseUrl: string): Promise<TestHost> {
  const host = await startTestHost({
    plugins: ['plugins/articles'],
    databaseUrl,
    environment: { GANTRY_PORT: port, GANTRY_SECRET_KEY: secretKey },
  });
  ends.push(host.stop);
  return host;
}
