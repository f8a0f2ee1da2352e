import type { HostMessage, PluginDecision, Quarantine } from '@gantry/contracts';
import type { Logger, ProcessReference } from '@gantry/core-common';
import type { StopTimes } from './end-host';
import type { SpawnHostOptions } from './host-process';
import type { ListeningSocket } from './listening-socket';
import type { RestartPolicy } from './restart-policy';
import type { ServedPlugins } from './served-plugins';
import type { WatchdogTimes } from './watchdog';

export type ReadyMessage = Extract<HostMessage, { readonly kind: 'ready' }>;

export interface SupervisorOptions extends Pick<SpawnHostOptions, 'entry' | 'folder' | 'onLine'> {
  readonly logger: Logger;
  /** Environment of the next host process; asked at every start of one. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** What {@link environment} lacks while the servers start, for a process that is started in the meantime. */
  readonly coming?: SpawnHostOptions['coming'];
  /** Where hosts listen; without it each opens its own, and the plugin set cannot be changed while one runs. */
  readonly socket?: ListeningSocket;
  /** Called whenever a process begins to be the one that serves, with undefined when it has ended. */
  readonly onProcess: (reference: ProcessReference | undefined) => void;
  /** Called whenever a process that is to take the place of another begins, with undefined when that is decided. */
  readonly onSuccessor: (reference: ProcessReference | undefined) => void;
  /** Called at every ready, also after a restart. */
  readonly onReady: (message: ReadyMessage, quarantines: readonly Quarantine[]) => void;
  /** Stores decisions about plugins for the next start. */
  readonly keep: (decisions: Decisions) => Promise<void>;
  /** Returns to the decisions before the last ones that were stored. */
  readonly restore: () => Promise<unknown>;
  /** The plugins that were served for long enough to count as sound. */
  readonly served: ServedPlugins;
  readonly watchdogTimes?: WatchdogTimes;
  readonly stopTimes?: StopTimes;
  readonly restartPolicy?: RestartPolicy;
}

export type Decisions = Readonly<Record<string, PluginDecision>>;
