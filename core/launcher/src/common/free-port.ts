import { createServer } from 'node:net';
import { codeOf } from './launcher-error';

/** A loopback port that is free at this moment. */
export async function freePort(): Promise<number> {
  const attempt = await tryPort(0);
  if ('port' in attempt) return attempt.port;
  throw new Error(`no free port on loopback (${attempt.code})`);
}

/** Listens on a port for an instant. @returns the port, or the code of the error, such as EADDRINUSE. */
export function tryPort(
  port: number,
  host = '127.0.0.1',
): Promise<{ readonly port: number } | { readonly code: string }> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      resolve({ code: codeOf(error) ?? error.message });
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        resolve({ port: typeof address === 'object' && address !== null ? address.port : port });
      });
    });
  });
}
