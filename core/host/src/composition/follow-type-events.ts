import type { Database, Logger } from '@gantry/plugin-api';
import { createTypeEvents } from '@gantry/core-database';
import type { PluginRegistry } from '@gantry/core-loader';

const intervalMs = 5_000;

export interface TypeEventFollower {
  stop(): Promise<void>;
}

/** Hands events of item types to the plugins that run, soon after they are committed; an offline command may have made them. */
export function followTypeEvents(
  database: Database,
  registry: Pick<PluginRegistry, 'deliverTypeEvents'>,
  logger: Logger,
): TypeEventFollower {
  const events = createTypeEvents(database);
  let known: string | undefined;
  const look = async (): Promise<void> => {
    const last = await events.last();
    if (last !== known) await registry.deliverTypeEvents();
    known = last;
  };
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(look).catch((error: unknown) => {
      // A database that does not answer has its own part in the health of the host.
      logger.debug({ err: error }, 'events of item types could not be read');
    });
  }, intervalMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
