import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, lstatSync, openSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openBench, type Bench } from '../support/gantry';
import type { Commands } from '../support/commands';

export function describeItems(commands: Commands): void {
  describe('gantry items', () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await openBench(['plugins/catalog', 'plugins/articles'], commands);
    });
    afterAll(() => bench.close());

    it('imports from standard input and from files, and exports what can be imported again', async () => {
      const catalogs = await bench.process(['items', 'import', 'catalog', '-', '--format', 'jsonl'], {
        input: '{"code":"spring"}\n{"code":"autumn"}\n',
      });
      expect(catalogs).toEqual({ code: 0, stdout: 'Imported 2 items.\n', stderr: '' });

      const products = bench.file('products.csv', 'Code;name;price\nP-1;Spade;24.90\nP-2;"Rake; wide";\n');
      const imported = await bench.gantry([
        'items',
        'import',
        'product',
        products,
        '--delimiter',
        ';',
        '--map',
        'Code=code',
        '--set',
        'catalog=spring',
      ]);
      expect(imported).toEqual({ code: 0, stdout: 'Imported 2 items.\n', stderr: '' });

      const exported = await bench.gantry([
        'items',
        'export',
        'product',
        '--where',
        'catalog=spring',
        '--where',
        'price=MORE_THAN:20',
      ]);
      expect(exported.stdout).toBe(
        '{"code":"P-1","name":"Spade","price":24.9000,"catalog":"spring","approvalStatus":"CHECK","image":null,"catalogVersion":"STAGED"}\n',
      );

      const copy = join(bench.home, '..', 'copy.csv');
      expect(await bench.gantry(['items', 'export', 'product', copy])).toEqual({
        code: 0,
        stdout: `Exported 2 items to ${copy}.\n`,
        stderr: '',
      });
      expect(readFileSync(copy, 'utf8')).toContain('P-2,Rake; wide,,spring,CHECK,,STAGED\n');
      const again = await bench.gantry([
        'items',
        'import',
        'product',
        copy,
        '--match',
        'code',
        '--set',
        'catalog=autumn',
      ]);
      expect(again.stdout).toBe('Imported 2 items (2 new, 0 changed, 0 unchanged).\n');
    });

    it('names the folder that a file cannot be written to, before anything is done', async () => {
      const file = bench.file('lost.jsonl', '{"code":"lost"}\n');
      const lost = join(bench.home, 'no', 'such');
      const refused = {
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(` ${lost} does not exist.\n  `),
      };

      expect(await bench.gantry(['items', 'import', 'catalog', file, '--report', join(lost, 'r.jsonl')])).toEqual(
        refused,
      );
      expect(await bench.gantry(['items', 'export', 'catalog', join(lost, 'x.csv')])).toEqual(refused);
      expect((await bench.gantry(['items', 'export', 'catalog', '--where', 'code=lost'])).stdout).toBe('');
    });

    it('shows the first bad lines, writes all of them to a report, and nothing to the database', async () => {
      const rows = Array.from({ length: 30 }, (_row, index) => `A-${index},${index % 2 === 0 ? 'nothing' : 'spring'}`);
      const file = bench.file('bad.csv', `code,catalog\n${rows.join('\n')}\nA-1,spring\n`);
      const report = join(bench.home, '..', 'report.jsonl');
      const first = await bench.gantry(['items', 'import', 'product', file, '--dry-run']);
      const second = await bench.gantry(['items', 'import', 'product', file, '--report', report]);

      expect(first.code).toBe(1);
      expect(first.stderr.split('\n').slice(0, 2)).toEqual([
        expect.stringMatching(/^Line 2: catalog .* code nothing,/),
        expect.stringMatching(/^Line 4: catalog .* code nothing,/),
      ]);
      expect(first.stderr).toMatch(/Line 32: .* code, catalog, catalogVersion: line 3\n16 items of 31 .*dry run.*\n$/);
      expect(second).toMatchObject({ code: 1, stdout: '' });
      expect(readFileSync(report, 'utf8').trim().split('\n')).toHaveLength(16);
      expect((await bench.gantry(['items', 'export', 'product', '--where', 'code=CONTAINS:A-'])).stdout).toBe('');
    });

    it('caps what it shows, and reports how much more there is', async () => {
      const file = bench.file('many.jsonl', '{}\n'.repeat(1500));
      const { code, stderr } = await bench.gantry(['items', 'import', 'catalog', file]);

      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(22);
      expect(stderr).toMatch(/1,480 more .* --report <file> .*\n1,500 items of 1,500 /);
    });

    it('does not let a file steer the terminal', async () => {
      const words = ['items', 'import', 'product', '-', '--format', 'jsonl'];
      const input = '{"code":"x","catalog":"\\u001b[31m\\u202e","\\u001b[2Jy":1}\n';
      const { stderr } = await bench.gantry(words, { input });
      const header = await bench.gantry(['items', 'import', 'catalog', '-', '--format', 'csv'], {
        input: '\u001b[2J\n',
      });

      expect(stderr).toMatch(/^Line 1: catalog .* code {2}\[31m ,/m);
      expect(header.stderr).toMatch(/ column {2}\[2J\.\n {2}\S/);
      expect(stderr + header.stderr).not.toMatch(/[\u001b\u202e]/);
    });

    it('prints the outcome for programs, also of a rejected file', async () => {
      const { code, stdout } = await bench.gantry(['items', 'import', 'catalog', '-', '--format', 'jsonl', '--json'], {
        input: '{"code":"spring"}',
      });

      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        data: { items: 1, badItems: 1, kept: false, shownProblems: [{ line: 1, path: 'code', code: 'NOT_UNIQUE' }] },
      });
    });

    it.each([
      ['a file that is not there', ['catalog', 'nowhere.csv'], /nowhere\.csv does not exist/],
      ['a folder', ['catalog', 'docs', '--format', 'csv'], /docs is a folder\.\n {2}\S/],
      [
        'a name without a known ending',
        ['catalog', 'LICENSE'],
        / LICENSE\.\n {2}.*--format jsonl, --format json or --format csv/,
      ],
      ['standard input without a format', ['catalog', '-'], / standard input .*\n {2}.*--format jsonl/],
      ['a type that there is none of', ['catalgo', '-', '--format', 'csv'], / catalgo\.\n {2}.* catalog\?/],
      [
        'a key to match by that is none',
        ['catalog', '-', '--format', 'csv', '--match', 'name'],
        / name .* Catalog\.\n {2}.*: code \| id\./,
      ],
    ])('refuses %s with one sentence and what to do', async (_what, words, named) => {
      const { code, stdout, stderr } = await bench.gantry(['items', 'import', ...words]);

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^gantry: /);
      expect(stderr).toMatch(named);
      expect(stderr).not.toMatch(/^ {4}at /m);
    });

    it('keeps the earlier file when an export fails', async () => {
      const file = bench.file('kept.csv', 'earlier');
      await bench.gantry(['items', 'import', 'article', '-', '--format', 'jsonl'], { input: '{"title":"no slug"}' });
      await bench.gantry(['items', 'import', 'trendingarticlecomponent', '-', '--format', 'jsonl'], {
        input: '{"title":"x","articles":[1]}',
      });
      const { code, stderr } = await bench.gantry(['items', 'export', 'trendingarticlecomponent', file]);

      expect(code).toBe(1);
      expect(stderr).toMatch(/articles .* Article 1, .* no slug .*\n {2}.*--ids/);
      expect(readFileSync(file, 'utf8')).toBe('earlier');
      expect(existsSync(`${file}.partial`)).toBe(false);
    });

    it('writes to a pipe as it is, and to the file that a link leads to', async () => {
      const pipe = join(bench.home, '..', 'pipe');
      execFileSync('mkfifo', [pipe]);
      const [exported, received] = await Promise.all([
        bench.gantry(['items', 'export', 'catalog', pipe, '--format', 'csv']),
        readFile(pipe, 'utf8'),
      ]);
      expect(exported).toMatchObject({ code: 0, stderr: '' });
      expect(received).toContain('spring');
      expect(statSync(pipe).isFIFO()).toBe(true);

      const file = bench.file('private.csv', 'earlier');
      const link = join(bench.home, '..', 'link.csv');
      chmodSync(file, 0o600);
      symlinkSync(file, link);
      expect(await bench.gantry(['items', 'export', 'catalog', link])).toMatchObject({ code: 0 });
      expect(readFileSync(file, 'utf8')).toBe(received);
      expect([lstatSync(link).isSymbolicLink(), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
    });

    it('keeps a folder where a file was meant', async () => {
      const folder = dirname(bench.home);
      expect(await bench.gantry(['items', 'export', 'catalog', folder, '--format', 'csv'])).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${folder} is a folder.\n  `),
      });
    });

    it('does not write a report over the file that is imported', async () => {
      const file = bench.file('own.jsonl', '{"code":"own"}\n{}\n');
      const link = join(bench.home, '..', 'own-link.jsonl');
      symlinkSync(file, link);
      const { code, stderr } = await bench.gantry(['items', 'import', 'catalog', file, '--report', link]);

      expect(code).toBe(2);
      expect(stderr).toMatch(/--report .*own\.jsonl/);
      expect(readFileSync(file, 'utf8')).toContain('own');
    });

    const lost = /^gantry: .*disk is full\.\n {2}.*incomplete.*\n$/;
    it.each([
      [['items', 'export', 'catalog'], lost],
      [['plugins', 'list', '--json'], /^\{"error":\{"code":"OUTPUT_LOST",.*"exitCode":1\}\}\n$/],
      [['--help'], lost],
    ])('reports when the result of %j does not fit on the disk', async (words, report) => {
      const full = openSync('/dev/full', 'w');
      try {
        expect(await bench.process(words, { stdout: full })).toEqual({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(report),
        });
      } finally {
        closeSync(full);
      }
    });

    it('reports when a report does not fit on the disk', async () => {
      const words = ['items', 'import', 'catalog', '-', '--format', 'jsonl', '--report', '/dev/full'];
      const { code, stderr } = await bench.gantry(words, { input: '{}\n' });

      expect(code).toBe(1);
      expect(stderr).toMatch(/^gantry: \/dev\/full does not fit .*\n {2}.+\n$/);
    });

    it.each([
      ['while it opens the database', () => bench.untilConnected()],
      ['while it waits for its input', () => bench.untilTransactionWaits()],
    ])('ends with exit code 130 and nothing written when it is interrupted %s', async (_when, interruptAfter) => {
      const { code, stderr } = await bench.process(['items', 'import', 'catalog', '-', '--format', 'jsonl'], {
        input: '{"code":"never"}\n',
        interruptAfter,
      });

      expect({ code, stderr }).toEqual({
        code: 130,
        stderr: expect.stringMatching(/^gantry: Interrupted\. Nothing .+\n$/),
      });
      expect((await bench.gantry(['items', 'export', 'catalog', '--where', 'code=never'])).stdout).toBe('');
    });
  });
}
