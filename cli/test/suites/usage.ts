import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runGantry } from '../support/gantry';
import type { Commands } from '../support/commands';

export function describeUsage(commands: Commands): void {
  describe('a command line that is not understood', () => {
    it.each([
      [[], / command\.\n  .*gantry --help/],
      [['plugns'], / plugns\.\n  .* plugins\?/],
      [['xyzzy'], / xyzzy\.\n  .*gantry --help/],
      [['items', 'imprt'], / items imprt\.\n  .* import\?/],
      [['up', '--prot', '1'], / prot\.\n  .* --port\?/],
      [['up', '--port', 'x'], / --port .* 0 to 65535; found "x"\.\n  .*gantry up --help/],
      [['up', '--safe', '--only', 'ops'], / safe and only .*exclusive\.\n  .*gantry up --help/],
      [['items'], /: import, export, search, history, delete, restore, deleted\.\n  .*gantry items --help/],
      [['items', 'xyzzy'], / items xyzzy\.\n  .*gantry items --help/],
      [['doctor', 'extra'], / extra\.\n  .*gantry doctor --help/],
      [
        ['items', 'import', 'product', 'x.csv', '--dry-run=yes'],
        / --dry-run .* true or false; found "yes"\.\n  .*gantry items import --help/,
      ],
      [['--json=1', 'plugins', 'list'], / --json .* true or false; found "1"\.\n  .*gantry plugins list --help/],
      [['items', 'import', 'product', 'x.csv', '--no-dry-run'], / no-dry-run, noDryRun\.\n  .* --dry-run\?/],
      [
        ['items', 'export', 'product', '--format', 'xml'],
        / --format .* jsonl, json, csv; found "xml"\.\n  .*gantry items export --help/,
      ],
      [['items', 'export', 'product', '--where'], / --where needs a value\.\n  .*gantry items export --help/],
      [['types', 'show'], / <type> is missing\.\n  .*gantry types show --help/],
      [['items', 'import', 'product'], / <file> is missing\.\n  .*gantry items import --help/],
      [
        ['items', 'import', 'product', 'x.csv', '--map', 'a'],
        / --map "a" .* <name>=<value>\.\n  .*gantry items import --help/,
      ],
      [
        ['items', 'export', 'product', '--where', 'a'],
        / --where "a" .* <field>=<value> or <field>=<operator>:<value>\.\n  .*gantry items export --help/,
      ],
      [
        ['items', 'export', 'product', '--delimiter', 'ab'],
        / --delimiter .* one character, or "tab"\.\n  .*gantry items export --help/,
      ],
    ])('%j ends with exit code 2, one sentence and what to do', async (words, named) => {
      const { code, stdout, stderr } = await commands.run(words);

      expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(named) });
      expect(stderr).toMatch(/^gantry: .+\n {2}.+\n$/);
    });
  });

  describe('the process of such a command line', () => {
    it('ends by itself with that exit code, and has written nothing but that', async () => {
      expect(await runGantry(['plugns'])).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^gantry: .* plugns\.\n {2}.* plugins\?\n$/),
      });
    });
  });

  describe('a setting that cannot be used', () => {
    it('is named with what to do, and no stack', async () => {
      const { code, stdout, stderr } = await commands.run(['plugins', 'list'], {
        environment: { GANTRY_PORT: 'many' },
      });

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^gantry: GANTRY_PORT .* 0 to 65535 \(found "many"\)\.\n {2}.+\n$/);
    });
  });

  describe('gantry ops without a platform', () => {
    it('says that none runs', async () => {
      const environment = { GANTRY_HOME: '/nowhere', GANTRY_PORT: '', GANTRY_HOST: '' };
      const { code, stderr } = await commands.run(['ops', 'list'], { environment });

      expect(stderr).toMatch(/^gantry: .* \/nowhere\.\n {2}.*gantry up\b/);
      expect(code).toBe(1);
    });
  });

  describe('help', () => {
    it('of the whole and of each command goes to standard output', async () => {
      const [whole, one] = await Promise.all([commands.run(['--help']), commands.run(['items', 'import', '--help'])]);

      expect(whole.code).toBe(0);
      expect(whole.stdout).toMatch(/gantry doctor +Check the requirements/);
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
