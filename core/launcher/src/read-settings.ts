import { ConfigError, parseConfig } from '@gantry/host/config';
import type { HostConfig } from '@gantry/host/config';
import { messageOf } from '@gantry/core-common';
import { LauncherError } from './common/launcher-error';

/**
 * The settings of the environment. `databaseUrl` of the result means nothing when DATABASE_URL is not set: the embedded
 * server, whose address is known only later, takes its place.
 * @throws LauncherError that names every setting that is wrong.
 */
export function readSettings(environment: Readonly<NodeJS.ProcessEnv>): HostConfig {
  try {
    return parseConfig({ ...environment, DATABASE_URL: environment['DATABASE_URL'] || 'postgres://embedded' });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new LauncherError(`${messageOf(error)}.`, 'Correct or unset it and start again.', { cause: error });
  }
}
