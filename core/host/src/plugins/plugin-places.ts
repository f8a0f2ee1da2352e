import type { HostConfig } from '../config';

/** The settings that decide which plugins there are. */
export type PluginPlaces = Pick<HostConfig, 'home' | 'project' | 'pluginPath' | 'only'>;
