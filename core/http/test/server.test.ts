import { Agent, get as httpGet, type RequestListener, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen, type HttpServer } from '../src/server';

/** The body of an answer, on the given connections; the code of the error when there is none. */
function get(port: number, agent: Agent | false = false): Promise<string> {
  return new Promise((resolve) => {
    const request = httpGet({ port, host: '127.0.0.1', agent }, (response) => {
      const chunks: string[] = [];
      response.setEncoding('utf8').on('data', (chunk) => chunks.push(String(chunk)));
      response.on('end', () => resolve(chunks.join('')));
      response.on('error', () => resolve('broken'));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
  });
}

async function withServer(app: RequestListener, work: (server: HttpServer) => Promise<void>): Promise<void> {
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  try {
    await work(server);
  } finally {
    await server.close(0);
  }
}

describe('a connection that closes', () => {
  it('closes the answers of all requests that were sent on it, also of those that wait behind the first', async () => {
    const open = new Set<ServerResponse>();
    const app: RequestListener = (_request, response) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      response.write('begun');
    };
    await withServer(app, async (server) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
      while (open.size < 3) await pause(5);

      socket.destroy();

      while (open.size > 0) await pause(5);
      expect(open.size).toBe(0);
    });
  });
});

describe('a server that closes', () => {
  it('answers what is open, takes nothing new, and leaves idle connections at once', async () => {
    const waiting: ServerResponse[] = [];
    const app: RequestListener = (request, response) => {
      if (request.headers.connection === 'keep-alive') response.end('kept');
      else waiting.push(response);
    };
    await withServer(app, async (server) => {
      const agent = new Agent({ keepAlive: true });
      expect(await get(server.port, agent)).toBe('kept');
      const open = get(server.port);
      while (waiting.length === 0) await pause(5);

      const closed = server.close(10_000);
      expect(await get(server.port)).toBe('ECONNREFUSED');
      waiting[0]?.end('late');
      expect(await open).toBe('late');
      await closed;
      agent.destroy();
    });
  });

  it('breaks off what is still open when its time is up', async () => {
    let asked = false;
    await withServer(
      () => {
        asked = true;
      },
      async (server) => {
        const open = get(server.port);
        while (!asked) await pause(5);
        await server.close(50);
        expect(await open).toBe('ECONNRESET');
      },
    );
  });
});

describe('a server that retires', () => {
  it('asks clients to make another connection one after the other, and none of their requests fails', async () => {
    await withServer(
      (_request, response) => void response.end('kept'),
      async (server) => {
        const agents = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
        await Promise.all(agents.map((agent) => get(server.port, agent)));
        const begin = performance.now();
        const retired = server.retire(10_000);
        const closedAfter = await Promise.all(agents.map((agent) => untilAskedToClose(server.port, agent, begin)));
        await retired;
        expect(closedAfter.filter((ms) => ms < 750).length).toBeGreaterThan(2);
        expect(closedAfter.filter((ms) => ms > 750).length).toBeGreaterThan(2);
      },
    );
  });
});

/** Sends requests on a kept connection until an answer announces its end. @returns after how many milliseconds that is */
async function untilAskedToClose(port: number, agent: Agent, begin: number): Promise<number> {
  for (;;) {
    const isLast = await new Promise<boolean>((resolve, reject) => {
      const request = httpGet({ port, host: '127.0.0.1', agent }, (response) => {
        response.resume().once('end', () => resolve(response.headers.connection === 'close'));
      });
      request.on('error', reject);
    });
    if (isLast) return performance.now() - begin;
    await pause(20);
  }
}

describe('listening', () => {
  it('fails with the error of the system when the port is taken', async () => {
    await withServer(
      (_request, response) => void response.end(),
      async ({ port }) => {
        await expect(listen(() => undefined, { host: '127.0.0.1', port })).rejects.toMatchObject({
          code: 'EADDRINUSE',
        });
      },
    );
  });
});

describe('what follows a request and is none', () => {
  it('is refused once, after the answer, however much of it there is', async () => {
    const waiting: ServerResponse[] = [];
    await withServer(
      (_request, response) => void waiting.push(response),
      async ({ port }) => {
        const socket = connect(port, '127.0.0.1');
        const chunks: string[] = [];
        const closed = new Promise((resolve) => {
          socket.setEncoding('utf8').on('data', (chunk) => chunks.push(String(chunk)));
          socket.once('close', resolve);
        });
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
        while (waiting.length === 0) await pause(5);
        const before = waiting[0]?.listenerCount('close') ?? 0;
        socket.write('x'.repeat(2_000_000));
        while ((waiting[0]?.req.socket.bytesRead ?? 0) < 2_000_000) await pause(5);

        expect(waiting[0]?.listenerCount('close')).toBe(before + 1);
        waiting[0]?.end('answer\n');
        await closed;
        expect(chunks.join('').match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
      },
    );
  });
});
