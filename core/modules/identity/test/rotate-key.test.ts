import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@gantry/plugin-api';
import { Secret, TOTP } from 'otpauth';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { createStderrLogger } from '@gantry/host';
import { createDatabase, bringUpToDate, type HostDatabase } from '@gantry/core-database';
import { identitySchema } from '../src/tables';
import { readOidcClient, writeOidcClient } from '../src/oidc/oidc-settings';
import { rotateKey } from '../src/rotate-key';
import { createSecretBox } from '@gantry/core-common';
import { createTotp } from '../src/second-factors/totp';
import { createUsers } from '../src/accounts/users';

const client = {
  issuer: 'https://login.example.com',
  clientId: 'gantry',
  clientSecret: 'a secret',
  name: 'Example',
  groupsClaim: 'groups',
  roles: [],
  linksByEmail: false,
};

const author = { actor: 'command', address: '' };

describe('another key for stored secrets', () => {
  const logger = createStderrLogger('silent');
  let test: TestDatabase;
  let database: HostDatabase;
  let store: Database;
  let home: string;
  let userId: string;
  let app: string;

  beforeAll(async () => {
    test = await createTestDatabase();
    await bringUpToDate({ databaseUrl: test.url, plugins: [identitySchema], logger });
    database = createDatabase({ url: test.url, logger });
    store = database.plugins;
    const user = { login: 'ann@example.com', kind: 'person', roles: ['administrator'] } as const;
    ({ id: userId } = await createUsers(store).create(user));
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'gantry-key-'));
    await createTotp(store, box()).remove(userId);
    app = (await createTotp(store, box()).begin(userId, 'ann@example.com')).secret;
    await createTotp(store, box()).confirm(userId, code(0));
    await writeOidcClient(store, box(), client);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('is used by processes that run, and the one before it is not needed', async () => {
    const running = box();
    await expect(readOidcClient(store, running)).resolves.toEqual(client);

    await expect(rotateKey(store, box(), author)).resolves.toEqual({ encrypted: 2, unreadable: 0 });

    const [newest = '', earlier = ''] = keys();
    await expect(readOidcClient(store, running)).resolves.toEqual(client);
    await expect(createTotp(store, running).accept(userId, code(30))).resolves.toBe(true);
    await expect(readOidcClient(store, createSecretBox(home, newest))).resolves.toEqual(client);
    await expect(readOidcClient(store, createSecretBox(home, earlier))).rejects.toThrow(/decrypted/);
  });

  it('loses nothing when two run at once, and leaves two keys', async () => {
    const rotations = await Promise.all([1, 2, 3, 4].map(() => rotateKey(store, box(), author)));

    expect(rotations).toEqual(rotations.map(() => ({ encrypted: 2, unreadable: 0 })));
    await expect(readOidcClient(store, box())).resolves.toEqual(client);
    await expect(createTotp(store, box()).accept(userId, code(30))).resolves.toBe(true);
    expect(keys()).toHaveLength(2);
  });

  it('loses nothing when it is interrupted, as often as that is', async () => {
    const failing: Database = {
      ...store,
      transaction: (work) =>
        store.transaction(async (inside) => {
          throw new Error(JSON.stringify(await work(inside)));
        }),
    };
    for (let count = 0; count < 3; count += 1) {
      await expect(rotateKey(failing, box(), author)).rejects.toThrow('{"encrypted":2,"unreadable":0}');
    }
    await expect(readOidcClient(store, box())).resolves.toEqual(client);
    await expect(rotateKey(store, box(), author)).resolves.toEqual({ encrypted: 2, unreadable: 0 });
    await expect(readOidcClient(store, box())).resolves.toEqual(client);
    expect(keys()).toHaveLength(2);
  });

  it('keeps all keys while a secret cannot be decrypted', async () => {
    const [lost = ''] = keys();
    writeFileSync(join(home, 'secret-key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);

    await expect(rotateKey(store, box(), author)).resolves.toEqual({ encrypted: 0, unreadable: 2 });
    await expect(rotateKey(store, box(), author)).resolves.toEqual({ encrypted: 0, unreadable: 2 });
    writeFileSync(join(home, 'secret-key'), `${[...keys(), lost].join('\n')}\n`);

    await expect(rotateKey(store, box(), author)).resolves.toEqual({ encrypted: 2, unreadable: 0 });
    await expect(readOidcClient(store, box())).resolves.toEqual(client);
    expect(keys()).toHaveLength(2);
  });

  function box() {
    return createSecretBox(home, undefined);
  }

  function keys(): readonly string[] {
    return readFileSync(join(home, 'secret-key'), 'utf8').trim().split('\n');
  }

  /** Of the app, some seconds from now. */
  function code(seconds: number): string {
    return new TOTP({ secret: Secret.fromBase32(app) }).generate({ timestamp: Date.now() + seconds * 1_000 });
  }
});
