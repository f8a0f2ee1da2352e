import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a client and PostgreSQL, and can go away and come back as a server does that is restarted. */
export interface SeverableProxy {
  readonly url: string;
  /** Breaks all connections and takes no new ones. */
  sever(): Promise<void>;
  /** Listens again, on the same port. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function createSeverableProxy(databaseUrl: string): Promise<SeverableProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let server = await listen(target, sockets, 0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const sever = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: url.href,
    sever,
    restore: async () => {
      server = await listen(target, sockets, port);
    },
    close: sever,
  };
}

async function listen(target: URL, sockets: Set<Socket>, port: number): Promise<Server> {
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
