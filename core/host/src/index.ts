export { checkPlugins } from './check/check-plugins';
export { isVersionText, parseSource } from './packages/open-source';
export { withSources } from './check/sources/with-sources';
export type { CheckTarget } from './check/sources/check-target';
export { installPackage, uninstallPlugin, upgradePackage } from './packages/package-commands';
export { preparePackage } from './packages/prepare-package';
export type { PreparedPackage } from './packages/prepare-package';
export { prepareUpgrade } from './packages/prepare-upgrade';
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
  ConnectionCheck,
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
export { eraseChanges } from '@gantry/core-content';
export { systemScope } from '@gantry/core-content';
export { createStderrLogger } from './common/logger';
export { openContent } from './composition/open-content';
export type { Content, ContentOptions } from './composition/open-content';
export { compilePluginsForCommand } from './composition/compile-for-command';
export type { CommandOptions, CompiledPlugins } from './composition/compile-for-command';
export { purgePlugin, readPluginSurvey } from './composition/purge-plugin';
export { openContentForCommand } from './composition/open-for-command';
export { linkDefinitions, openItems } from './composition/open-items';
export { compiledRoutes } from './declared-routes';
export { callRoute } from '@gantry/core-http';
export { routesOfPlugin } from '@gantry/core-loader';
export type { ApiToken, User } from '@gantry/core-identity';
export type { AuditEvent } from '@gantry/core-identity';
export type { ChangeAuthor } from '@gantry/core-http';
export type { Identity } from '@gantry/core-identity';
export type { NewUser, OneTimeLink, UserChange } from '@gantry/core-identity';
export type { OidcSettings } from '@gantry/core-identity';
export { createOpenApiDocument } from '@gantry/core-http';
export { dropArchives } from './plugin-set/archives';
export { unpinPlugin } from './plugin-set/unpin-plugin';
export { syncForCommand } from './plugin-set/sync-for-command';
export { createCollectingRouter } from '@gantry/core-loader';
export type { RegisteredRoute } from '@gantry/core-loader';
export { disablePlugin, enablePlugin, inspectPlugins, planInstall, PluginError } from '@gantry/core-loader';
export { exportItems, formatOfFile, importItems, TransferError, transferFormats } from '@gantry/core-transfer';
export type {
  ExportCondition,
  ExportConditionGroup,
  ExportOptions,
  ImportOptions,
  ImportOutcome,
  ImportProblem,
  TransferFormat,
} from '@gantry/core-transfer';
export { version } from './version';
export { openIdentity } from './composition/open-identity';
export type { OpenedIdentity } from './composition/open-identity';
export { platformSchemas } from './composition/platform-schemas';
