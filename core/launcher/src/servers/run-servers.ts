import { messageOf, type Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';

/** Starts all at once and waits for all, so that after a failure none is still on its way. @throws the first failure. */
export async function startServers(servers: readonly EmbeddedServer[], signal: AbortSignal): Promise<void> {
  const outcomes = await Promise.allSettled(servers.map((server) => server.start(signal)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** In reverse order: what was started last may depend on what was started first. */
export async function stopServers(servers: readonly EmbeddedServer[], logger: Logger, force = false): Promise<void> {
  for (const server of servers.toReversed()) {
    try {
      await server.stop({ force });
    } catch (error) {
      logger.error(`${server.name} could not be stopped`, { reason: messageOf(error) });
    }
  }
}

/** The variables that all servers add to the environment of the host. */
export function serverEnvironment(servers: readonly EmbeddedServer[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...servers.map((server) => server.env())) as Record<string, string>;
}
