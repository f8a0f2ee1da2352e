import type { PluginDecision } from '@gantry/contracts';

/** The settings that decide which plugins there are. */
export interface PluginSources {
  /** Absolute folder of data, logs and state. */
  readonly home: string;
  /** Absolute folder of the project: its package.json names plugins installed from npm. */
  readonly project: string;
  /** Absolute folders in which dropped-in plugin packages are found. */
  readonly pluginPath: readonly string[];
  /** Ids of the plugins that this process runs, with what they depend on and what is required; absent for all. */
  readonly only?: readonly string[];
  /** Absolute path of a file with decisions that count in place of the plugin set (GANTRY_PLUGIN_SET). */
  readonly setFile?: string;
  /** Decisions that count in place of those of the home: a set of the database that this process is to run. */
  readonly set?: ReadonlyMap<string, PluginDecision>;
  /** Decisions of a trial: they count as if they were in the state file. */
  readonly trial?: ReadonlyMap<string, PluginDecision>;
  /** Absolute folders of the packages that a trial looks at in addition. */
  readonly trialFolders?: readonly string[];
}
