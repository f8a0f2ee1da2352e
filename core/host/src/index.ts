export { isVersionText, parseSource, preparePackage, prepareUpgrade, withSources } from '@gantry/core-lifecycle';
export { dropArchives, installPackage, uninstallPlugin, unpinPlugin, upgradePackage } from '@gantry/core-lifecycle';
export type { CheckTarget, PreparedPackage } from '@gantry/core-lifecycle';
export type { CompiledPlugins } from './composition/compile-for-command';
export {
  checkPlugins,
  compilePluginsForCommand,
  openContentForCommand,
  answerRestore,
  purgePlugin,
  readPluginSurvey,
  syncForCommand,
  compiledRoutes,
} from './for-commands';
export type { CommandOptions } from './for-commands';
export { ConfigError, parseConfig } from './config';
export type { HostConfig } from './config';
export {
  assertNotReferred,
  bringUpToDate,
  changeRetention,
  checkConnection,
  createDatabase,
  defaultConnections,
  minConnections,
  monthsBefore,
  planOnly,
  platform,
  readConnectionLimit,
  readRetention,
} from '@gantry/core-database';
export type {
  Ask,
  ChangeRetention,
  HostDatabase,
  PluginSchema,
  PluginSurvey,
  SchemaOutcome,
  SchemaPreview,
  SchemaStep,
} from '@gantry/core-database';
export type { CompiledItemType } from '@gantry/core-content';
export type { ItemTypes } from '@gantry/core-content';
export { itemMetadata, modelInfo } from '@gantry/core-content';
export { eraseChanges } from '@gantry/core-history';
export { systemScope } from '@gantry/core-content';
export { createStderrLogger } from './common/logger';
export type { Content } from './composition/open-content';
export { linkDefinitions, openItems } from './composition/open-items';
export { callRoute } from '@gantry/core-http';
export { routesOfPlugin } from '@gantry/core-loader';
export type { ApiToken, User } from '@gantry/core-identity';
export type { AuditEvent } from '@gantry/core-identity';
export type { ChangeAuthor } from '@gantry/core-http';
export type { Identity } from '@gantry/core-identity';
export type { NewUser, OneTimeLink, UserChange } from '@gantry/core-identity';
export type { OidcSettings } from '@gantry/core-identity';
export { createOpenApiDocument } from '@gantry/core-http';
export { createCollectingRouter } from '@gantry/core-loader';
export type { RegisteredRoute } from '@gantry/core-loader';
export { disablePlugin, enablePlugin, inspectPlugins, planInstall, PluginError } from '@gantry/core-loader';
export { exportItems, formatOfFile, importItems } from '@gantry/core-transfer';
export type {
  ExportCondition,
  ExportConditionGroup,
  ImportOutcome,
  ImportProblem,
  TransferFormat,
} from '@gantry/core-transfer';
export { version } from './version';
export { openIdentity } from './composition/open-identity';
export type { OpenedIdentity } from './composition/open-identity';
export { platformSchemas } from './modules';
