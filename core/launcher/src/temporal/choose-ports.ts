import { freePort, tryPort } from '../common/free-port';
import { isAlive } from '../common/processes';
import type { TemporalLayout } from './layout';
import { readRuntime } from './runtime-file';
import type { TemporalPorts } from './runtime-file';

/**
 * The ports of the last start, so that bookmarks and clients find the server again; another one for each that another program
 * has taken. Those of a server that still runs are taken by that server.
 */
export async function choosePorts(layout: TemporalLayout): Promise<TemporalPorts> {
  const runtime = readRuntime(layout);
  if (runtime?.process !== undefined && isAlive(runtime.process)) return runtime.ports;
  const [frontend, http, ui] = await Promise.all([
    keptOrFree(runtime?.ports.frontend),
    keptOrFree(runtime?.ports.http),
    keptOrFree(runtime?.ports.ui),
  ]);
  return { frontend, http, ui };
}

async function keptOrFree(kept: number | undefined): Promise<number> {
  if (kept !== undefined && kept > 1023 && kept < 65_536 && 'port' in (await tryPort(kept))) return kept;
  return freePort();
}
