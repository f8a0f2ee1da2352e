import type { EmbeddedServer } from '../embedded-server';
import type { Logger } from '../logger';
import { stopServers } from '../servers/run-servers';
import { hasGuests } from './guests';
import type { HomePlace } from './place';

export interface StopOptions {
  readonly home: string;
  readonly place: HomePlace;
  readonly servers: readonly EmbeddedServer[];
  readonly logger: Logger;
  readonly force: boolean;
}

/**
 * The keeper stops the servers of the home, unless other processes use them: one of those then becomes the keeper. All of
 * them may be ending at this moment, each leaving the servers to the others. So whoever leaves gives up its place and looks
 * again: the last one finds nobody, and is the keeper once more.
 */
export async function stopOrLeave({ home, place, servers, logger, force }: StopOptions): Promise<void> {
  // Called a second time when a person loses patience: then the place may be given up already.
  if (!place.isKeeper()) return;
  if (hasGuests(home)) {
    place.release();
    if (hasGuests(home) || !place.tryKeep()) {
      logger.info('the servers are left to another process of this home');
      return;
    }
  }
  await stopServers(servers, logger, force);
}
