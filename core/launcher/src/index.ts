export type { EmbeddedServer } from './embedded-server';
export { isLauncherError, LauncherError } from './launcher-error';
export { silentLogger } from './logger';
export type { Logger } from './logger';
export { startPostgres } from './postgres/start-postgres';
export type { PostgresOptions, RunningPostgres } from './postgres/start-postgres';
