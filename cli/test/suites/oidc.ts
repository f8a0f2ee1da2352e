import { startIdentityProvider, type IdentityProvider } from '../../../test/e2e/sign-in/support/identity-provider';
import { execute } from '../../../test/support/database';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

const secret = 'the secret of the client';

export function describeOidc(commands: Commands): void {
  describe('gantry auth oidc', () => {
    let bench: Bench;
    let provider: IdentityProvider;
    beforeAll(async () => {
      bench = await openBench(['plugins/articles'], commands);
      provider = await startIdentityProvider({ redirectUris: [] });
    });
    afterAll(async () => {
      await provider.close();
      await bench.close();
    });

    const set = (...words: readonly string[]): readonly string[] => [
      ...['auth', 'oidc', 'set', '--issuer', provider.issuer, '--client-id', 'gantry', '--client-secret-file'],
      ...[bench.file('secret', `${secret}\n`), ...words],
    ];

    it('shows that nothing is configured', async () => {
      await expect(bench.json(['auth', 'oidc', 'show'])).resolves.toBeNull();
      expect((await bench.gantry(['auth', 'oidc', 'remove'])).stdout).toMatch(/^No identity provider .+\n$/);
    });

    it.each([
      [['--role', 'staff'], /--role "staff" .*<group>=<role>/, 2],
      [['--role', 'staff='], /--role "staff=" .*<group>=<role>/, 2],
      [[], /No role .*default role/, 1],
      [['--role', 'staff=king'], / role king\. .*: administrator, editor, reader, operator\./, 1],
      [['--role', 'staff=public'], / role public\./, 1],
      [['--role', 'staff=reader'], / group to the role administrator/, 1],
      [['--default-role', 'administrator'], /default role .* administrator/, 1],
      [['--role', 'staff=reader', '--name', ' '], /^gantry: The name /, 1],
      [['--role', 'staff=reader', '--groups-claim', '\u0007'], /groups claim /, 1],
    ])('refuses %j', async (words, named, exitCode) => {
      const { code, stderr } = await bench.gantry(set(...words));

      expect([code, stderr]).toEqual([exitCode, expect.stringMatching(named)]);
      await expect(bench.json(['auth', 'check'])).resolves.toMatchObject({ mode: 'open' });
    });

    it.each([
      ['login.example.com', /issuer .* https:\/\/login\.example\.com\./],
      ['ftp://login.example.com', /issuer .* https:\/\/login\.example\.com\./],
      ['http://login.example.com', /issuer .* begin with https:/],
      ['http://127.0.0.1.example.com', /issuer .* begin with https:/],
      ['https://user:word@login.example.com', /issuer .* without a user/],
      ['https://login.example.com/?a=b', /issuer .* without a user/],
      ['http://127.0.0.1:9', / http:\/\/127\.0\.0\.1:9 .*reached/],
    ])('refuses the issuer %s', async (issuer, named) => {
      const words = set('--role', 'admins=administrator').map((word) => (word === provider.issuer ? issuer : word));

      const { code, stderr } = await bench.gantry(words);

      expect([code, stderr]).toEqual([1, expect.stringMatching(named)]);
    });

    it('refuses an issuer that answers as another one', async () => {
      const other = provider.issuer.replace('127.0.0.1', 'localhost');
      const words = set('--role', 'admins=administrator').map((word) => (word === provider.issuer ? other : word));

      const { code, stderr } = await bench.gantry(words);

      expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(` ${other} .* answer `))]);
    });

    it('refuses a file without a secret, and one that does not exist', async () => {
      const words = set('--role', 'admins=administrator');
      bench.file('secret', '\n');
      expect((await bench.gantry(words)).stderr).toContain('no client secret');

      const missing = words.map((word) => (word.endsWith('secret') ? `${word}-missing` : word));
      expect((await bench.gantry(missing)).stderr).toContain('secret-missing does not exist');
    });

    it('switches sign-in on with a secret of standard input, and prints it nowhere', async () => {
      const words = [
        '--role',
        'cn=admins,dc=example=administrator',
        '--role',
        'staff=reader',
        '--role',
        'staff=operator',
      ];
      const run = await bench.gantry(
        set(...words, '--name', 'Example login', '--link-by-email').map((word) =>
          word.endsWith('/secret') ? '-' : word,
        ),
        { input: `${secret}\n` },
      );

      expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('Sign-in is required')]);
      expect(run.stdout).toMatch(/redirect URI http:\/\/localhost:\d+\/api\/platform\/oidc\/callback\n/);
      await expect(bench.json(['auth', 'check'])).resolves.toMatchObject({ mode: 'sign-in' });
      const shown = await bench.gantry(['auth', 'oidc', 'show', '--json']);
      expect(JSON.parse(shown.stdout)).toEqual({
        data: {
          issuer: provider.issuer,
          clientId: 'gantry',
          name: 'Example login',
          groupsClaim: 'groups',
          roles: [
            { group: 'cn=admins,dc=example', role: 'administrator' },
            { group: 'staff', role: 'reader' },
            { group: 'staff', role: 'operator' },
          ],
          linksByEmail: true,
        },
      });
      const log = await bench.gantry(['auth', 'log', '--json']);
      expect(log.stdout).toContain('"identity-provider-set"');
      expect(log.stdout).toContain('"sign-in-switched-on"');
      const texts = [run, shown, log, await bench.gantry(['auth', 'oidc', 'show'])].map(
        ({ stdout, stderr }) => stdout + stderr,
      );
      expect(texts.join()).not.toContain(secret);
      expect(texts.join()).not.toContain('v1.');
    });

    it('does not need a group for administrators any more, and replaces all', async () => {
      const stored = await bench.json(set('--default-role', 'reader', '--groups-claim', 'roles'));

      expect(stored).toMatchObject({ roles: [], defaultRole: 'reader', groupsClaim: 'roles', linksByEmail: false });
      const { stdout } = await bench.gantry(['auth', 'oidc', 'show']);
      expect(stdout).toMatch(/^Client secret: +stored.*\nName: +your company account$/m);
    });

    it('shows which users are of the provider, and sets no password of theirs', async () => {
      await execute(
        bench.database.url,
        `WITH created AS (
         INSERT INTO gantry_user (login, display_name, kind, roles)
         VALUES ('ann@example.com', 'Ann', 'person', '{administrator}') RETURNING id)
       INSERT INTO gantry_external_identity (user_id, issuer, subject) SELECT id, '${provider.issuer}', 'ann' FROM created`,
      );

      const { stdout } = await bench.gantry(['users', 'list']);
      const { code, stderr } = await bench.gantry(['users', 'reset', 'ann@example.com']);

      expect(stdout).toMatch(/ann@example\.com .* enabled, by identity provider/);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/ann@example\.com .*identity provider/)]);
    });

    it('removes it, and says how an administrator gets a password', async () => {
      const { code, stdout } = await bench.gantry(['auth', 'oidc', 'remove']);

      expect([code, stdout]).toEqual([0, expect.stringContaining('No administrator')]);
      await expect(bench.json(['auth', 'oidc', 'show'])).resolves.toBeNull();
      await expect(bench.json(['auth', 'check'])).resolves.toMatchObject({ mode: 'sign-in' });
      expect((await bench.gantry(['users', 'reset', 'ann@example.com'])).stdout).toContain('/admin/set-password#');
    });
  });
}
