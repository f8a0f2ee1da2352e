import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPerson,
  createUsers,
  sendAs,
  untilSignInIsRequired,
  useLink,
} from '../../test/e2e/sign-in/support/accounts';
import { useTestHost } from '../../test/support/platform';
import { openCommands, type Run } from './support/commands';

describe('gantry call', () => {
  const host = useTestHost({ plugins: ['cli/test/fixtures/errands'] });
  const commands = openCommands();
  afterAll(() => commands.close());

  const call = (words: readonly string[], token?: string): Promise<Run> =>
    commands.run(['call', ...words, '--url', host.address], {
      environment: { ...(token === undefined ? {} : { GANTRY_TOKEN: token }) },
    });
  const dataOf = ({ stdout }: Run): unknown => (JSON.parse(stdout) as { readonly data: unknown }).data;

  it('lists plugins, their commands, and the arguments and options of one as its route has them', async () => {
    expect((await call(['--help'])).stdout).toMatch(/gantry call errands <command> +Commands of the plugin errands\n/);
    const { stdout } = await call(['errands', '--help']);
    expect(stdout).toMatch(/gantry call errands list +List errands\n/);
    expect(stdout).toMatch(/gantry call errands create <place> +Create an errand\n/);
    expect(stdout).toMatch(/gantry call errands earlier +POST \/errands-of-1-0\n/);
    const help = (await call(['errands', 'create', '--help'])).stdout;
    expect(help).toMatch(/place +where it is done .*\[required\]/);
    expect(help).toMatch(/--notify +\[string\] \[choices: "nobody", "everybody"\]/);
    expect(help).toMatch(/--title +\[string\] \[required\]/);
    expect(help).toMatch(/--minutes +1 to 600; 30 unless given +\[string\]/);
    expect(help).toMatch(/--is-urgent +\[boolean\]/);
    expect(help).toMatch(/--level +How much it matters +\[string\] \[choices: "LOW", "HIGH"\]/);
    expect(help).toMatch(/--body-url /);
    expect(help).toMatch(/--body-place +as JSON/);
    expect(help).toContain('The errand is planned for the next day.');
  });

  it('sends arguments and options as path, query and JSON', async () => {
    const options = ['--notify', 'everybody', '--title', '12', '--minutes', '90', '--is-urgent', '--tags', 'a b'];
    const others = ['--tags', 'c', '--level', 'HIGH', '--body-url', 'https://a.example', '--body-place', '{"floor":2}'];
    const refused = await call(['errands', 'create', 'Old town/1', ...options, ...others, '--json']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/title: .*3 characters/)]);

    const words = options.map((word) => (word === '12' ? '123' : word));
    const { code, stdout } = await call(['errands', 'create', 'Old town/1', ...words, ...others, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      data: {
        of: { place: 'Old town/1' },
        query: { notify: 'everybody' },
        body: {
          ...{ title: '123', minutes: 90, isUrgent: true, tags: ['a b', 'c'] },
          ...{ level: 'HIGH', url: 'https://a.example', place: { floor: 2 } },
        },
      },
    });
  });

  it('leaves to the platform what values it takes', async () => {
    const words = ['errands', 'create', 'Town', '--title', 'Nails', '--minutes', 'many', '--json'];
    const { code, stderr } = await call(words);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/minutes.*number/)]);
  });

  it('prints lists as tables, objects as lines, text as it is, and an answer without content as a note', async () => {
    expect(await call(['errands', 'list', '--limit', '5'])).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: 'PLACE  TITLE      MINUTES\nTown   Buy nails  5\n',
    });
    expect((await call(['errands', 'mark-done', 'Town'])).stdout).toBe(
      'place    Town\ntitle    Buy nails\nminutes  5\n',
    );
    expect((await call(['errands', 'report'])).stdout).toBe('place,title\nTown,Buy nails\n');
    expect(await call(['errands', 'cancel', 'Town'])).toEqual({ code: 0, stdout: '', stderr: 'Done.\n' });
    expect(dataOf(await call(['errands', 'cancel', 'Town', '--json']))).toBeNull();
  });

  it('calls routes that were registered without schemas', async () => {
    expect(dataOf(await call(['errands', 'earlier', '--json']))).toBeNull();
    expect(dataOf(await call(['errands', 'earlier', '--body', '[1.50]', '--json']))).toEqual([1.5]);
    const { code, stderr } = await call(['errands', 'earlier', '--body', '{']);
    expect([code, stderr]).toEqual([
      2,
      'gantry: --body must be JSON; found {.\n  See: gantry call errands earlier --help\n',
    ]);
  });

  it('says what is wrong with the words', async () => {
    const said = async (words: readonly string[]) => {
      const { code, stderr } = await call(words);
      return [code, stderr];
    };
    expect(await said([])).toEqual([2, expect.stringContaining('Name a command of call: errands.')]);
    expect(await said(['errand'])).toEqual([2, expect.stringContaining('There is no command call errand.')]);
    expect(await said(['errands', 'lst'])).toEqual([2, expect.stringMatching(/no command call errands lst\.\n.*list/)]);
    expect(await said(['errands', 'create'])).toEqual([2, expect.stringContaining('argument <place> is missing')]);
    expect(await said(['errands', 'create', 'Town'])).toEqual([2, expect.stringContaining('title')]);
    expect(await said(['errands', 'create', 'Town', '--title', 'Nails', '--titel', 'x'])).toEqual([
      2,
      expect.stringContaining('--title'),
    ]);
    expect(await said(['errands', 'create', '..', '--title', 'abc'])).toEqual([2, expect.stringContaining('<place>')]);
  });

  it('needs a platform that runs', async () => {
    const home = mkdtempSync(join(tmpdir(), 'gantry-call-'));
    const run = (words: readonly string[]) => commands.run([...words, '--home', home]);
    const missing = expect.stringMatching(/^gantry: No platform runs on .*\n {2}Start it with: gantry up\./);
    expect(await run(['call', 'errands', 'list'])).toEqual({ code: 1, stdout: '', stderr: missing });
    expect(await run(['call'])).toEqual({ code: 1, stdout: '', stderr: missing });
    expect(await run(['call', '--help'])).toMatchObject({ code: 0, stderr: '' });
    rmSync(home, { recursive: true });
  });

  it('offers the commands whose routes the caller may use', async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(host.address);
    const administrator = await useLink(host.address, secret);
    const reader = await createPerson(host.address, administrator, 'bob@example.com', ['reader']);
    const tokenOf = async (session: string): Promise<string> => {
      const body = { name: 'command line', expiresInDays: 2 };
      return (await sendAs(host.address, session, 'POST', '/api/platform/account/tokens', body)).json.data.token;
    };

    const seen = (await call(['errands', '--help'], await tokenOf(reader))).stdout;
    expect(seen).toContain('gantry call errands cancel');
    expect(seen).not.toContain('gantry call errands list');
    expect((await call(['errands', '--help'], await tokenOf(administrator))).stdout).toContain('errands list');
    expect(await call(['errands', 'list'])).toMatchObject({ code: 1, stderr: expect.stringContaining('gantry login') });
  });
});
