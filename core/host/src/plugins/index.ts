export { inspectPlugins } from './commands/inspect-plugins';
export type { PluginInspection } from './commands/inspect-plugins';
export type { Manifest } from './manifest/manifest';
export { disablePlugin, enablePlugin, neededBy, planDisable, planUnpin } from './commands/plugin-commands';
export { PluginError } from './plugin-error';
export { createPluginExecution } from './execution/plugin-execution';
export type { PluginExecution } from './execution/plugin-execution';
export type { PluginErrorCode } from './plugin-error';
export type { PluginSources } from './plugin-sources';
export type { PluginServices } from './execution/plugin-services';
export { findUpgradable, planInstall, planUninstall, planUpgrade } from './commands/package-plans';
export type { NewPackage, PackagePlan, UpgradablePlugin, UpgradePlan } from './commands/package-plans';
export { shippedSingletons } from './modules/duplicate-modules';
export { readManifest } from './commands/read-manifest';
export { prepareCheck } from './commands/prepare-check';
export type { PreparedCheck, CheckedPackage, CheckedPlugin, PluginTarget } from './commands/prepare-check';
export { copyPackage, openStored, storePackage, storeUnpacked } from './state/store/package-store';
export { hashContent } from './state/store/content-hash';
export { discover } from './phases/discover';
export { withoutLock } from './record/startup-report';
export { removeOrphanedDrafts, withDraft } from './state/store/drafts';
export { copySelfContained } from './state/store/self-contained';
export { unpackPackage } from './state/store/package-archive';
export { limitBytes, maxBytes, maxFiles, unpackLimit } from './state/store/unpack-limit';
export { listPackageFiles } from './state/store/package-files';
export { problemKinds } from './problem-kinds';
export type { ProblemCode } from './problem-kinds';
export type { PluginCommand } from './record/plugin-command';
export type { RegisteredMount, RegisteredPlugin, RegisteredRoute } from './record/registered-plugin';
export {
  changeDecisions,
  contentHashesOf,
  forgetDecision,
  readDecisions,
  readPending,
  storeCopy,
} from './state/state-file';
export { decisionFor, disabled, hostNameOf, keptPackage, readCopy, toMap, toObject } from './state/local-copy';
export type { LocalCopy, PluginDecisions } from './state/local-copy';
export { createPluginRegistry } from './registry';
export type { ServedUiFile } from './record/plugin-uis';
export type { PluginRegistry, PluginRegistryOptions, PluginTimeouts, Served } from './registry';
export { installedPackage } from './record/installed-package';
