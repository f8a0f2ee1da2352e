import { createServer } from 'node:net';
import { codeOf } from '@gantry/core-common';
import { LauncherError } from './launcher-error';

/** A loopback port that is free at this moment. */
export async function freePort(): Promise<number> {
  const attempt = await tryPort(0);
  if ('port' in attempt) return attempt.port;
  throw new Error(`no free port on loopback (${attempt.code})`);
}

/** @throws LauncherError when the platform could not listen there. Port 0, "any", is always free. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const outcome = await tryPort(port, host);
  if ('port' in outcome) return;
  const elsewhere = `Set GANTRY_PORT to another port, for example GANTRY_PORT=${port < 65_000 && port >= 1024 ? port + 1 : 3000}, or to 0 for any free one`;
  switch (outcome.code) {
    case 'EADDRINUSE':
      throw new LauncherError(
        `Port ${port} on ${host} is in use by another program.`,
        `${elsewhere}, or stop that program.`,
      );
    case 'EACCES':
      throw new LauncherError(
        `Port ${port} on ${host} is reserved for the administrator of this machine.`,
        `${elsewhere}.`,
      );
    default:
      throw new LauncherError(
        `Gantry cannot listen on ${host}, port ${port} (${outcome.code}).`,
        'Set GANTRY_HOST to 127.0.0.1, or correct GANTRY_PORT.',
      );
  }
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
