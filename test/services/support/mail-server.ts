import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server of a test, speaking real SMTP. */
export interface MailServer {
  readonly url: string;
  /** Messages taken so far, as they came. */
  readonly messages: readonly string[];
  /** Answer to the next messages: taken, or refused with a temporary error. */
  answer(with_: 'accept' | 'refuse'): void;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const messages: string[] = [];
  let refuses = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuses) return callback(Object.assign(new Error('try again later'), { responseCode: 451 }));
        messages.push(Buffer.concat(chunks).toString('utf8'));
        return callback();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    answer: (kind) => {
      refuses = kind === 'refuse';
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
