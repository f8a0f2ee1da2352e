import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const entry = join(__dirname, '../dist/main.js');

describe('a host process', () => {
  it('reports a start message that is not valid, and ends', async () => {
    const child = fork(entry, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const ended = once(child, 'exit');
    child.send({ kind: 'start', environment: {}, quarantines: 'none' });

    const [message]: unknown[] = await once(child, 'message');

    expect(message).toMatchObject({
      kind: 'fatal',
      code: 'INTERNAL',
      message: expect.stringMatching(/not valid: .*quarantines/),
    });
    expect(await ended).toEqual([1, null]);
  });
});
