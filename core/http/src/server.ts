import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as SocketServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCatalogue, type ErrorCode, type Failure } from '@gantry/contracts';
import type { HttpMessages } from './http-messages';

export interface HttpServer {
  readonly port: number;
  /** The handle that accepts connections, to be passed to another process; Node declares no type for it. */
  readonly handle: unknown;
  /** Takes no new connections and waits for open requests, at most `timeoutMs`; then closes the remaining connections. */
  close(timeoutMs: number): Promise<void>;
  /**
   * Leaves new connections to another process that listens on the same socket. Clients that keep a connection are asked with
   * an answer to make another one, within the next seconds and not all at once: code that has just been loaded answers slowly at
   * first. A connection on which nothing comes is closed after a while, as `close` does.
   */
  retire(timeoutMs: number): Promise<void>;
}

/** Where to listen: an address, or a socket that was opened by the process which started this one. */
export type ListenTarget = { readonly host: string; readonly port: number } | { readonly fd: number };

/** Slow or stalled requests end by themselves and hold up no others. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  // The gate refuses a request without a host, in the envelope.
  requireHostHeader: false,
} as const;

/** A stalled reader of a long answer. */
const idleTimeoutMs = 120_000;

/** How long a kept connection may rest before it is closed without an answer that announces it. */
const retireRestMs = 2_000;
/** Within which kept connections are announced to be closed, one after the other. */
const retireSpreadMs = 1_500;

/** @throws the system's error, for example EADDRINUSE. */
export async function listen(
  app: RequestListener,
  target: ListenTarget,
  messages: Partial<HttpMessages> = {},
): Promise<HttpServer> {
  let retiredAt: number | undefined;
  const closePositionOf = createCloseSchedule();
  const server = createServer({ ...limits, ...messages }, (request, response) => {
    if (retiredAt !== undefined && performance.now() >= retiredAt + closePositionOf(request.socket) * retireSpreadMs) {
      response.setHeader('Connection', 'close');
    }
    closeWithConnection(request, response);
    app(request, response);
  });
  server.setTimeout(idleTimeoutMs);
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', app);
  server.on('connect', (_request, socket: Duplex) => refuse(socket, 'BAD_REQUEST', 'This server is not a proxy.'));
  answerClientErrors(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(target, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    handle: (server as unknown as { readonly _handle?: unknown })._handle,
    close: (timeoutMs) => close(server, timeoutMs),
    retire: async (timeoutMs) => {
      retiredAt = performance.now();
      await retire(server, timeoutMs);
    },
  };
}

/**
 * Node.js emits `close` for the answer that has the connection. Those of pipelined requests behind it get the event here when the
 * connection closes; otherwise what waits for it would hold its share, its cursor and its timers for ever.
 */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = (): void => {
    if (response.closed || response.socket !== null) return;
    response.destroy();
    response.emit('close');
  };
  // One for each request that waits.
  socket.setMaxListeners(0);
  socket.once('close', close);
  response.once('close', () => socket.off('close', close));
}

/** Positions of connections in the time over which they are closed, from 0 to 1, spread evenly for any number of them. */
function createCloseSchedule(): (socket: Duplex) => number {
  const positions = new WeakMap<Duplex, number>();
  let count = 0;
  return (socket) => {
    const known = positions.get(socket);
    if (known !== undefined) return known;
    count += 1;
    const position = (count * goldenRatio) % 1;
    positions.set(socket, position);
    return position;
  };
}

/** The fractional parts of its multiples are spread most evenly. */
const goldenRatio = (Math.sqrt(5) - 1) / 2;

async function retire(server: Server, timeoutMs: number): Promise<void> {
  const timers = [
    setTimeout(() => timers.push(setInterval(() => server.closeIdleConnections(), 100)), retireRestMs),
    setTimeout(() => server.closeAllConnections(), timeoutMs),
  ];
  // Closing an HTTP server would at once break off the connections that rest, on which a request may be on its way.
  await new Promise<void>((resolve) => {
    SocketServer.prototype.close.call(server, () => resolve());
  });
  for (const timer of timers) clearTimeout(timer);
  server.close();
}

async function close(server: Server, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  // A connection that answers its last request now is idle, not closed.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
  clearInterval(sweep);
}

/** Requests that Node refuses before they exist are answered in the envelope too, after the answers that are still due. */
function answerClientErrors(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => latest.set(request.socket, response));
  // Input that is no HTTP is reported again with every chunk that arrives.
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket) && error.code !== 'ECONNRESET') return;
    refused.add(socket);
    const due = latest.get(socket);
    const answer = (): void => answerClientError(error, socket);
    if (due === undefined || due.writableFinished) answer();
    // The fault is in a request that follows.
    else if (due.req.complete) due.once('close', answer);
    else if (due.headersSent) socket.destroy();
    else answer();
  });
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuse(socket, ...describe(error.code));
}

function refuse(socket: Duplex, code: ErrorCode, message: string): void {
  const body: Failure = { error: { code, message, requestId: 'none' } };
  const text = JSON.stringify(body);
  const { status, title } = errorCatalogue[code];
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

function describe(nodeCode: string | undefined): readonly [ErrorCode, string] {
  switch (nodeCode) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['REQUEST_TIMEOUT', 'The request did not arrive in time: its head has 10 seconds, its body 30.'];
    case 'HPE_HEADER_OVERFLOW':
      return ['HEADERS_TOO_LARGE', 'The header fields have more than 16 KiB.'];
    default:
      return ['BAD_REQUEST', 'The request is not valid HTTP/1.1.'];
  }
}
