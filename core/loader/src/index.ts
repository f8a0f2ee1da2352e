export { inspectPlugins } from './commands/inspect-plugins';
export { findUpgradable, planInstall, planUninstall, planUpgrade } from './commands/package-plans';
export type { PackagePlan, UpgradablePlugin, UpgradePlan } from './commands/package-plans';
export { disablePlugin, enablePlugin, neededBy, planDisable, planUnpin } from './commands/plugin-commands';
export { prepareCheck } from './commands/prepare-check';
export type { CheckedPackage, CheckedPlugin, PreparedCheck } from './commands/prepare-check';
export { readManifest } from './commands/read-manifest';
export { attributeStack } from './execution/attribute-stack';
export { createPluginExecution } from './execution/plugin-execution';
export type { PluginExecution } from './execution/plugin-execution';
export type { Manifest } from './manifest/manifest';
export { hostPathOf, parseRoute } from './manifest/route-pattern';
export type { RoutePattern } from './manifest/route-pattern';
export { shippedSingletons } from './modules/duplicate-modules';
export { discover } from './phases/discover';
export { PluginError } from './plugin-error';
export type { PluginErrorCode } from './plugin-error';
export type { PluginSources } from './plugin-sources';
export { clashingNames, namedSchemas } from './record/compiled-schemas';
export type { DescribedPart, RequestPart, RouteContract } from './record/compiled-schemas';
export { installedPackage } from './record/installed-package';
export type { ServedUiFile } from './record/plugin-uis';
export type {
  CompiledRoute,
  CompiledSettings,
  DescribedSetting,
  RegisteredMount,
  RegisteredOptions,
  RegisteredPlugin,
  RegisteredRoute,
} from './record/registered-plugin';
export { withoutLock } from './record/startup-report';
export { checkFieldKinds } from './registration/contributions';
export { createCollectingRouter, keyProblems, limitProblems, toRegistered } from './registration/plugin-router';
export { compileContract, compileRouteSchemas, describeEach } from './registration/route-schemas';
export { routesOfPlugin } from './registration/routes-of-plugin';
export { createPluginRegistry } from './registry';
export type { PluginRegistry, PluginRegistryOptions } from './registry';
export { disabled, hostNameOf, keptPackage, readCopy, toMap, toObject } from './state/local-copy';
export type { LocalCopy, PluginDecisions } from './state/local-copy';
export { pinPackage } from './state/pin-package';
export {
  changeDecision,
  changeDecisions,
  forgetDecision,
  readDecisions,
  readPending,
  storeCopy,
} from './state/state-file';
export { hashContent } from './state/store/content-hash';
export { removeOrphanedDrafts, withDraft } from './state/store/drafts';
export { unpackPackage } from './state/store/package-archive';
export { listPackageFiles } from './state/store/package-files';
export { copyPackage, openStored, storePackage, storeUnpacked } from './state/store/package-store';
export { copySelfContained } from './state/store/self-contained';
export { limitBytes, maxBytes, maxFiles, unpackLimit } from './state/store/unpack-limit';
export { documentationProblems } from './registration/documentation-problems';
export { contributedViews, pluginCommand } from './record/route-calls';
export type { RegisteredCommand, RouteCalls } from './record/route-calls';
export { routeCallsOf } from './registration/route-calls/route-calls';
