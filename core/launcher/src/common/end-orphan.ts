import type { Logger } from './logger';
import { isAlive, signal, waitUntilGone } from './processes';
import type { ProcessReference } from './processes';

/** A host whose launcher was killed notices that by itself and drains; this waits for it, and ends one that does not. */
export async function endOrphanHost(
  host: ProcessReference | undefined,
  logger: Logger,
  timeoutMs = 5_000,
): Promise<void> {
  if (host === undefined || !isAlive(host)) return;
  logger.info('a host left by an earlier start is ended first', { pid: host.pid });
  signal(host.pid, 'SIGTERM', 'group');
  if (await waitUntilGone(host, timeoutMs)) return;
  signal(host.pid, 'SIGKILL', 'group');
  await waitUntilGone(host, timeoutMs);
}
