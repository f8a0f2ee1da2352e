import { createServer } from 'node:http';
import { freePort } from '../../../test/support/free-port';
import { openBench, type Bench, type Run } from '../support/gantry';
import type { Commands } from '../support/commands';

interface Reported {
  readonly error: Readonly<Record<string, unknown>>;
}

/** The error of a run: the last line of standard error, and the only JSON. */
function errorOf({ stdout, stderr }: Run): Reported['error'] {
  expect(stdout).toBe('');
  const lines = stderr.trimEnd().split('\n');
  const { error, ...others } = JSON.parse(lines.at(-1) ?? '') as Reported;
  expect(others).toEqual({});
  return error;
}

export function describeJsonErrors(commands: Commands): void {
  describe('an error with --json', () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await openBench(['plugins/catalog'], commands);
    });
    afterAll(() => bench.close());

    it.each([
      [['plugns', '--json']],
      [['--json=true', 'doctor', 'extra']],
      [['up', '--port', 'x', '--json']],
      [['types', 'show', '--json']],
      [['items', 'export', 'catalog', '--format', 'xml', '--json']],
      [['items', 'import', 'catalog', 'x.csv', '--map', 'a', '--json']],
      [['doctor', '--url', 'http://127.0.0.1:1', '--json']],
    ])('of a command line that is not understood is one object: %j', async (words) => {
      const run = await bench.gantry(words);

      expect([run.code, errorOf(run)]).toEqual([
        2,
        {
          code: 'USAGE',
          message: expect.stringMatching(/\.$/),
          remedy: expect.any(String),
          exitCode: 2,
        },
      ]);
      expect(run.stderr.split('\n')).toHaveLength(2);
    });

    it.each([
      [['--json'], / command\.$/, /gantry --help/],
      [['items', '--json'], /: import, export, search, history, delete, restore, deleted\.$/, /gantry items --help/],
    ])('says which commands there are where none was named: %j', async (words, message, remedy) => {
      const run = await bench.gantry(words);

      expect([run.code, errorOf(run)]).toMatchObject([
        2,
        { code: 'USAGE', message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) },
      ]);
    });

    it.each([[['--json', 'false', 'plugns']], [['plugns', '--json=false']], [['plugns', '--', '--json']]])(
      'is text where it was not asked for: %j',
      async (words) => {
        expect(await bench.gantry(words)).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/^gantry: /),
        });
      },
    );

    it('of a file that is not there', async () => {
      const run = await bench.gantry(['items', 'import', 'catalog', '/no/such/file.jsonl', '--json']);

      expect([run.code, errorOf(run)]).toMatchObject([
        1,
        { code: 'FILE_NOT_USABLE', message: expect.stringContaining('/no/such/file.jsonl'), exitCode: 1 },
      ]);
    });

    it('of a file that cannot be imported as a whole', async () => {
      const file = bench.file('wrong.csv', 'colour\nred\n');
      const run = await bench.gantry(['items', 'import', 'catalog', file, '--json']);

      expect([run.code, errorOf(run)]).toMatchObject([
        1,
        {
          code: 'TRANSFER_FAILED',
          message: expect.stringContaining('colour'),
          remedy: expect.stringContaining('--map'),
        },
      ]);
    });

    it('of a setting and of a home that cannot be used', async () => {
      const wrong = { environment: { GANTRY_PORT: 'x' } };
      for (const words of [['plugins', 'list'], ['up']]) {
        const run = await bench.gantry([...words, '--json'], wrong);
        expect([run.code, errorOf(run)]).toMatchObject([
          1,
          { code: 'PLATFORM_NOT_USABLE', message: expect.stringContaining('GANTRY_PORT'), exitCode: 1 },
        ]);
      }
    });

    it('of an unknown plugin, with the code of the host', async () => {
      const run = await bench.gantry(['plugins', 'enable', 'nope', '--json']);

      expect([run.code, errorOf(run)]).toMatchObject([1, { code: 'PLUGIN_UNKNOWN', exitCode: 1 }]);
    });

    it('of a platform that does not answer', async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const run = await bench.gantry(['items', 'search', 'a', '--url', url, '--json']);

      expect([run.code, errorOf(run)]).toMatchObject([1, { code: 'NO_ANSWER', message: expect.stringContaining(url) }]);
    });

    it('that the platform answers with has its code, details and request id', async () => {
      const details = [{ path: 'limit', code: 'OUT_OF_RANGE', message: 'limit is too large' }];
      const error = { code: 'BAD_REQUEST', message: 'limit is too large.', details, requestId: 'r-1' };
      const server = createServer((_request, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { readonly port: number };
      try {
        for (const words of [
          ['items', 'search', 'a'],
          ['ops', 'list'],
          ['users', 'list'],
        ]) {
          const run = await bench.gantry([...words, '--url', `http://127.0.0.1:${port}`, '--json']);
          expect([run.code, errorOf(run)]).toEqual([1, expect.objectContaining({ ...error, exitCode: 1 })]);
        }
      } finally {
        server.close();
      }
    });

    it('has a stack with --verbose', async () => {
      const run = await bench.gantry(['items', 'import', 'catalog', '/no/such/file.jsonl', '--json', '--verbose']);

      expect(errorOf(run)).toMatchObject({ code: 'FILE_NOT_USABLE', stack: expect.stringContaining('at ') });
    });

    it('is one object for every command', async () => {
      const all = await commandsBelow([]);
      const runs = [];
      for (const words of all) runs.push(await commands.run([...words, '--no-such-option', '--json']));

      expect(all.length).toBeGreaterThan(60);
      expect(runs.map((run) => [run.code, errorOf(run)['code'], errorOf(run)['exitCode']])).toEqual(
        all.map(() => [2, 'USAGE', 2]),
      );
    });

    /** The words of all commands, which the help lists. */
    async function commandsBelow(path: readonly string[]): Promise<readonly (readonly string[])[]> {
      const { stdout } = await commands.run([...path, '--help']);
      const listed = stdout.split('\n').flatMap((line) => /^ {2}gantry ((?:[a-z-]+ ?)+)(<command>)?/.exec(line) ?? []);
      const found: (readonly string[])[] = [];
      for (let index = 0; index < listed.length; index += 3) {
        const words = (listed[index + 1] ?? '')
          .trim()
          .split(' ')
          .slice(0, path.length + 1);
        if (words.length <= path.length) continue;
        if (listed[index + 2] === undefined) found.push(words);
        else found.push(...(await commandsBelow(words)));
      }
      return found;
    }
  });
}
