import type { LauncherMessage } from '@gantry/contracts';
import { endsWithin } from '@gantry/core-common';
import type { Logger } from '@gantry/core-common';
import type { HostProcess } from './host-process';

export interface StopTimes {
  /** For draining after the request to stop. */
  readonly drainMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly termMs: number;
}

/** Lets a host finish what it has begun, and ends it by signals when it does not. */
export async function endHost(
  host: HostProcess,
  message: LauncherMessage,
  times: StopTimes,
  logger: Logger,
): Promise<void> {
  host.send(message);
  if (await endsWithin(host.exited, times.drainMs)) return;
  logger.warn('the host does not finish in time and is sent SIGTERM', { afterMs: times.drainMs });
  host.kill('SIGTERM');
  if (await endsWithin(host.exited, times.termMs)) return;
  logger.warn('the host does not end after SIGTERM and is killed');
  host.kill('SIGKILL');
  await host.exited;
}
