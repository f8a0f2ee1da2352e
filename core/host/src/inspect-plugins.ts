/** For the launcher, which must look at plugins before it starts a host, and must not load all of one to do so. */
export {
  attributeStack,
  forgetRefusedSet,
  inspectPlugins,
  readDecisions,
  readWaiting,
  refuseSet,
  returnToPreviousDecisions,
} from '@gantry/core-loader/inspect';
export type { PluginSources } from '@gantry/core-loader/inspect';
