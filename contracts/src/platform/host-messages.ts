import type { FollowedSet, GenerationsReport, PluginChangeAction, PluginDecision } from './plugin-changes';
import type { StartupReport } from './plugins';

/**
 * Messages of the host process to the launcher (`gantry up`) over its IPC channel.
 * `entering` is sent before any code of a plugin runs and `left` after it: when the host ends or goes silent in between,
 * the launcher knows the plugin at fault and starts the host again with that plugin quarantined.
 * @internal
 */
export type HostMessage =
  | { readonly kind: 'entering'; readonly plugin: string; readonly phase: string; readonly timeoutMs: number }
  | { readonly kind: 'left'; readonly plugin: string; readonly phase: string }
  | { readonly kind: 'alive'; readonly memory?: number }
  | {
      readonly kind: 'ready';
      readonly address: string;
      readonly report: StartupReport;
      readonly types: readonly string[];
    }
  | { readonly kind: 'fatal'; readonly code: string; readonly message: string; readonly remedy: string }
  /** The plugins whose code this process is about to run; sent before the first of it runs. */
  | { readonly kind: 'plugins'; readonly plugins: readonly HostedPlugin[] }
  /** The last message of a host that ends because of an uncaught error. */
  | { readonly kind: 'crash'; readonly error: string; readonly attribution?: CrashAttribution }
  /** Comes with a copy of the listening socket, which the launcher answers on while no host does. */
  | { readonly kind: 'socket' }
  /** Asks for another generation with these decisions about plugins, which that one stores before it serves. */
  | {
      readonly kind: 'change';
      readonly id: string;
      readonly action: PluginChangeAction;
      readonly decisions: Readonly<Record<string, PluginDecision>>;
      /** Of a change that another host has stored; `decisions` are those that are different here. */
      readonly follow?: FollowedSet;
    };

/** A plugin as far as the launcher needs to know it. @internal */
export interface HostedPlugin {
  readonly id: string;
  /** Absolute, real path. */
  readonly folder: string;
  /** The platform does not start without it. */
  readonly isRequired: boolean;
}

/** How it is known which plugin ended a host. @internal */
export const crashEvidences = ['phase', 'stack-frames', 'async-context', 'main-thread-sample'] as const;
/** One of {@link crashEvidences}. @internal */
export type CrashEvidence = (typeof crashEvidences)[number];

/** The plugin that ended a host, and what shows it. @internal */
export interface CrashAttribution {
  readonly plugin: string;
  readonly evidence: CrashEvidence;
  /** For example the place in its files, or the phase. */
  readonly detail: string;
}

/** Messages of the launcher to the host process. @internal */
export type LauncherMessage =
  | HostStart
  | { readonly kind: 'stop'; readonly reason: string }
  /** Another generation serves: take no new connections, finish what was begun, and end. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'generations'; readonly report: GenerationsReport };

/**
 * The first message to a host process, for which it waits: all that the launcher passes on to it. It comes when the
 * servers are running; the host loads its modules in the meantime.
 * @internal
 */
export interface HostStart {
  readonly kind: 'start';
  /** Settings that are known only now, such as the addresses of the servers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Plugins that an earlier attempt of this start had to give up. */
  readonly quarantines: readonly Quarantine[];
  /** The inherited socket on which it listens; without it, it opens its own. */
  readonly listenFd?: number;
  /** Absent where the plugin set cannot be changed while the platform runs. */
  readonly generations?: GenerationsReport;
  /** Set for a host that replaces another one. */
  readonly successor?: Successor;
  /** Set after a host that served has ended: clients wait for the next one, which serves before its workers poll. */
  readonly isRestart?: boolean;
}

/**
 * The role of a host process that replaces another one. It listens only when it is ready, and refuses when not all of
 * `mustStart` run.
 * @internal
 */
export interface Successor {
  readonly decisions: Readonly<Record<string, PluginDecision>>;
  readonly mustStart: readonly string[];
  /** The set of the database that it is to run; without it, it stores its own decisions there. */
  readonly follow?: FollowedSet;
}

/** A plugin that an earlier attempt of this start had to give up. @internal */
export interface Quarantine {
  readonly plugin: string;
  readonly phase: string;
  readonly code: string;
  readonly reason: string;
}
