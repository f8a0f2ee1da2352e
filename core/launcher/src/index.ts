export { isLauncherError, LauncherError } from './common/launcher-error';
export { startPostgres } from './postgres/start-postgres';
export type { PostgresOptions, RunningPostgres } from './postgres/start-postgres';
export {
  findProgram as findTemporalProgram,
  findProgramOfHome as findTemporalProgramOfHome,
} from './temporal/binaries/find-program';
export { obtainProgram as obtainTemporalProgram } from './temporal/obtain-program';
export type { ServingPlatform } from './platform';
export { up } from './up';
export type { UpOptions } from './up';
