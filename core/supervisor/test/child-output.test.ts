import { Readable } from 'node:stream';
import { lastErrorOf, readLines } from '../src/child/child-output';

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const lines: string[] = [];
  await readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), (line) => lines.push(line));
  return lines;
}

describe('readLines', () => {
  it('puts lines together from pieces, also where a piece ends within a character', async () => {
    const boat = Buffer.from('⛵\n');
    expect(await linesOf('a bo', 'at\r\n\nand a ', boat.subarray(0, 2), boat.subarray(2), 'the end')).toEqual([
      'a boat',
      '',
      'and a ⛵',
      'the end',
    ]);
  });

  it('keeps the beginning of a line that never ends, and reports how much more there was', async () => {
    const [line = ''] = await linesOf('x'.repeat(30_000), 'x'.repeat(30_000), '\n');
    expect(line).toBe(`${'x'.repeat(32_768)} … (27232 more characters)`);
  });
});

describe('lastErrorOf', () => {
  it('finds the uncaught error', () => {
    const lines = [
      '/app/index.js:1',
      'throw new RangeError("too far")',
      '^',
      '',
      'RangeError: too far',
      '    at file',
      '',
      'Node.js v22.1.0',
    ];
    expect(lastErrorOf(lines)).toBe('RangeError: too far');
  });

  it('does not take an error that was only logged for the cause', () => {
    expect(lastErrorOf(['TypeError: logged and survived', '    at file'])).toBeUndefined();
  });

  it('knows when the memory ran out', () => {
    const line = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
    expect(lastErrorOf(['<--- Last few GCs --->', line])).toBe(line);
  });
});
