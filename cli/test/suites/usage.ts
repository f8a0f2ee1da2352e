import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runGantry } from '../support/gantry';
import type { Commands } from '../support/commands';

export function describeUsage(commands: Commands): void {
  describe('a command line that is not understood', () => {
    it.each([
      [[], 'gantry: Name a command.\n  See: gantry --help\n'],
      [['plugns'], 'gantry: There is no command plugns.\n  Did you mean plugins?\n'],
      [['xyzzy'], 'gantry: There is no command xyzzy.\n  See: gantry --help\n'],
      [['items', 'imprt'], 'gantry: There is no command items imprt.\n  Did you mean import?\n'],
      [['up', '--prot', '1'], 'gantry: Unknown argument: prot.\n  Did you mean --port?\n'],
      [['up', '--port', 'x'], 'gantry: --port must be a number from 0 to 65535; found "x".\n  See: gantry up --help\n'],
      [
        ['up', '--safe', '--only', 'ops'],
        'gantry: Arguments safe and only are mutually exclusive.\n  See: gantry up --help\n',
      ],
      [
        ['items'],
        'gantry: Name a command of items: import, export, search, history, delete, restore, deleted.\n  See: gantry items --help\n',
      ],
      [
        ['items', '--json'],
        'gantry: Name a command of items: import, export, search, history, delete, restore, deleted.\n  See: gantry items --help\n',
      ],
      [['--json'], 'gantry: Name a command.\n  See: gantry --help\n'],
      [['items', 'xyzzy'], 'gantry: There is no command items xyzzy.\n  See: gantry items --help\n'],
      [['doctor', 'extra'], 'gantry: Unknown argument: extra.\n  See: gantry doctor --help\n'],
      [
        ['items', 'import', 'product', 'x.csv', '--dry-run=yes'],
        'gantry: --dry-run must be true or false; found "yes".\n  See: gantry items import --help\n',
      ],
      [
        ['--json=1', 'plugins', 'list'],
        'gantry: --json must be true or false; found "1".\n  See: gantry plugins list --help\n',
      ],
      [
        ['items', 'import', 'product', 'x.csv', '--no-dry-run'],
        'gantry: Unknown arguments: no-dry-run, noDryRun.\n  Did you mean --dry-run?\n',
      ],
      [
        ['items', 'export', 'product', '--format', 'xml'],
        'gantry: --format must be one of jsonl, json, csv; found "xml".\n  See: gantry items export --help\n',
      ],
      [
        ['items', 'export', 'product', '--where'],
        'gantry: --where needs a value.\n  See: gantry items export --help\n',
      ],
      [['types', 'show'], 'gantry: The argument <type> is missing.\n  See: gantry types show --help\n'],
      [['items', 'import', 'product'], 'gantry: The argument <file> is missing.\n  See: gantry items import --help\n'],
      [
        ['items', 'import', 'product', 'x.csv', '--map', 'a'],
        'gantry: --map "a" is not of the form <name>=<value>.\n  See: gantry items import --help\n',
      ],
      [
        ['items', 'export', 'product', '--where', 'a'],
        'gantry: --where "a" is not of the form <field>=<value> or <field>=<operator>:<value>.\n  See: gantry items export --help\n',
      ],
      [
        ['items', 'export', 'product', '--delimiter', 'ab'],
        'gantry: --delimiter must be one character, or "tab".\n  See: gantry items export --help\n',
      ],
    ])('%j ends with exit code 2, one sentence and what to do', async (words, expected) => {
      const { code, stdout, stderr } = await commands.run(words);

      expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expected });
    });
  });

  describe('the process of such a command line', () => {
    it('ends by itself with that exit code, and has written nothing but that', async () => {
      expect(await runGantry(['plugns'])).toEqual({
        code: 2,
        stdout: '',
        stderr: 'gantry: There is no command plugns.\n  Did you mean plugins?\n',
      });
    });
  });

  describe('a setting that cannot be used', () => {
    it('is named with what to do, and no stack', async () => {
      const { code, stdout, stderr } = await commands.run(['plugins', 'list'], {
        environment: { GANTRY_PORT: 'many' },
      });

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        'gantry: GANTRY_PORT must be a port from 0 to 65535 (found "many").\n  Correct or unset it and start again.\n',
      );
    });
  });

  describe('gantry ops without a platform', () => {
    it('says that none runs', async () => {
      const environment = { GANTRY_HOME: '/nowhere', GANTRY_PORT: '', GANTRY_HOST: '' };
      const { code, stderr } = await commands.run(['ops', 'list'], { environment });

      expect(stderr).toMatch(/^gantry: No platform runs on .*nowhere\.\n {2}Start it with: gantry up\./);
      expect(code).toBe(1);
    });
  });

  describe('help', () => {
    it('of the whole and of each command goes to standard output', async () => {
      const [whole, one] = await Promise.all([commands.run(['--help']), commands.run(['items', 'import', '--help'])]);

      expect(whole.code).toBe(0);
      expect(whole.stdout).toMatch(/gantry doctor +Check what the platform needs/);
      expect(one.stdout).toContain('gantry items import <type> <file>');
      expect(one.stdout).toContain('--dry-run');
      expect(whole.stderr + one.stderr).toBe('');
    });
  });

  describe('a Node.js that is too old to read the program', () => {
    it('is reported as that, in one sentence and what to do', async () => {
      const pretend = "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });";
      const bin = join(__dirname, '..', '..', 'bin', 'gantry.js');
      const failure = await promisify(execFile)(process.execPath, [
        '-e',
        `${pretend} require(${JSON.stringify(bin)})`,
      ]).catch((error: unknown) => error);

      expect(failure).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^gantry: Node\.js 20\.19 or newer is needed; this is 18\.20\.8\.\n {2}Install .+\n$/,
        ),
      });
    });
  });
}
