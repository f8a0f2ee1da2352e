export { isLauncherError, LauncherError } from './launcher-error';
export { silentLogger } from './logger';
export type { Logger } from './logger';
export { openDatabase } from './open-database';
export type { OpenDatabase, OpenDatabaseOptions } from './open-database';
export { startPostgres } from './postgres/start-postgres';
export type { PostgresOptions, RunningPostgres } from './postgres/start-postgres';
export { referenceOf } from './processes';
export {
  findProgram as findTemporalProgram,
  findProgramOfHome as findTemporalProgramOfHome,
} from './temporal/find-program';
export { obtainProgram as obtainTemporalProgram } from './temporal/obtain-program';
export { up } from './up';
export type { UpOptions } from './up';
