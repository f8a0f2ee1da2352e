import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { streamArray } from '../../../src/http/exchange/stream-array';

type Source = Parameters<typeof streamArray>[2];

/** What became of one streamed answer, as the server saw it. */
interface Served {
  readonly server: Server;
  readonly outcome: Promise<unknown>;
  request(): Promise<IncomingMessage>;
}

/** Serves one answer; `before` runs ahead of the stream. */
async function serve(
  source: Source,
  meta?: object,
  before?: (response: ServerResponse) => Promise<void>,
): Promise<Served> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outcome = once(server, 'request').then(async ([, response]: unknown[]) => {
    await before?.(response as ServerResponse);
    return streamArray(response as Response, meta, source).then(
      () => 'sent',
      (error: unknown) => {
        (response as ServerResponse).destroy();
        return error;
      },
    );
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    outcome,
    async request() {
      const [response] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
      return response;
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of response.setEncoding('utf8')) chunks.push(String(chunk));
  return chunks.join('');
}

describe('streamArray', () => {
  it.each([
    [[], undefined, '{"data":[]}'],
    [[[]], { a: 1 }, '{"data":[],"meta":{"a":1}}'],
    [[['1']], undefined, '{"data":[1]}'],
    [[['1', '2'], [], ['3']], { skipped: [] }, '{"data":[1,2,3],"meta":{"skipped":[]}}'],
  ])('sends the batches %j with meta %j as %s', async (batches, meta, expected) => {
    const { server, request, outcome } = await serve(async function* () {
      yield* batches;
    }, meta);
    const response = await request();
    expect([response.headers['content-type'], await textOf(response)]).toEqual([
      'application/json; charset=utf-8',
      expected,
    ]);
    expect(await outcome).toBe('sent');
    server.close();
  });

  it('gives an error before the first row to its caller, with nothing sent', async () => {
    const failure = new Error('no table');
    const { server, request, outcome } = await serve(async function* () {
      yield [];
      throw failure;
    });
    await expect(request()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await outcome).toBe(failure);
    server.close();
  });

  it('reads no further than the reader does', async () => {
    const batch = Array.from({ length: 100 }, () => JSON.stringify('x'.repeat(1_000)));
    let taken = 0;
    const { server, request, outcome } = await serve(async function* () {
      for (; taken < 1_000; taken += 1) yield batch;
    });
    const response = await request();
    response.pause();
    // A hundred kilobytes a batch: a few fit into the buffers of the connection.
    let before = -1;
    while (before !== taken) {
      before = taken;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(taken).toBeLessThan(200);
    expect((await textOf(response)).length).toBeGreaterThan(100_000_000);
    expect(await outcome).toBe('sent');
    server.close();
  });

  it('aborts the source when the reader disconnects, also while the source waits', async () => {
    let aborted: unknown;
    const { server, request, outcome } = await serve(async function* ({ signal }) {
      yield ['1'];
      await once(signal, 'abort');
      aborted = signal.reason;
      signal.throwIfAborted();
    });
    const response = await request();
    response.destroy();
    expect(await outcome).toBe('sent');
    expect(aborted).toMatchObject({ message: expect.stringContaining('client closed') });
    server.close();
  });

  it('closes the connection of a reader that has lost its place', async () => {
    let onStalled: (() => void) | undefined;
    const batch = Array.from({ length: 100 }, () => JSON.stringify('x'.repeat(100_000)));
    const { server, request, outcome } = await serve(async function* (reader) {
      ({ onStalled } = reader);
      for (;;) yield batch;
    });
    const response = await request();
    response.pause();
    onStalled?.();
    expect(await outcome).toBe('sent');
    await expect(textOf(response)).rejects.toMatchObject({ code: 'ECONNRESET' });
    server.close();
  });

  it('hands an aborted signal to the source when the reader has left before', async () => {
    let wasAborted = false;
    const gone = async (response: ServerResponse): Promise<void> => {
      response.destroy();
      if (!response.closed) await once(response, 'close');
    };
    const source: Source = async function* ({ signal }) {
      wasAborted = signal.aborted;
      signal.throwIfAborted();
      yield ['1'];
    };
    const { server, request, outcome } = await serve(source, undefined, gone);
    await expect(request()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect([await outcome, wasAborted]).toEqual(['sent', true]);
    server.close();
  });
});
