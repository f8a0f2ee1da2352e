import { setTimeout as delay } from 'node:timers/promises';
import type { LauncherMessage } from '@gantry/contracts';
import type { Logger } from '../common/logger';
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
  if (await within(host.exited, times.drainMs)) return;
  logger.warn('the host does not finish in time and is sent SIGTERM', { afterMs: times.drainMs });
  host.kill('SIGTERM');
  if (await within(host.exited, times.termMs)) return;
  logger.warn('the host does not end after SIGTERM and is killed');
  host.kill('SIGKILL');
  await host.exited;
}

/** @returns whether it came to its end in time. */
async function within(end: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([end.then(() => true), late]);
  timer.abort();
  return inTime;
}
