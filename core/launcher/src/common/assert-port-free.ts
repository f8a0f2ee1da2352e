import { tryPort } from './free-port';
import { LauncherError } from './launcher-error';

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
        `${elsewhere}, or end that program.`,
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
