import type { HostConfig } from '@gantry/host/config';
import type { EmbeddedServer } from '../common/embedded-server';
import type { Logger } from '../common/logger';
import { createEmbeddedTemporal } from '../temporal/embedded-temporal';
import { createEmbeddedPostgres } from './embedded-postgres';
import { createOwnDatabase } from './own-database';

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
