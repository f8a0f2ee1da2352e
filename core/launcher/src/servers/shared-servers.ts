import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, poll, type Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';
import { LauncherError } from '../common/launcher-error';
import { endOrphanHost } from '../common/end-orphan';
import { findRunningPlatform, readRunFile } from '../home/run-file';
import type { RunningPlatform } from '../home/run-file';
import { serverEnvironment, startServers } from './run-servers';
import { removeLeaseClient } from '../home/lease-clients';
import type { HomeLease } from '../home/home-lease';
import { stopOrLeave } from './stop-or-leave';

export interface SharedServersOptions {
  readonly home: string;
  readonly lease: HomeLease;
  readonly logger: Logger;
  /** The servers themselves, for the case that this process has to keep them. */
  readonly createServers: () => readonly EmbeddedServer[];
  /** Called when this process has become the owner. */
  readonly onOwner: () => void;
}

const ownerTimeoutMs = 60_000;
const pollIntervalMs = 250;

/**
 * The servers of a home as a client sees them. When their owner ends or is killed, the first client to notice becomes the
 * owner: the servers are separate processes, which it takes over while they run.
 */
export function createSharedServers(options: SharedServersOptions): EmbeddedServer {
  const { home, lease, logger, createServers } = options;
  const stopping = new AbortController();
  let kept: readonly EmbeddedServer[] = [];
  let found: RunningPlatform | undefined;
  let watching: Promise<void> = Promise.resolve();
  const keep = async (signal: AbortSignal): Promise<void> => {
    await endOrphanHost(readRunFile(home)?.host, logger);
    if (kept.length === 0) kept = createServers();
    await startServers(kept, signal);
    options.onOwner();
  };
  const becomeOwnerWhenNeeded = async (): Promise<void> => {
    while (!lease.tryOwn()) await delay(pollIntervalMs, undefined, { signal: stopping.signal, ref: false });
    logger.info('this process now runs the servers of the home');
    await keep(stopping.signal);
  };
  return {
    name: 'servers',
    start: async (signal) => {
      found = await findPlatform(options, signal);
      if (found === undefined) return keep(signal);
      watching = becomeOwnerWhenNeeded().catch((error: unknown) => {
        if (!stopping.signal.aborted) {
          logger.error('the servers of the home could not be started', { reason: messageOf(error) });
        }
      });
      return undefined;
    },
    stop: async ({ force = false } = {}) => {
      stopping.abort();
      await watching;
      removeLeaseClient(home);
      if (!lease.tryOwn()) return;
      // Left by an owner that ended at the same moment: they are taken over to be stopped.
      if (kept.length === 0) await keep(new AbortController().signal);
      await stopOrLeave({ home, lease, servers: kept, logger, force });
    },
    env: () => found?.environment ?? serverEnvironment(kept),
    banner: () => {
      if (found === undefined) return kept.flatMap((server) => server.banner());
      return [['Servers', `shared with process ${found.launcher.pid}`]];
    },
    pid: () => undefined,
  };
}

/** @returns undefined when this process has become the owner in the meantime. */
async function findPlatform(
  { home, lease }: SharedServersOptions,
  signal: AbortSignal,
): Promise<RunningPlatform | undefined> {
  const look = (): RunningPlatform | 'owner' | undefined => {
    signal.throwIfAborted();
    return findRunningPlatform(home) ?? (lease.tryOwn() ? 'owner' : undefined);
  };
  const outcome = await poll(look, ownerTimeoutMs, pollIntervalMs);
  if (outcome === undefined) {
    throw new LauncherError(
      `The process that runs the servers of ${home} does not start them.`,
      'Read its output, or stop it and start again.',
    );
  }
  return outcome === 'owner' ? undefined : outcome;
}
