import type { Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';
import { stopServers } from './run-servers';
import { hasLeaseClients } from '../home/lease-clients';
import type { HomeLease } from '../home/home-lease';

export interface StopOptions {
  readonly home: string;
  readonly lease: HomeLease;
  readonly servers: readonly EmbeddedServer[];
  readonly logger: Logger;
  readonly force: boolean;
}

/**
 * The owner stops the servers of the home, unless other processes use them: one of those then becomes the owner. All of
 * them may be ending at this moment, each leaving the servers to the others. So a process that leaves releases its lease and checks
 * again: the last one finds no other client, and becomes the owner again.
 */
export async function stopOrLeave({ home, lease, servers, logger, force }: StopOptions): Promise<void> {
  // Called again after a second Ctrl-C: then the lease may already be released.
  if (!lease.isOwner()) return;
  if (hasLeaseClients(home)) {
    lease.release();
    if (hasLeaseClients(home) || !lease.tryOwn()) {
      logger.info('the servers keep running for another process of this home');
      return;
    }
  }
  await stopServers(servers, logger, force);
}
