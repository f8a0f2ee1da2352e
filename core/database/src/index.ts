export { readChangeLag } from './changes/change-lag';
export type { ChangeLag } from './changes/change-lag';
export { createPartitions } from './changes/change-partitions';
export { changeRetention, monthsBefore, readRetention } from './changes/change-retention';
export type { Ask, ChangeRetention } from './changes/change-retention';
export { changeTable, createChangeTables, originSeparator, originSetting } from './changes/change-tables';
export { targetTable } from './changes/change-targets';
export { maintainChanges, startChangeMaintenance } from './changes/maintain-changes';
export type { ChangeMaintenance } from './changes/maintain-changes';
export { checkConnection, describeConnectionError } from './check-connection';
export type { ConnectionCheck, ConnectionProblem } from './check-connection';
export { createConnectionGroup } from './connection-group';
export { readConnectionLimit } from './connection-limit';
export { connectionSettings } from './connection-settings';
export { defaultConnections, maxConnections, minConnections, shareConnections } from './connection-shares';
export { createDatabase } from './create-database';
export type {
  DatabaseOptions,
  FrequentStatement,
  HostDatabase,
  PoolPurpose,
  PoolUsage,
  RowArray,
  Statement,
} from './create-database';
export {
  checkViolation,
  foreignKeyViolation,
  isStatementTimeout,
  isTransactionConflict,
  isUnavailable,
  notNullViolation,
  sqlStateOf,
  translateOutdated,
  translateUnavailable,
  triggerRefusal,
  uniqueViolation,
  unknownNames,
  valueError,
} from './database-errors';
export type { ConstraintViolation, ValueError } from './database-errors';
export { identifier, literal, quoteIdentifier, quoteIdentifiers, snakeCase } from './identifiers';
export { afterCommit, beginNow, readTogether, runTogether } from './item-transaction';
export type { InnerStatement, OriginOptions } from './item-transaction';
export { createLinksTrigger } from './links/link-triggers';
export type { ParameterValue, RunQuery, TextRow } from './prepared-query';
export { assertNotReferred, purgePlugin, readPluginSurvey } from './purge/purge-plugin';
export type { PurgeOptions } from './purge/purge-plugin';
export type { PluginSurvey } from './purge/survey-plugin';
export { runningHostTable, silentAfterSeconds } from './running-hosts';
export { bringUpToDate, planOnly, translateNotPermitted } from './schema/bring-up-to-date';
export type { PluginSchema, SchemaOptions, SchemaOutcome, SchemaPreview } from './schema/bring-up-to-date';
export type { MigrationName } from './schema/plugin-migrations';
export type { PluginRenames, RenamedType } from './schema/renames/plan-renames';
export { SchemaError } from './schema/schema-error';
export { platform } from './schema/schema-plan';
export type { KeptColumn, SchemaFailure, SchemaPlan, SchemaStep } from './schema/schema-plan';
export { createTable, hasAtMostBytes } from './schema/statements';
export type { ObservedStatement } from './schema/trial/statement-observer';
export { trySchema } from './schema/trial/try-schema';
export type { BreakingMigration, SchemaTrial, TrialOptions } from './schema/trial/try-schema';
export { codeKey, labelKey, labelSeparator, searchedText } from './search/search-tables';
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
export type { StreamOptions } from './stream-rows';
export type { PurgedPlugin, TableEvents, TrimmedChanges, WithEvents } from './table-events';
export { tableExists } from './table-exists';
export type {
  ChangedField,
  ChangeSpec,
  ColumnSpec,
  EarlierFieldNames,
  ForeignKeySpec,
  IndexSpec,
  SearchSpec,
  TableSpec,
} from './table-spec';
export { transactionStatements } from './transaction-statements';
export { createTypeEvents } from './type-events';
export type { TypeEvents } from './type-events';
export { assertOwnSessions, DatabaseError, untilAvailable } from './until-available';
export { withClient } from './with-client';
export type { WriteState } from './write-state';
export type { Sequelize } from 'sequelize-typescript';
