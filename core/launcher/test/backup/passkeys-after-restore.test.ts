import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dumpDatabase } from '../../src/backup/database/dump-database';
import { loadDatabase } from '../../src/backup/database/load-database';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { startTestHost, type TestHost } from '../../../../test/support/platform';
import { sendJson, type Answer } from '../../../../test/support/rest-client';
import { createUsers, password, untilSignInIsRequired, useLink } from '../../../../test/e2e/sign-in/support/accounts';
import { askForPasskey, originOf, setUpPasskey } from '../../../../test/e2e/sign-in/support/passkeys';

const ann = 'ann@example.com';
const never = new AbortController().signal;

describe('a passkey on a platform that was restored from a backup', () => {
  const databases: TestDatabase[] = [];
  const hosts: TestHost[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'gantry-test-passkeys-'));

  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await Promise.all(databases.map((database) => database.drop()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('signs in, and a challenge from before the backup is not valid', async () => {
    const source = await createDatabase();
    const before = await startHost(source);
    const [secret = ''] = await createUsers(source, [ann]);
    await untilSignInIsRequired(before.address);
    const { authenticator, recoveryCodes } = await setUpPasskey(before, await useLink(before.address, secret));
    const earlier = await askForPasskey(before.address, ann);
    const manifest = await dumpDatabase({ url: source, folder, signal: never, atSnapshot: (take) => take() });
    const target = await createDatabase();
    await loadDatabase({ url: target, folder, manifest, signal: never });
    const after = await startHost(target);
    const origin = originOf(after);

    const answers = [
      await signIn(after, { passkey: authenticator.get(earlier, { origin }) }),
      await signIn(after, { passkey: authenticator.get(await askForPasskey(after.address, ann), { origin }) }),
      await signIn(after, { code: recoveryCodes[0] }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
  });

  async function createDatabase(): Promise<string> {
    const database = await createTestDatabase();
    databases.push(database);
    return database.url;
  }

  async function startHost(databaseUrl: string): Promise<TestHost> {
    const host = await startTestHost({ databaseUrl });
    hosts.push(host);
    return host;
  }
});

function signIn({ address }: TestHost, proof: object): Promise<Answer> {
  return sendJson(address, 'POST', '/api/platform/session', { login: ann, password, ...proof });
}
