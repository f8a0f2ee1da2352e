import type { HostMessage, PluginDecision, Quarantine } from '@gantry/contracts';
import type { Logger } from '../logger';
import type { ProcessReference } from '../processes';
import type { StopTimes } from './end-host';
import type { ListeningSocket } from './listening-socket';
import type { SpawnHostOptions } from './spawn-host';
import type { WatchTimes } from './watch';

export type ReadyMessage = Extract<HostMessage, { readonly kind: 'ready' }>;

export interface RunHostOptions extends Pick<SpawnHostOptions, 'entry' | 'folder' | 'onLine'> {
  readonly logger: Logger;
  /** Environment of the next host process; asked at every start of one. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** What {@link environment} lacks while the servers start, for a process that is started meanwhile. */
  readonly coming?: SpawnHostOptions['coming'];
  /** Where hosts listen; without it each opens its own, and the plugin set cannot be changed while one runs. */
  readonly socket?: ListeningSocket;
  /** Called whenever a process begins to be the one that counts, with undefined when it has ended. */
  readonly onProcess: (reference: ProcessReference | undefined) => void;
  /** Called whenever a process that shall take the place of another begins, with undefined when that is decided. */
  readonly onSuccessor: (reference: ProcessReference | undefined) => void;
  /** Called at every ready, also after a restart. */
  readonly onReady: (message: ReadyMessage, quarantines: readonly Quarantine[]) => void;
  /** Keeps decisions about plugins for the next start. */
  readonly keep: (decisions: Readonly<Record<string, PluginDecision>>) => Promise<void>;
  readonly watchTimes?: WatchTimes;
  readonly stopTimes?: StopTimes;
}

export interface HostRun {
  /** Resolves after {@link stop}; rejects with a LauncherError when the host cannot be kept running. */
  readonly ended: Promise<void>;
  /** Lets the host drain, and ends it by signals when it does not. */
  stop(reason: string): Promise<void>;
  /** Ends the host at once. */
  kill(): void;
}
