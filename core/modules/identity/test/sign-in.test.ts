import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { createStderrLogger, openIdentity, type OpenedIdentity, parseConfig } from '@gantry/host';
import type { SignedIn } from '../src/sign-in/sign-in';

const password = 'a first pass phrase';
const other = 'a second pass phrase';
const origin = { address: '127.0.0.1', userAgent: 'test' };

describe('an account that changes while a credential is being compared', () => {
  let database: TestDatabase;
  let opened: OpenedIdentity;
  let home: string;
  let count = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    home = mkdtempSync(join(tmpdir(), 'gantry-sign-in-'));
    opened = await open({});
  });
  afterAll(async () => {
    await opened.close();
    await database.drop();
    rmSync(home, { recursive: true, force: true });
  });

  it('gets no session after its password was changed', async () => {
    const { person, sessionId } = await createPerson();
    await changePassword(person.userId, sessionId);

    await expect(opened.identity.sessions.open(person, origin)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('gets no session after its password was reset, and its browsers are not known any more', async () => {
    const { person } = await createPerson();
    const device = await opened.identity.signIn.rememberDevice(person.userId, undefined);
    await setPassword(person.userId, other);

    await expect(opened.identity.sessions.open(person, origin)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(opened.identity.signIn.isKnownDevice(person.login, device)).resolves.toBe(false);
  });

  it('gets no session while it is disabled, and has none when it is enabled again', async () => {
    const { person, sessionId } = await createPerson();
    const { users, sessions } = opened.identity;
    await users.update(person.userId, { isEnabled: false });
    await expect(sessions.open(person, origin)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await users.update(person.userId, { isEnabled: true });

    await expect(sessions.list(person.userId, sessionId)).resolves.toEqual([]);
  });

  it('has no session when a sign-in and a change of the password run at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { person, sessionId } = await createPerson();
      const signIns = Array.from({ length: 5 }, () => opened.identity.sessions.open(person, origin));
      await Promise.allSettled([changePassword(person.userId, sessionId), ...signIns]);

      const left = await opened.identity.sessions.list(person.userId, sessionId);
      expect(left.map(({ id }) => id)).toEqual([sessionId]);
    }
  });

  it('keeps the password of a reset that came before the change', async () => {
    const { person, sessionId } = await createPerson();
    const changing = changePassword(person.userId, sessionId);
    await setPassword(person.userId, other);

    // One of them is first; in either order, the reset has the last word.
    await changing.catch(() => undefined);
    await expect(opened.identity.signIn.withPassword(person.login, other)).resolves.toBeDefined();
  });

  it('changes no password for a session that has ended', async () => {
    const { person, sessionId } = await createPerson();
    await opened.identity.sessions.remove(person.userId, sessionId);

    await expect(changePassword(person.userId, sessionId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(opened.identity.signIn.withPassword(person.login, password)).resolves.toBeDefined();
  });

  it('gets an error that says which key is missing when its authenticator app was set up with another one', async () => {
    const { person } = await createPerson();
    const { secret } = await opened.identity.totp.begin(person.userId, person.login);
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const [recoveryCode = ''] = await opened.identity.totp.confirm(person.userId, app.generate());
    const elsewhere = await open({ GANTRY_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') });
    try {
      const { secondFactors } = elsewhere.identity;

      await expect(secondFactors.acceptCode(person.userId, app.generate())).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(secondFactors.acceptCode(person.userId, recoveryCode)).resolves.toBe(true);
    } finally {
      await elsewhere.close();
    }
  });

  it.each(['a\u0007@example.com', `${'a'.repeat(250)}@example.com`, 'ann', ''])(
    'cannot be created as %j',
    async (login) => {
      const user = { login, displayName: 'Ann', kind: 'person', roles: ['administrator'] } as const;

      await expect(opened.identity.users.create(user)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  function open(environment: Readonly<Record<string, string>>): Promise<OpenedIdentity> {
    const config = parseConfig({ DATABASE_URL: database.url, GANTRY_HOME: home, ...environment });
    return openIdentity(config, createStderrLogger('silent'));
  }

  /** A person with a password and a session. */
  async function createPerson(): Promise<{ readonly person: SignedIn; readonly sessionId: string }> {
    count += 1;
    const login = `person${count}@example.com`;
    const { users, sessions } = opened.identity;
    const { id } = await users.create({ login, displayName: login, kind: 'person', roles: ['administrator'] });
    const person = await setPassword(id, password);
    await sessions.open(person, origin);
    const [session] = await sessions.list(id, undefined);
    return { person, sessionId: session?.id ?? '' };
  }

  async function setPassword(userId: string, text: string): Promise<SignedIn> {
    const { secret } = await opened.identity.users.createLink(userId);
    const { signIn } = opened.identity;
    const person = await signIn.withLink(secret, await signIn.hashPassword(text));
    if (person === undefined) throw new Error('The link was not accepted.');
    return person;
  }

  async function changePassword(userId: string, sessionId: string): Promise<void> {
    const change = { userId, sessionId, current: password, next: 'a third pass phrase' };
    const { signIn } = opened.identity;
    await signIn.changePassword(await signIn.prepareChange(change));
  }
});
