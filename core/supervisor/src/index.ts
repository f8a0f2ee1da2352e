export { openListeningSocket } from './listening-socket';
export type { ListeningSocket } from './listening-socket';
export type { ReloadFailure } from './rollout';
export { GaveUpError, startSupervisor } from './supervisor';
export type { Supervisor } from './supervisor';
export type { ReadyMessage, ServedPlugins, SupervisorOptions } from './supervisor-options';
