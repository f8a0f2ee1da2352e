import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorCatalogue, type Failure } from '@gantry/contracts';

/** Another handle of the listening socket of the platform, as Node passes it between processes. */
export interface SocketHandle {
  close(): void;
}

/** Answers requests while no host does. */
export interface UnavailableServer {
  /** Takes a handle for the next {@link open}: a server that stops to accept closes the one it had. */
  provide(handle: SocketHandle): void;
  /** From now on requests are answered with 503. Without a handle, connections wait for the next host. */
  open(): void;
  /** From now on connections are left to the host. */
  close(): void;
  /** Closes the socket for good: no host follows, and a server that listened would keep this process running. */
  end(): void;
}

/** How long a client that is still sending its request may take, after a host has begun to serve. */
const drainMs = 2_000;

export function createUnavailableServer(): UnavailableServer {
  let spare: SocketHandle | undefined;
  let server: Server | undefined;
  let isOver = false;
  const close = (): void => {
    const closed = server;
    server = undefined;
    closed?.close();
    closed?.closeIdleConnections();
    if (closed !== undefined) setTimeout(() => closed.closeAllConnections(), drainMs).unref();
  };
  return {
    provide: (handle) => {
      spare?.close();
      spare = handle;
      if (isOver) spare.close();
    },
    open: () => {
      if (isOver || server !== undefined || spare === undefined) return;
      const opened = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, answer);
      // Without it, connections wait for the next host.
      opened.on('error', () => {});
      opened.listen(spare);
      server = opened;
      spare = undefined;
    },
    close,
    end: () => {
      isOver = true;
      close();
      spare?.close();
      spare = undefined;
    },
  };
}

/** A connection that is closed while its request is being sent is reset, so a body is read first, if it comes soon. */
const bodyTimeoutMs = 50;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const timer = setTimeout(() => send(request, response), bodyTimeoutMs);
  request.once('end', () => {
    clearTimeout(timer);
    send(request, response);
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}

function send(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return;
  const path = request.url ?? '';
  const isLiveness = path === '/livez';
  const body = bodyFor(path);
  response.writeHead(isLiveness ? 200 : errorCatalogue.UNAVAILABLE.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': '2',
    Connection: 'close',
  });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body));
}

function bodyFor(path: string): object {
  if (path === '/livez') return { data: { status: 'alive' } };
  if (path === '/readyz') return { data: { status: 'starting', parts: [] } };
  return unavailable;
}

const unavailable: Failure = {
  error: { code: 'UNAVAILABLE', message: 'The platform is restarting. Try again in a moment.', requestId: 'none' },
};
