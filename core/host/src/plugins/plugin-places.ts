import type { PluginDecision } from '@gantry/contracts';
import type { HostConfig } from '../config';

/** The settings that decide which plugins there are. */
export interface PluginPlaces extends Pick<HostConfig, 'home' | 'project' | 'pluginPath' | 'only'> {
  /** Decisions that are tried out: they count as if they stood in the state file. */
  readonly trial?: ReadonlyMap<string, PluginDecision>;
}
