import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { describeFailure } from '../../src/common/describe-failure';

describe('why a host could not start', () => {
  it('names the port that another program has', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as { readonly port: number };
    const [error] = (await once(createServer().listen(port, '127.0.0.1'), 'error')) as readonly unknown[];
    first.close();

    expect(describeFailure(error, { GANTRY_PORT: String(port) })).toMatchObject({
      code: 'PORT_IN_USE',
      message: expect.stringContaining(` ${port} `),
      isExpected: true,
    });
  });

  it('names a port that only root may have, and takes no file without rights for one', () => {
    const refused = { code: 'EACCES' };

    expect(describeFailure(systemError({ ...refused, syscall: 'listen' }), { GANTRY_PORT: '80' })).toMatchObject({
      code: 'PORT_FORBIDDEN',
      message: expect.stringContaining(' 80 '),
    });
    expect(describeFailure(systemError({ ...refused, syscall: 'mkdir' }), { GANTRY_PORT: '80' })).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining(': it is not allowed'),
      isExpected: false,
    });
  });

  it('says what a defect of the platform itself was, whose stack belongs into the log', async () => {
    const error: unknown = await readFile(tmpdir()).catch((thrown: unknown) => thrown);

    expect(describeFailure(error, {})).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('EISDIR') as string,
      isExpected: false,
    });
  });
});

function systemError(properties: { readonly code: string; readonly syscall: string }): Error {
  return Object.assign(new Error('it is not allowed'), properties);
}
