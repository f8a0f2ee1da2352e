import type {
  FollowedSet,
  HostedPlugin,
  HostMessage,
  PluginChange,
  PluginDecision,
  Quarantine,
  StartupReport,
} from '@gantry/contracts';
import type { Logger, ProcessReference } from '@gantry/core-common';
import type { WatchdogTimes } from './child/watchdog';
import type { SpawnHostOptions, StopTimes } from './host-process';
import type { ListeningSocket } from './listening-socket';
import type { RestartPolicy } from './restart-policy';

export type ReadyMessage = Extract<HostMessage, { readonly kind: 'ready' }>;

export interface SupervisorOptions extends Pick<SpawnHostOptions, 'entry' | 'folder' | 'environment' | 'onLine'> {
  readonly logger: Logger;
  /**
   * Options of the next host process beyond its environment; asked at every start of one. Resolves when the servers are
   * running; where they cannot be started it may never do so, and the supervisor is stopped.
   */
  readonly settings: () => Promise<Readonly<Record<string, string>>>;
  /** Finds the plugin, and the position in its files, that a stack passes through last. */
  readonly attributeStack: (
    stack: string,
    plugins: readonly HostedPlugin[],
  ) => { readonly plugin: string; readonly position: string } | undefined;
  /** Where hosts listen; without it each opens its own, and the plugin set cannot be changed while one runs. */
  readonly socket?: ListeningSocket;
  /** Called whenever a process begins to be the one that serves, with undefined when it has ended. */
  readonly onProcess: (reference: ProcessReference | undefined) => void;
  /** Called whenever a process that is to take the place of another begins, with undefined when that is decided. */
  readonly onSuccessor: (reference: ProcessReference | undefined) => void;
  /** Called at every ready, also after a restart. */
  readonly onReady: (message: ReadyMessage, quarantines: readonly Quarantine[]) => void;
  /** Returns to the decisions before the last ones that were stored. @param reason why, without a full stop */
  readonly restore: (reason: string) => Promise<unknown>;
  /** Notes that this host does not run a set that another one has stored. */
  readonly refuse: (followed: FollowedSet, error: NonNullable<PluginChange['error']>) => Promise<void>;
  /** The plugins that were served for long enough to count as sound. */
  readonly served: ServedPlugins;
  /** Keeps a process ready for the next reload, which has loaded its modules. */
  readonly reloadsOften?: boolean;
  readonly watchdogTimes?: WatchdogTimes;
  readonly stopTimes?: StopTimes;
  readonly restartPolicy?: RestartPolicy;
}

export type Decisions = Readonly<Record<string, PluginDecision>>;

/**
 * The plugins that were served until the time after a change had passed without a crash, with their versions. A plugin that
 * is not among them at a start was put into a plugin folder since, which counts as a change.
 */
export interface ServedPlugins {
  /** Differences of this report from the earlier start; none when that is not known. */
  compare(report: StartupReport): ServedDifference;
  record(report: StartupReport): void;
}

/** Ids of started plugins. */
export interface ServedDifference {
  /** Plugins that were not served. */
  readonly added: readonly string[];
  /** Plugins that were served in another version. */
  readonly updated: readonly string[];
}
