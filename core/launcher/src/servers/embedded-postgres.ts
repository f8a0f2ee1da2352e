import type { EmbeddedServer } from '../common/embedded-server';
import type { Logger } from '../common/logger';
import { startPostgres } from '../postgres/start-postgres';
import type { RunningPostgres } from '../postgres/start-postgres';
import { near } from '../common/near';

/** The embedded PostgreSQL as one of the servers of the launcher. */
export function createEmbeddedPostgres({
  home,
  logger,
  onChange,
}: {
  readonly home: string;
  readonly logger: Logger;
  /** Called when it runs as another process than before. */
  readonly onChange: () => void;
}): EmbeddedServer {
  let running: RunningPostgres | undefined;
  return {
    name: 'postgres',
    start: async (signal) => {
      running = await startPostgres({ home, logger, signal, onRestart: onChange });
      if (running.adopted) {
        logger.info('a PostgreSQL left running by an earlier start was taken over', { pid: running.pid() });
      }
    },
    stop: async (options) => {
      await running?.stop(options);
    },
    env: () => (running === undefined ? {} : { DATABASE_URL: running.url }),
    banner: () =>
      running === undefined
        ? []
        : [
            [
              'Database',
              `embedded PostgreSQL ${running.major} on port ${running.port}, files in ${near(running.dataFolder)}`,
            ],
          ],
    pid: () => running?.pid(),
  };
}
