/** For the launcher, which must look at plugins before it starts a host, and must not load all of one to do so. */
export { attributeStack } from './plugins/execution/attribute-stack';
export { inspectPlugins } from './plugins/commands/inspect-plugins';
export type { PluginSources } from './plugins/plugin-sources';
export {
  forgetRefusedSet,
  readDecisions,
  readWaiting,
  refuseSet,
  returnToPreviousDecisions,
} from './plugins/state/state-file';
