import type { HostConfig } from '@gantry/host/config';
import type { Logger } from '@gantry/core-common';
import type { EmbeddedServer } from '../common/embedded-server';
import { createEmbeddedTemporal } from '../temporal/embedded-temporal';
import { createOwnDatabase } from './own-database';
import { startPostgres } from '../postgres/start-postgres';
import type { RunningPostgres } from '../postgres/start-postgres';
import { near } from '../common/near';

export interface ServerContext {
  readonly config: HostConfig;
  readonly environment: Readonly<NodeJS.ProcessEnv>;
  readonly logger: Logger;
  /** Called when a server runs as another process than before. */
  readonly onChange: () => void;
}

/** The servers that the platform of these settings needs. They start together and stop in reverse order. */
export function createServers({ config, environment, logger, onChange }: ServerContext): readonly EmbeddedServer[] {
  const ownDatabase = environment['DATABASE_URL'];
  return [
    ownDatabase
      ? createOwnDatabase(ownDatabase, logger)
      : createEmbeddedPostgres({ home: config.home, logger, onChange }),
    environment['TEMPORAL_ADDRESS']
      ? createOwnTemporal(environment)
      : createEmbeddedTemporal({ config, environment, logger, onChange }),
  ];
}

/** An external Temporal (TEMPORAL_ADDRESS). The host connects to it and reports its state; nothing to start. */
function createOwnTemporal(environment: Readonly<NodeJS.ProcessEnv>): EmbeddedServer {
  const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE } = environment;
  return {
    name: 'temporal',
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    env: () => temporalSettings(environment),
    banner: () => [
      ['Temporal', `${TEMPORAL_ADDRESS}, namespace ${TEMPORAL_NAMESPACE || 'default'} (TEMPORAL_ADDRESS)`],
    ],
    pid: () => undefined,
  };
}

/** For other processes of the same home, which have another environment. */
function temporalSettings(environment: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const settings = Object.entries(environment).flatMap(([name, value]) =>
    name.startsWith('TEMPORAL_') && value !== undefined ? [[name, value] as const] : [],
  );
  return Object.fromEntries(settings);
}

/** The embedded PostgreSQL as one of the servers of the launcher. */
function createEmbeddedPostgres({
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
