export {
  decisionsSchema,
  installedSchema,
  parseHostMessage,
  parseHostStart,
  parseStart,
  quarantineSchema,
} from './messages';
export { spawnChild } from './spawn-child';
export type { Child, ChildEnd, ChildOptions } from './spawn-child';
export { createPhaseWatch } from './watchdog';
export type { Entered } from './watchdog';
