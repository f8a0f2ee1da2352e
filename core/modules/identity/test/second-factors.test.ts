import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import {
  createSoftwareAuthenticator,
  type RegistrationJson,
  type SoftwareAuthenticator,
} from '../../../../test/support/software-authenticator';
import { createStderrLogger, openIdentity, type OpenedIdentity, parseConfig } from '@gantry/host';
import { passkeySiteOf, type PasskeySite } from '../src/second-factors/passkey-site';
import type { Identity } from '../src/create-identity';
import { hashSecret } from '../src/tokens/secrets';

const site: PasskeySite = { host: 'cms.example.com', origin: 'https://cms.example.com' };
const otherSite: PasskeySite = { host: 'new.example.com', origin: 'https://new.example.com' };

describe('the second factors of a person', () => {
  let database: TestDatabase;
  let home: string;
  let opened: readonly OpenedIdentity[] = [];
  let count = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    home = mkdtempSync(join(tmpdir(), 'gantry-second-factors-'));
    // As two processes of the platform.
    opened = [await open(), await open()];
  });
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it('answer a challenge of one process at another one, once', async () => {
    const [one, other] = [identity(0), identity(1)];
    const userId = await createUser();
    const authenticator = createSoftwareAuthenticator(site.origin);
    const begun = await one.passkeys.beginRegistration({ userId, login: 'ann' }, site);
    await other.passkeys.add(
      userId,
      await other.passkeys.verify(userId, { registration: authenticator.create(begun) }, site),
    );
    const assertion = authenticator.get(await one.passkeys.beginAssertion(userId, 'sign-in', site));

    await expect(other.passkeys.accept(userId, 'sign-in', assertion, site)).resolves.toBe('accepted');
    await expect(one.passkeys.accept(userId, 'sign-in', assertion, site)).resolves.toBe('refused');
  });

  it('are stored without a challenge or a recovery code that could be read', async () => {
    const userId = await createUser();
    const { recoveryCodes } = await addPasskey(userId);
    const options = await identity().passkeys.beginAssertion(userId, 'sign-in', site);

    const rows = JSON.stringify([
      await query('SELECT * FROM gantry_passkey_challenge'),
      await query('SELECT * FROM gantry_recovery_code'),
    ]);

    expect(rows).not.toContain(options?.challenge);
    expect(rows).toContain(hashSecret(options?.challenge ?? ''));
    expect(rows).not.toContain(recoveryCodes[0]);
  });

  it('keep the latest 10 challenges of a purpose, and none that has expired', async () => {
    const userId = await createUser();
    const { authenticator } = await addPasskey(userId);
    const first = await identity().passkeys.beginAssertion(userId, 'sign-in', site);
    const ofLink = await identity().passkeys.beginAssertion(userId, 'one-time-link', site);
    for (let made = 0; made < 10; made += 1) await identity().passkeys.beginAssertion(userId, 'sign-in', site);
    const accept = (options: unknown, purpose: 'sign-in' | 'one-time-link') =>
      identity().passkeys.accept(userId, purpose, authenticator.get(options), site);

    await expect(accept(first, 'sign-in')).resolves.toBe('refused');
    await expect(accept(ofLink, 'one-time-link')).resolves.toBe('accepted');
    await query(`UPDATE gantry_passkey_challenge SET expires_at = now() - interval '1 second'`);
    await identity().passkeys.beginAssertion(userId, 'sign-in', site);
    await expect(query('SELECT FROM gantry_passkey_challenge')).resolves.toHaveLength(1);
  });

  it('are still needed when the platform gets another host name, where recovery codes help', async () => {
    const userId = await createUser();
    const { authenticator, recoveryCodes } = await addPasskey(userId);
    const { passkeys, secondFactors } = identity();
    const options = await passkeys.beginAssertion(userId, 'sign-in', site);

    await expect(passkeys.beginAssertion(userId, 'sign-in', otherSite)).resolves.toBeUndefined();
    await expect(
      passkeys.accept(
        userId,
        'sign-in',
        authenticator.get(options, { origin: otherSite.origin, rpId: otherSite.host }),
        otherSite,
      ),
    ).resolves.toBe('refused');
    await expect(secondFactors.isRequired(userId)).resolves.toBe(true);
    await expect(secondFactors.acceptCode(userId, recoveryCodes[0] ?? '')).resolves.toBe(true);
    await expect(passkeys.list(userId)).resolves.toMatchObject([{ host: site.host }]);
  });

  it('keep recovery codes of an earlier version, which were those of the app', async () => {
    const userId = await createUser();
    const { secondFactors, totp } = identity();
    await addApp(userId);
    await query('DELETE FROM gantry_recovery_code WHERE user_id = $1', [userId]);
    await query('UPDATE gantry_totp SET recovery_hashes = $2 WHERE user_id = $1', [
      userId,
      ['first', 'second', 'third'].map(hashSecret),
    ]);
    const accept = (code: string) => secondFactors.acceptCode(userId, code);

    expect([await accept('first'), await accept('first')]).toEqual([true, false]);
    await expect(addPasskey(userId)).resolves.toMatchObject({ recoveryCodes: [] });
    await totp.remove(userId);
    expect([await accept('first'), await accept('second'), await accept('second')]).toEqual([false, true, false]);
    const [passkey] = await identity().passkeys.list(userId);
    await identity().passkeys.remove(userId, passkey?.id ?? '');
    await expect(accept('third')).resolves.toBe(false);
  });

  it('are removed together by an administrator', async () => {
    const userId = await createUser();
    const { secondFactors, passkeys, totp } = identity();
    const codes = await addApp(userId);
    await addPasskey(userId);
    await secondFactors.removeAll(userId);

    await expect(secondFactors.isRequired(userId)).resolves.toBe(false);
    await expect(totp.isRequired(userId)).resolves.toBe(false);
    await expect(passkeys.list(userId)).resolves.toEqual([]);
    await expect(secondFactors.acceptCode(userId, codes[0] ?? '')).resolves.toBe(false);
  });

  it('give recovery codes once, when several are added at the same time', async () => {
    const userId = await createUser();

    const { passkeys } = identity();
    const registrations: RegistrationJson[] = [];
    for (let made = 0; made < 6; made += 1) {
      const begun = await passkeys.beginRegistration({ userId, login: 'ann' }, site);
      registrations.push(createSoftwareAuthenticator(site.origin).create(begun));
    }

    const added = await Promise.all(
      registrations.map(async (one) =>
        passkeys.add(userId, await passkeys.verify(userId, { registration: one }, site)),
      ),
    );

    expect(added.flatMap(({ recoveryCodes }) => recoveryCodes)).toHaveLength(10);
  });

  it('get their tables on a database of an earlier version', async () => {
    const userId = await createUser();
    await addApp(userId);
    await query('DROP TABLE gantry_recovery_code, gantry_passkey, gantry_passkey_challenge');
    await query('UPDATE gantry_totp SET recovery_hashes = $2 WHERE user_id = $1', [userId, [hashSecret('first')]]);

    opened = [...opened, await open()];

    await expect(identity(2).secondFactors.isRequired(userId)).resolves.toBe(true);
    await expect(addPasskey(userId)).resolves.toMatchObject({ recoveryCodes: [] });
    await expect(identity(2).secondFactors.acceptCode(userId, 'first')).resolves.toBe(true);
  });

  function open(): Promise<OpenedIdentity> {
    const config = parseConfig({ DATABASE_URL: database.url, GANTRY_HOME: home });
    return openIdentity(config, createStderrLogger('silent'));
  }

  function identity(process = 0): Identity {
    const found = opened[process];
    if (found === undefined) throw new Error('The identity is only known while tests run.');
    return found.identity;
  }

  async function createUser(): Promise<string> {
    count += 1;
    const login = `person${count}@example.com`;
    const { id } = await identity().users.create({
      login,
      displayName: login,
      kind: 'person',
      roles: ['administrator'],
    });
    return id;
  }

  async function addPasskey(
    userId: string,
  ): Promise<{ readonly authenticator: SoftwareAuthenticator; readonly recoveryCodes: readonly string[] }> {
    const authenticator = createSoftwareAuthenticator(site.origin);
    const begun = await identity().passkeys.beginRegistration({ userId, login: 'ann' }, site);
    const registration = authenticator.create(begun);
    const { passkeys } = identity();
    const { recoveryCodes } = await passkeys.add(userId, await passkeys.verify(userId, { registration }, site));
    return { authenticator, recoveryCodes };
  }

  /** @returns the recovery codes */
  async function addApp(userId: string): Promise<readonly string[]> {
    const { secret } = await identity().totp.begin(userId, 'ann');
    return identity().totp.confirm(userId, new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  }

  async function query(sql: string, values: readonly unknown[] = []): Promise<readonly object[]> {
    const client = new Client({ connectionString: database.url, options: '-c default_transaction_read_only=off' });
    await client.connect();
    try {
      return (await client.query<object>(sql, [...values])).rows;
    } finally {
      await client.end();
    }
  }
});

describe('the address at which passkeys are valid', () => {
  it.each([
    [undefined, { host: 'localhost', origin: 'http://localhost:4000' }],
    ['https://cms.example.com', { host: 'cms.example.com', origin: 'https://cms.example.com' }],
    ['https://cms.example.com:8443', { host: 'cms.example.com', origin: 'https://cms.example.com:8443' }],
    ['http://localhost:8080', { host: 'localhost', origin: 'http://localhost:8080' }],
    ['http://cms.example.com', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://127.0.0.1:4000', undefined],
  ])('of %s is %j', (publicUrl, expected) => {
    expect(passkeySiteOf(publicUrl, 4_000)).toEqual(expected);
  });
});
