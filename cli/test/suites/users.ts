import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '@gantry/host/config';
import { createStderrLogger, openIdentity } from '@gantry/host/open-identity';
import { createSoftwareAuthenticator } from '../../../test/support/software-authenticator';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

export function describeUsers(commands: Commands): void {
  describe('gantry users, tokens and auth', () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await openBench(['plugins/articles'], commands);
    });
    afterAll(() => bench.close());

    it('say that the platform is open, and what needs a token afterwards', async () => {
      await expect(bench.json(['auth', 'check'])).resolves.toMatchObject({ mode: 'open' });
      await expect(bench.json(['users', 'list'])).resolves.toEqual([]);
      expect((await bench.gantry(['auth', 'check'])).stdout).toContain('/metrics');
    });

    it.each([
      [['users', 'create', 'ann', '--role', 'administrator'], /login .*email address/],
      [['users', 'create', 'ann@example.com'], /at least one role/],
      [
        ['users', 'create', 'ann@example.com', '--role', 'king'],
        / role king\. .*: administrator, editor, reader, operator\./,
      ],
      [['users', 'create', 'import', '--service', '--role', 'administrator'], /first user .* person/],
      [['users', 'reset', 'nobody@example.com'], / no user nobody@example\.com/],
      [['tokens', 'create', 'nobody', '--name', 'x', '--days', '0'], /--days .* 1 to 3650/],
      [['auth', 'disable'], / --yes /],
    ])('refuse %j', async (words, named) => {
      const { code, stderr } = await bench.gantry(words);

      expect(code).not.toBe(0);
      expect(stderr).toMatch(named);
    });

    it('refuse a home that no platform has used, and make none', async () => {
      const home = join(bench.home, 'other');
      // Without DATABASE_URL, the home would get a database.
      const environment = { DATABASE_URL: '', GANTRY_HOME: home };
      const { code, stderr } = await bench.gantry(['users', 'create', 'ann@example.com', '--role', 'administrator'], {
        environment,
      });

      expect([code, stderr]).toEqual([1, expect.stringContaining(`no platform in ${home}`)]);
      expect(stderr).toContain('GANTRY_HOME');
      expect(existsSync(home)).toBe(false);
    });

    it('create the first administrator, whose link is printed', async () => {
      const { code, stdout } = await bench.gantry(['users', 'create', 'ann@example.com', '--role', 'administrator']);

      expect(code).toBe(0);
      expect(stdout).toMatch(/Sign-in is required .*\n.*\n {2}http:\/\/localhost:\d+\/admin\/set-password#[\w-]{43}\n/);
      await expect(bench.json(['auth', 'check'])).resolves.toMatchObject({ mode: 'sign-in' });
    });

    it('keep the last administrator', async () => {
      for (const command of ['disable', 'delete']) {
        const { code, stderr } = await bench.gantry(['users', command, 'ann@example.com']);
        expect([code, stderr]).toEqual([1, expect.stringContaining('last enabled administrator')]);
      }
    });

    it('give other roles, export and import them', async () => {
      const role = { name: 'viewer', grants: [{ on: { plugin: 'articles' }, actions: ['read'] }] };
      const file = bench.file('roles.json', JSON.stringify({ formatVersion: 1, roles: [role] }));
      await bench.gantry(['roles', 'import', file]);
      await bench.gantry(['users', 'create', 'bob@example.com', '--role', 'viewer']);

      await expect(
        bench.json(['users', 'set-roles', 'bob@example.com', '--role', 'reader', '--role', 'viewer']),
      ).resolves.toMatchObject({ roles: ['reader', 'viewer'] });
      const { stdout } = await bench.gantry(['roles', 'export']);
      expect(JSON.parse(stdout)).toEqual({
        formatVersion: 1,
        roles: [{ ...role, displayName: 'viewer', description: '', permissions: [] }],
      });
      await expect(bench.json(['roles', 'list'])).resolves.toHaveLength(6);
      await bench.gantry(['users', 'delete', 'bob@example.com']);
    });

    it.each([
      ['{', 'not JSON'],
      ['{"formatVersion":2,"roles":[]}', 'formatVersion'],
      ['{"formatVersion":1,"roles":[{"name":"A"}]}', 'roles.0.name'],
      ['{"formatVersion":1,"roles":[{"name":"fine"},{"name":"editor"}]}', 'role editor'],
    ])('import no roles of the file %s', async (text, message) => {
      const file = bench.file('wrong.json', text);

      const { code, stderr } = await bench.gantry(['roles', 'import', file]);

      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
      await expect(bench.json(['roles', 'list'])).resolves.toHaveLength(6);
    });

    it('remove all second factors with the reset of a password, if they are asked to', async () => {
      const config = parseConfig({ DATABASE_URL: bench.database.url, GANTRY_HOME: bench.home });
      const { identity, close } = await openIdentity(config, createStderrLogger('silent'));
      try {
        const { id } = (await identity.users.findByLogin('ann@example.com')) ?? { id: '' };
        const site = { host: 'localhost', origin: 'http://localhost:4000' };
        const begun = await identity.passkeys.beginRegistration({ userId: id, login: 'ann@example.com' }, site);
        const registration = createSoftwareAuthenticator(site.origin).create(begun);
        const { passkeys } = identity;
        const { recoveryCodes } = await passkeys.add(id, await passkeys.verify(id, { registration }, site));
        await bench.gantry(['users', 'reset', 'ann@example.com']);
        await expect(identity.secondFactors.isRequired(id)).resolves.toBe(true);

        const { code } = await bench.gantry(['users', 'reset', 'ann@example.com', '--second-factor']);

        expect(code).toBe(0);
        await expect(identity.secondFactors.isRequired(id)).resolves.toBe(false);
        await expect(identity.secondFactors.acceptCode(id, recoveryCodes[0] ?? '')).resolves.toBe(false);
      } finally {
        await close();
      }
    });

    it('name what works on after the reset of a password, and end it if they are asked to', async () => {
      const config = parseConfig({ DATABASE_URL: bench.database.url, GANTRY_HOME: bench.home });
      const { identity, close } = await openIdentity(config, createStderrLogger('silent'));
      try {
        const { id } = (await identity.users.findByLogin('ann@example.com')) ?? { id: '' };
        const { id: token } = await identity.apiTokens.create(id, { name: 'of a thief', expiresInDays: 3_650 });

        const { stdout } = await bench.gantry(['users', 'reset', 'ann@example.com']);
        const ended = await bench.json(['users', 'reset', 'ann@example.com', '--revoke-tokens', '--delete-webhooks']);

        expect(stdout).toMatch(new RegExp(`--revoke-tokens.*\\n.*\\n${token} +of a thief`));
        expect(ended).toMatchObject({ remaining: { tokens: [], webhooks: [] } });
        await expect(identity.apiTokens.list(id)).resolves.toEqual([]);
      } finally {
        await close();
      }
    });

    it('encrypt the stored secrets with another key', async () => {
      await expect(bench.json(['auth', 'rotate-key'])).resolves.toEqual({ encrypted: 0, unreadable: 0 });
      const { code, stdout } = await bench.gantry(['auth', 'rotate-key']);
      expect([code, stdout]).toEqual([0, 'Encrypted 0 secrets with the newest key.\n']);
      const [event] = (await bench.json(['auth', 'log'])) as readonly { readonly action: string }[];
      expect(event?.action).toBe('key-rotated');
    });

    it('create a token of a service account, list and revoke it', async () => {
      await bench.gantry(['users', 'create', 'price-import', '--service', '--role', 'administrator']);
      const { stdout } = await bench.gantry(['tokens', 'create', 'price-import', '--name', 'nightly']);
      expect(stdout).toMatch(/^gty_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}\n$/);

      const [token] = (await bench.json(['tokens', 'list'])) as readonly {
        readonly id: string;
        readonly name: string;
      }[];
      expect(token).toMatchObject({ id: stdout.slice(4, 16), name: 'nightly' });
      await bench.gantry(['tokens', 'revoke', token?.id ?? '']);

      await expect(bench.json(['tokens', 'list'])).resolves.toEqual([]);
    });

    it('write down what they did', async () => {
      const events = (await bench.json(['auth', 'log'])) as readonly {
        readonly action: string;
        readonly actor: string;
      }[];

      expect(events.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
        'command token-revoked',
        'command token-created',
        'command user-created',
        'command key-rotated',
        'command key-rotated',
        'command token-revoked',
        'command password-reset-requested',
        'command password-reset-requested',
        'command password-reset-requested',
        'command password-reset-requested',
        'command user-deleted',
        'command user-changed',
        'command user-created',
        'command roles-imported',
        'command sign-in-switched-on',
        'command user-created',
      ]);
    });

    it('open the platform again', async () => {
      await expect(bench.json(['auth', 'disable', '--yes'])).resolves.toEqual({ mode: 'open', wasOn: true });

      await expect(bench.json(['auth', 'check'])).resolves.toMatchObject({ mode: 'open' });
    });
  });
}
