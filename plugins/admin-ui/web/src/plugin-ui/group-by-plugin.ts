import type { ModelInfo } from '@gantry/contracts';
import type { PluginPageEntry } from './page/plugin-page-entry';

export interface PluginGroup {
  readonly plugin: string;
  readonly label: string;
  readonly types: readonly ModelInfo[];
  readonly pages?: readonly PluginPageEntry[];
}

/** The item types under their plugins, both in the order of their names, and after them the pages that plugins bring. */
export function groupByPlugin(
  types: readonly ModelInfo[],
  pages: readonly PluginPageEntry[] = [],
): readonly PluginGroup[] {
  const names = new Map([...types, ...pages].map(({ plugin, pluginName }) => [plugin, pluginName]));
  return [...names]
    .map(([plugin, label]) => ({
      plugin,
      label,
      types: types
        .filter((type) => type.plugin === plugin)
        .toSorted((left, right) => left.displayNamePlural.localeCompare(right.displayNamePlural)),
      pages: pages.filter((page) => page.plugin === plugin),
    }))
    .toSorted((left, right) => left.label.localeCompare(right.label));
}
