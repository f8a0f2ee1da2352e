import { createColours } from '../src/terminal/colours';
import { createTerminal } from '../src/terminal/terminal';

const terminal = { isTTY: true } as NodeJS.WriteStream;
const file = { isTTY: false } as NodeJS.WriteStream;

describe('colours', () => {
  it('are there on a terminal', () => {
    expect(createColours(terminal, {}).red('failed')).toBe('\u001b[31mfailed\u001b[39m');
  });

  it.each([
    ['in a file or pipe', file, {}],
    ['where NO_COLOR is set', terminal, { NO_COLOR: '1' }],
    ['on a terminal that knows none', terminal, { TERM: 'dumb' }],
  ])('are left out %s', (_where, stream, environment) => {
    expect(createColours(stream, environment).red('failed')).toBe('failed');
  });

  it.each([[{}], [{ NO_COLOR: '1' }]])('of a process are by its environment %j', (env) => {
    const { colours } = createTerminal({ stdout: terminal, stderr: terminal, env } as unknown as NodeJS.Process);
    expect(colours.red('failed')).toBe(createColours(terminal, env).red('failed'));
  });
});
