import type { EmbeddedServer } from '../common/embedded-server';
import type { Logger } from '../common/logger';
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
 * them may be ending at this moment, each leaving the servers to the others. So whoever leaves gives up its lease and looks
 * again: the last one finds no other client, and is the owner once more.
 */
export async function stopOrLeave({ home, lease, servers, logger, force }: StopOptions): Promise<void> {
  // Called a second time when a person loses patience: then the lease may be given up already.
  if (!lease.isOwner()) return;
  if (hasLeaseClients(home)) {
    lease.release();
    if (hasLeaseClients(home) || !lease.tryOwn()) {
      logger.info('the servers are left to another process of this home');
      return;
    }
  }
  await stopServers(servers, logger, force);
}
