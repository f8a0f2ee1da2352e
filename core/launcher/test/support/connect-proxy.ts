import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ConnectProxy {
  /** With user and password, if it asks for them. */
  readonly url: string;
  /** Hosts with ports that were reached through it. */
  readonly reached: readonly string[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly user?: string;
  readonly password?: string;
  /** Refuses every connection with this status; with 0, it never answers. */
  readonly status?: number;
}

/** An HTTP proxy that opens tunnels, all of them to this machine, whatever the host is called. */
export async function startConnectProxy({ user, password, status }: ProxyOptions = {}): Promise<ConnectProxy> {
  const reached: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer();
  const expected = user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    if (status === 0) return;
    const answer = request.headers['proxy-authorization'] === expected ? status : 407;
    if (answer !== undefined) {
      socket.end(`HTTP/1.1 ${answer} Refused\r\n\r\n`);
      return;
    }
    const target = request.url ?? '';
    reached.push(target);
    const port = Number(target.split(':').at(-1));
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    sockets.add(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = user === undefined ? '' : `${user}:${password}@`;
  return {
    url: `http://${authority}127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
