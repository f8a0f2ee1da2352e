import type { ModelInfo, PluginUiReport } from '@gantry/contracts';
import { useQuery } from '@tanstack/react-query';
import { usePluginUis } from '../plugin-uis';
import { viewsQuery } from '../views/views-query';
import { pageAddress } from './page-paths';
import type { PluginPageEntry } from './plugin-page-entry';
import type { ReactNode } from 'react';
import {
  CheckIcon,
  ClockIcon,
  FlowIcon,
  HomeIcon,
  ImageIcon,
  InboxIcon,
  InfoIcon,
  LockIcon,
  PlugIcon,
  SearchIcon,
  TableIcon,
  WarningIcon,
} from '../../ui/icons';

/** The pages of plugins and modules: those with code, and those that are tables. */
export function usePageEntries(types: readonly ModelInfo[]): readonly PluginPageEntry[] {
  const tables = useQuery(viewsQuery).data.tablePages.map(({ plugin, pluginName, name, title, icon }) => ({
    ...{ plugin, pluginName, label: title, to: pageAddress(plugin, { path: name }), icon: pageIcon(icon) },
  }));
  return [...pageEntries(usePluginUis(), types), ...tables];
}

/**
 * The pages of all plugins that run, from their manifests alone. Pages that are written for another version of the UI API
 * are not known; one entry represents them and leads to the reason.
 */
function pageEntries(uis: readonly PluginUiReport[], types: readonly ModelInfo[] = []): readonly PluginPageEntry[] {
  return (
    uis
      // A plugin that has item types is nothing for a reader whose roles show none of them.
      .filter(({ itemTypes = [], id }) => itemTypes.length === 0 || types.some(({ plugin }) => plugin === id))
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
      })
  );
}

function isBelow(path: string, page: string): boolean {
  return page === '' || path.startsWith(`${page}/`);
}

const icons: Readonly<Record<string, ReactNode>> = {
  check: <CheckIcon />,
  clock: <ClockIcon />,
  flow: <FlowIcon />,
  home: <HomeIcon />,
  image: <ImageIcon />,
  inbox: <InboxIcon />,
  info: <InfoIcon />,
  lock: <LockIcon />,
  plug: <PlugIcon />,
  search: <SearchIcon />,
  table: <TableIcon />,
  warning: <WarningIcon />,
};

/** The icon that a manifest names for a page. */
function pageIcon(name: string): ReactNode {
  return (Object.hasOwn(icons, name) ? icons[name] : undefined) ?? icons['plug'];
}
