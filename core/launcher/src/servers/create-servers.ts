import type { HostConfig } from '@gantry/host/config';
import type { EmbeddedServer } from '../common/embedded-server';
import type { Logger } from '../common/logger';
import { createEmbeddedTemporal } from '../temporal/embedded-temporal';
import { createOwnTemporal } from '../temporal/own-temporal';
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
