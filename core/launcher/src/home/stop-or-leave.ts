import type { EmbeddedServer } from '../embedded-server';
import type { Logger } from '../logger';
import { stopServers } from '../servers/run-servers';
import { hasGuests } from './guests';

/** Stops the servers of a home, unless other processes use them: one of those then becomes their keeper. */
export async function stopOrLeave(
  home: string,
  servers: readonly EmbeddedServer[],
  logger: Logger,
  force = false,
): Promise<void> {
  if (hasGuests(home)) logger.info('the servers are left to another process of this home');
  else await stopServers(servers, logger, force);
}
