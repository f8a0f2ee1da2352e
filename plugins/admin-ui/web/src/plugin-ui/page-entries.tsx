import type { PluginUiReport } from '@gantry/contracts';
import { pageIcon } from './page-icon';
import { pageAddress } from './page-paths';
import type { PluginPageEntry } from './plugin-page-entry';

/**
 * The pages of all plugins that run, from their manifests alone. Pages that are written for another version of the UI API
 * are not known; one entry stands for them and leads to the reason.
 */
export function pageEntries(uis: readonly PluginUiReport[]): readonly PluginPageEntry[] {
  return uis
    .filter(({ state }) => state === 'started')
    .flatMap((plugin) => {
      const { id, displayName, ui } = plugin;
      if (ui.problem !== undefined && ui.pages.length === 0) {
        return [
          {
            plugin: id,
            pluginName: displayName,
            label: `${displayName}: pages`,
            to: `/x/${id}`,
            icon: pageIcon('warning'),
          },
        ];
      }
      return ui.pages.map((page) => ({
        plugin: id,
        pluginName: displayName,
        label: page.title,
        to: pageAddress(id, page),
        icon: pageIcon(page.icon),
        alone: ui.pages.some(({ path }) => path !== page.path && isBelow(path, page.path)),
      }));
    });
}

function isBelow(path: string, page: string): boolean {
  return page === '' || path.startsWith(`${page}/`);
}
