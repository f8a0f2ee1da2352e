/** The parts of the check of a plugin, in order; a part after a problem may be skipped. @public */
export const pluginCheckParts = [
  'package',
  'manifest',
  'integrity',
  'dependencies',
  'names',
  'code',
  'schema',
  'workflows',
] as const;
/** One of {@link pluginCheckParts}. @public */
export type PluginCheckPart = (typeof pluginCheckParts)[number];

/** A warning does not keep a plugin from being enabled, a problem does. @public */
export type PluginCheckOutcome = 'ok' | 'warning' | 'problem';

/** One thing that the check of a plugin looked at. @public */
export interface PluginCheckLine {
  readonly part: PluginCheckPart;
  /** Stable id of what was looked at, for example `package/size`; of a problem, its part and its code: `manifest/manifest-invalid`. */
  readonly rule: string;
  readonly outcome: PluginCheckOutcome;
  /** Stable upper-snake word of a problem, for example `MANIFEST_INVALID`. */
  readonly code?: string;
  readonly message: string;
  /** The remedy of a warning or a problem. */
  readonly remedy?: string;
  /** The subject in full, such as SQL statements. */
  readonly details?: readonly string[];
}

/** The report of the check of a plugin, as if it were enabled. @public */
export interface PluginCheckReport {
  readonly plugin: string;
  readonly displayName: string;
  readonly version: string;
  /** Of the files that were checked; absent where they could not be read. */
  readonly contentHash?: string;
  /** The worst outcome of the lines. */
  readonly outcome: PluginCheckOutcome;
  readonly lines: readonly PluginCheckLine[];
  /** Milliseconds. */
  readonly duration: number;
}

/** Actions of changes on their plugins. @public */
export const pluginChangeActions = ['enable', 'disable', 'install', 'upgrade', 'uninstall'] as const;
/** One of {@link pluginChangeActions}. @public */
export type PluginChangeAction = (typeof pluginChangeActions)[number];

/**
 * How far a change of the plugin set is: it waits for another one; a new process loads, checks and warms up the new set
 * while the old one serves; the new one serves while the old one finishes what it has begun; or it has ended.
 * @public
 */
export const pluginChangePhases = ['waiting', 'starting', 'draining', 'done', 'failed'] as const;
/** One of {@link pluginChangePhases}. @public */
export type PluginChangePhase = (typeof pluginChangePhases)[number];

/** A package that was installed by command: the plugin set keeps it for all hosts, whatever folders these have. @public */
export interface InstalledPackage {
  readonly packageName: string;
  readonly version: string;
  /** Of its files, with the packages that it needs. */
  readonly contentHash: string;
  readonly source: 'registry' | 'tarball' | 'folder';
  /** The named source: a package with its version, or the path of a tarball or folder. */
  readonly from: string;
  /** Of the tarball, as in Subresource Integrity: `sha512-…`; absent for a folder. */
  readonly integrity?: string;
  /**
   * The `package-lock.json` of what it needs and does not bring along, with an integrity for each entry: every host installs
   * the same. Absent where it needs nothing, for a folder, and in reports.
   */
  readonly lock?: Readonly<Record<string, unknown>>;
  /** Who installed it. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The decision about a plugin. @public */
export type PluginDecision =
  | {
      readonly enabled: false;
      /** Its package, where that was installed by command. */
      readonly installed?: InstalledPackage;
    }
  /** Pinned to what it was when it was enabled. */
  | {
      readonly enabled: true;
      readonly version: string;
      readonly contentHash: string;
      /** The package's folder when it was enabled; the platform runs its own copy of the files. */
      readonly folder?: string;
      /** Which of the hosts of one database has that folder; absent for this one. */
      readonly host?: string;
      /** Its package, where that was installed by command; there is no folder then. */
      readonly installed?: InstalledPackage;
    };

/** A set of plugins that one of several hosts on one database has stored, and that the others follow. @internal */
export interface FollowedSet {
  /** Differs after every change of the set. */
  readonly revision: string;
  readonly generation: number;
  readonly plugins: Readonly<Record<string, PluginDecision>>;
  /** Ids of plugins about which nothing is decided any more. */
  readonly removed: readonly string[];
  /** Whether this host has stored it itself, by a process that ended before it was ready. */
  readonly isOwn?: boolean;
}

/** Which generation of the plugin set of the database a host runs. @public */
export interface PluginSetReport {
  /** Counts the changes of the set by all hosts. */
  readonly generation: number;
  /** The set of the database, where this host does not run it, or runs the same one without packages that are lacking here. */
  readonly behind?: {
    readonly generation: number;
    /** Why it does not; absent while it changes to that set. */
    readonly error?: { readonly code: string; readonly message: string; readonly remedy: string };
  };
}

/** A package that a host has fetched, to check or to install it. @public */
export interface PluginPackage {
  /** Id of the plugin that it is. */
  readonly plugin: string;
  readonly displayName: string;
  readonly installed: InstalledPackage;
  /** The version of the plugin that is there; absent where there is none. */
  readonly replaces?: string;
}

/** A change of the plugin set of a running platform. @public */
export interface PluginChange {
  readonly id: string;
  readonly action: PluginChangeAction;
  /** Ids of the plugins that it is about. */
  readonly plugins: readonly string[];
  readonly phase: PluginChangePhase;
  /** The current step of the new process, while it starts: for example `load recipes`. */
  readonly step?: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  /** When the phase was entered; ISO 8601. */
  readonly since: string;
  /** Milliseconds of each phase that is over; absent before the first is. */
  readonly durations?: Partial<Readonly<Record<PluginChangePhase, number>>>;
  /** Set where another host has made the change, and this one follows: the generation of the plugin set. */
  readonly follows?: number;
  /** Why it failed; the platform is unchanged. */
  readonly error?: { readonly code: string; readonly message: string; readonly remedy: string };
}

/** The generations of a running platform: a process that serves one set of plugins. @public */
export interface GenerationsReport {
  /** `next-start` where no launcher runs that could start another generation. */
  readonly changesTakeEffect: 'at-once' | 'next-start';
  /** Counts from 1 since the platform was started. */
  readonly generation: number;
  /** The latest changes, the newest first. */
  readonly changes: readonly PluginChange[];
  /** Whether requests of administrators may choose packages that are installed; absent in reports that no request asked for. */
  readonly takesPackages?: boolean;
  /** Absent where the host does not use the plugin set of the database. */
  readonly pluginSet?: PluginSetReport;
}
