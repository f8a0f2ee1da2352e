export { readChangeLag } from './changes/change-lag';
export type { ChangeLag } from './changes/change-lag';
export { createPartitions } from './changes/change-partitions';
export { changeRetention, monthsBefore, readRetention } from './changes/change-retention';
export type { Ask, ChangeRetention } from './changes/change-retention';
export { changeTable, createChangeTables, originSeparator, originSetting } from './changes/change-tables';
export { targetTable } from './changes/change-targets';
export { changesOfTables, countByTable, countChanges, positionBefore } from './changes/feed-statements';
export { maintainChanges, startChangeMaintenance } from './changes/maintain-changes';
export type { ChangeMaintenance } from './changes/maintain-changes';
export { comparePositions, firstPosition, formatPosition, parsePosition, positionOf } from './changes/position';
export type { Position } from './changes/position';
export { checkConnection, describeConnectionError } from './connections/check-connection';
export type { ConnectionCheck, ConnectionProblem } from './connections/check-connection';
export { createConnectionGroup } from './connections/connection-group';
export { readConnectionLimit } from './connections/connection-limit';
export { connectionSettings } from './connections/connection-settings';
export { defaultConnections, maxConnections, minConnections, shareConnections } from './connections/connection-shares';
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
export { afterCommit, beginNow, readTogether, runTogether } from './transactions/item-transaction';
export type { InnerStatement, OriginOptions } from './transactions/item-transaction';
export { createLinksTrigger } from './links/link-triggers';
export type { ParameterValue, RunQuery, TextRow } from './transactions/prepared-query';
export { assertNotReferred, purgePlugin, readPluginSurvey } from './purge/purge-plugin';
export type { PurgeOptions } from './purge/purge-plugin';
export type { PluginSurvey } from './purge/survey-plugin';
export { runningHostTable, silentAfterSeconds } from './running-hosts';
export { bringUpToDate, planOnly, translateNotPermitted } from './schema/bring-up-to-date';
export type { PluginSchema, SchemaOptions, SchemaOutcome, SchemaPreview } from './schema/bring-up-to-date';
export type { MigrationName } from './schema/plugin-migrations';
export type { PluginRenames, RenamedType } from './schema/renames/plan-renames';
export { SchemaError } from './schema/schema-error';
export { platform } from './schema/plan/schema-plan';
export type { KeptColumn, SchemaFailure, SchemaPlan, SchemaStep } from './schema/plan/schema-plan';
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
export { answerRestore } from './events/own-events';
export type { StreamOptions } from './transactions/stream-rows';
export type { PurgedPlugin, TableEvents, TrimmedChanges, WithEvents } from './events/table-events';
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
export type { LeftField } from './schema/plan/schema-plan';
export { extraSeparator } from './schema/plan/extra-columns';
export { operationsInOrder } from './transactions/operations-in-order';
export { createTransactionSlots } from './transactions/transaction-slots';
export { transactionStatements } from './transactions/transaction-statements';
export { createTypeEvents } from './events/type-events';
export type { TypeEvents } from './events/type-events';
export { assertOwnSessions, DatabaseError, untilAvailable } from './connections/until-available';
export { withClient } from './connections/with-client';
export type { WriteState } from './write-state';
export type { Sequelize } from 'sequelize-typescript';
