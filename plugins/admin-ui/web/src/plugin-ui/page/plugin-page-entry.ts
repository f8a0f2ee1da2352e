import type { NavigationEntry } from '../../ui/page/navigation-entry';

/** A link to a page of a plugin. */
export interface PluginPageEntry extends NavigationEntry {
  readonly plugin: string;
  /** The display name of the plugin. */
  readonly pluginName: string;
}
