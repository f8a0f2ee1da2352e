import type { ModelInfo } from '@gantry/contracts';
import { documentationNavigation } from '../documentation';
import { operationsNavigation } from '../operations';
import { groupByPlugin } from '../plugin-ui/group-by-plugin';
import type { PluginPageEntry } from '../plugin-ui/page/plugin-page-entry';
import { mayReader, pageCaller } from '../api/platform/initial-data';
import { ClockIcon, HomeIcon, KeyIcon, PlugIcon, SettingsIcon, TypeIcon, UsersIcon, WebhookIcon } from '../ui/icons';
import type { NavigationEntry } from '../ui/page/navigation-entry';

export interface NavigationGroup {
  /** Under which it is remembered whether the group is expanded. */
  readonly key: string;
  readonly label: string;
  /** Collapsed until somebody expands it. */
  readonly isCollapsed?: boolean;
  readonly entries: readonly NavigationEntry[];
}

export const home: NavigationEntry = { label: 'Home', to: '/', icon: <HomeIcon /> };

/** The pages about the platform itself, which have their own navigation. */
export const settings: readonly NavigationEntry[] = [
  ...(mayReader('plugins.read') ? [{ label: 'Plugins', to: '/plugins', icon: <PlugIcon /> }] : []),
  // While the platform is open on its machine, it has no users.
  ...(pageCaller?.kind === 'person' && mayReader('users.manage')
    ? [
        { label: 'Users', to: '/users', icon: <UsersIcon /> },
        { label: 'Roles', to: '/roles', icon: <KeyIcon /> },
      ]
    : []),
  ...(mayReader('audit.read') ? [{ label: 'Audit', to: '/audit', icon: <ClockIcon /> }] : []),
  ...(mayReader('webhooks.manage') ? [{ label: 'Webhooks', to: '/webhooks', icon: <WebhookIcon /> }] : []),
  ...documentationNavigation,
];

/** The way to the settings; where there is one of them only, that one. */
export const settingsEntry: NavigationEntry | undefined =
  settings.length > 1 && settings[0] !== undefined
    ? { label: 'Settings', to: settings[0].to, icon: <SettingsIcon /> }
    : settings[0];

/** The entries that do not depend on the item types. */
export const fixedEntries: readonly NavigationEntry[] = [home, ...operationsNavigation, ...settings];

export interface NavigationRequest {
  readonly types: readonly ModelInfo[];
  readonly pages: readonly PluginPageEntry[];
  /** Codes of the types that the reader chose, in order; those whose plugin is disabled are left out. */
  readonly favourites: readonly string[];
}

/**
 * The groups of the navigation: what the reader chose, content by plugin, and operations with the records that services
 * write. Plugins with one entry, and those with an entry of the same name, have a group together. Groups without entries are left out.
 */
export function navigationOf({ types, pages, favourites }: NavigationRequest): readonly NavigationGroup[] {
  const pinned = favourites.flatMap((code) => types.filter(({ type }) => type === code));
  // One entry of a page is the current one: that of the favourites, which come first.
  const entryOf = (type: ModelInfo): NavigationEntry => ({ ...typeEntry(type), isRepeated: pinned.includes(type) });
  const plugins: readonly NavigationGroup[] = groupByPlugin(
    types.filter(({ readOnly }) => !readOnly),
    pages,
  ).map(({ plugin, label, types: members, pages: own = [] }) => ({
    key: plugin,
    label,
    entries: [...members.map(entryOf), ...own],
  }));
  const records = types
    .filter(({ readOnly }) => readOnly)
    .toSorted((left, right) => left.displayNamePlural.localeCompare(right.displayNamePlural));
  return [
    { key: ' favourites', label: 'Favourites', entries: pinned.map(typeEntry) },
    {
      key: ' content',
      label: 'Content',
      entries: plugins.filter((group) => !hasHeading(group)).flatMap(({ entries }) => entries),
    },
    ...plugins.filter(hasHeading),
    { key: ' operations', label: 'Operations', entries: operationsNavigation },
    { key: ' records', label: 'Records', isCollapsed: true, entries: records.map(entryOf) },
  ].filter(({ entries }) => entries.length > 0);
}

/** Whether the name of a plugin says more than its entries do. */
function hasHeading({ label, entries }: NavigationGroup): boolean {
  return entries.length > 1 && entries.every((entry) => entry.label !== label);
}

/** The entry of the list of a type. */
function typeEntry({ type, displayNamePlural, icon }: ModelInfo): NavigationEntry {
  return { label: displayNamePlural, to: `/content/${type}`, icon: <TypeIcon path={icon} /> };
}
