export { changeRetention, monthsBefore, readRetention } from './changes/change-retention';
export type { Ask, ChangeRetention } from './changes/change-retention';
export { checkConnection, describeConnectionError } from './check-connection';
export type { ConnectionCheck, ConnectionProblem } from './check-connection';
export { readConnectionLimit } from './connection-limit';
export { defaultConnections, minConnections } from './connection-shares';
export { createDatabase } from './create-database';
export type { DatabaseOptions, HostDatabase, PoolPurpose, PoolUsage, RowArray, Statement } from './create-database';
export {
  foreignKeyViolation,
  isStatementTimeout,
  isTransactionConflict,
  isUnavailable,
  notNullViolation,
  sqlStateOf,
  translateUnavailable,
  uniqueViolation,
  valueError,
} from './database-errors';
export type { ConstraintViolation, ValueError } from './database-errors';
export { quoteIdentifier, quoteIdentifiers } from './identifiers';
export { bringUpToDate, planOnly } from './schema/bring-up-to-date';
export type { PluginSchema, SchemaOptions, SchemaOutcome, SchemaPreview } from './schema/bring-up-to-date';
export { trySchema } from './schema/trial/try-schema';
export type { SchemaTrial, TrialOptions } from './schema/trial/try-schema';
export type { ObservedStatement } from './schema/trial/statement-observer';
export type { BreakingMigration } from './schema/trial/try-schema';
export type { MigrationName } from './schema/plugin-migrations';
export { assertNotReferred, purgePlugin, readPluginSurvey } from './purge/purge-plugin';
export type { PurgeOptions } from './purge/purge-plugin';
export type { PluginSurvey } from './purge/survey-plugin';
export { platform } from './schema/schema-plan';
export { SchemaError } from './schema/schema-error';
export type { KeptColumn, SchemaFailure, SchemaPlan, SchemaStep } from './schema/schema-plan';
export type { PurgedPlugin, TableEvents, TrimmedChanges, WithEvents } from './table-events';
export { tableExists } from './table-exists';
export type { PluginRenames, RenamedType } from './schema/renames/plan-renames';
export {
  addToSetting,
  insertSetting,
  lockSetting,
  raiseSetting,
  readSetting,
  removeSetting,
  settingTable,
  settingValue,
  writeSetting,
} from './settings';
export { createTypeEvents } from './type-events';
export type { TypeEvents } from './type-events';
export type { StreamOptions } from './stream-rows';
export type { ColumnSpec, ForeignKeySpec, IndexSpec, TableSpec } from './table-spec';
export type { Sequelize } from 'sequelize-typescript';
