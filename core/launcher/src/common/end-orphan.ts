import { endProcess, isAlive, type Logger, type ProcessReference } from '@gantry/core-common';

/** A host whose launcher was killed notices that by itself and drains; this waits for it, and ends one that does not. */
export async function endOrphanHost(
  host: ProcessReference | undefined,
  logger: Logger,
  timeoutMs = 5_000,
): Promise<void> {
  if (host === undefined || !isAlive(host)) return;
  logger.info('a host left by an earlier start is ended first', { pid: host.pid });
  const steps = [
    ['SIGTERM', timeoutMs],
    ['SIGKILL', timeoutMs],
  ] as const;
  await endProcess(host, steps, 'group');
}
