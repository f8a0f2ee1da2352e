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
export type { CompiledItemType } from './content/compile/descriptor';
export type { ItemTypes } from './content/compile/item-types';
export { itemMetadata, modelInfo } from './content/read/metadata';
export { eraseChanges } from './content/write/erase-changes';
export { systemScope } from './content/policy/scope';
export { createStderrLogger } from './common/logger';
export { openContent } from './composition/open-content';
export type { Content, ContentOptions } from './composition/open-content';
export { compilePluginsForCommand } from './composition/compile-for-command';
export type { CommandOptions, CompiledPlugins } from './composition/compile-for-command';
export { purgePlugin, readPluginSurvey } from './composition/purge-plugin';
export { openContentForCommand } from './composition/open-for-command';
export { linkDefinitions, openItems } from './composition/open-items';
export { compiledRoutes } from './http/declared-routes';
export { callRoute } from './http/exchange/call-route';
export { routesOfPlugin } from './plugins/registration/routes-of-plugin';
export type { ApiToken, User } from './identity/account-schemas';
export type { AuditEvent } from './identity/audit';
export type { ChangeAuthor } from './http/ports/audit-sink';
export type { Identity } from './identity/create-identity';
export type { NewUser, OneTimeLink, UserChange } from './identity/users';
export type { OidcSettings } from './identity/oidc/oidc-settings';
export { createOpenApiDocument } from './openapi';
export { dropArchives } from './plugin-set/archives';
export { unpinPlugin } from './plugin-set/unpin-plugin';
export { syncForCommand } from './plugin-set/sync-for-command';
export { createCollectingRouter } from './plugins/registration/plugin-router';
export type { RegisteredRoute } from './plugins/record/registered-plugin';
export { disablePlugin, enablePlugin, inspectPlugins, planInstall, PluginError } from './plugins';
export { exportItems, formatOfFile, importItems, TransferError, transferFormats } from './transfer';
export type {
  ExportCondition,
  ExportConditionGroup,
  ExportOptions,
  ImportOptions,
  ImportOutcome,
  ImportProblem,
  TransferFormat,
} from './transfer';
export { version } from './version';
