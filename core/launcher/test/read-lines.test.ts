import { Readable } from 'node:stream';
import { readLines } from '../src/supervisor/read-lines';

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
