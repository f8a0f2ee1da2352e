import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import { cookieOf, sendAs, untilSignInIsRequired } from '../../../../test/e2e/sign-in/support/accounts';
import {
  configureProvider,
  createJar,
  refusalOf,
  signInByProvider,
  startIdentityProvider,
  toCallback,
  visit,
} from '../../../../test/e2e/sign-in/support/identity-provider';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { freePort } from '../../../../test/support/free-port';
import { startTestHost, type TestHost } from '../../../../test/support/platform';

const never = new AbortController().signal;
const secretKey = randomBytes(32).toString('base64');
const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

describe('the identity provider of a platform that was restored from a backup', () => {
  it('knows the same people, with the same client secret; sign-ins that waited have ended', async () => {
    const port = String(await freePort());
    const provider = await startIdentityProvider({
      redirectUris: [`http://127.0.0.1:${port}/api/platform/oidc/callback`],
    });
    ends.push(provider.close);
    provider.people.set('ann', { email: 'ann@example.com', email_verified: true, groups: ['admins'] });
    const source = await createDatabase();
    const first = await open(source.url, port);
    await configureProvider({ databaseUrl: source.url, secretKey }, { issuer: provider.issuer });
    await untilSignInIsRequired(first.address);
    const session = cookieOf(await signInByProvider(createJar(), first.address, 'ann'));
    const jar = createJar();
    const waiting = await toCallback(jar, first.address, 'ann');
    await first.stop();

    const folder = mkdtempSync(join(tmpdir(), 'gantry-test-provider-'));
    ends.push(async () => rmSync(folder, { recursive: true, force: true }));
    const manifest = await dumpDatabase({ url: source.url, folder, signal: never, atSnapshot: (take) => take() });
    const target = await createDatabase();
    await loadDatabase({ url: target.url, folder, manifest, signal: never });

    const { address } = await open(target.url, port);
    // Only a person who is known already may have such an address.
    provider.people.set('ann', { email: 'new@example.com', email_verified: false, groups: ['admins'] });
    expect(refusalOf(await visit(jar, waiting))).toBe('expired');
    expect((await sendAs(address, session, 'GET', '/api/platform/users')).status).toBe(401);
    const restored = cookieOf(await signInByProvider(createJar(), address, 'ann'));
    const { json } = await sendAs(address, restored, 'GET', '/api/platform/users');
    expect(json.data).toMatchObject([{ login: 'ann@example.com', identityProvider: provider.issuer }]);
  });
});

async function createDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  ends.push(database.drop);
  return database;
}

async function open(databaseUrl: string, port: string): Promise<TestHost> {
  const host = await startTestHost({
    plugins: ['plugins/articles'],
    databaseUrl,
    environment: { GANTRY_PORT: port, GANTRY_SECRET_KEY: secretKey },
  });
  ends.push(host.stop);
  return host;
}
