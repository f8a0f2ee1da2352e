/** For the launcher and commands, which look at plugins and load none. */
export { inspectPlugins } from './commands/inspect-plugins';
export { attributeStack } from './execution/attribute-stack';
export type { PluginSources } from './plugin-sources';
export { forgetRefusedSet, readDecisions, readWaiting, refuseSet, returnToPreviousDecisions } from './state/state-file';
