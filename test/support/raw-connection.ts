import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection on which a test writes bytes as it likes. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything that came so far. */
  received(): string;
  write(text: string): void;
  /** Resolves with everything that came when the server has closed the connection. */
  closed(): Promise<string>;
  /** Resolves as soon as what came matches. @throws when the server closes before */
  until(pattern: RegExp): Promise<string>;
}

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  const chunks: string[] = [];
  socket.setEncoding('utf8').on('data', (chunk) => chunks.push(String(chunk)));
  // A connection that is reset shows in what was received.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const received = (): string => chunks.join('');
  const closed = socket.closed ? Promise.resolve() : once(socket, 'close').then(() => undefined);
  return {
    socket,
    received,
    write: (text) => void socket.write(text),
    closed: async () => {
      await closed;
      return received();
    },
    async until(pattern) {
      while (!pattern.test(received())) {
        if (socket.closed) throw new Error(`The connection closed before ${pattern} came:\n${received()}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
      return received();
    },
  };
}
