import type { ModelInfo } from '@gantry/contracts';
import { documentationNavigation } from '../documentation';
import { operationsNavigation } from '../operations';
import { groupByPlugin } from '../plugin-ui/group-by-plugin';
import type { PluginPageEntry } from '../plugin-ui/plugin-page-entry';
import { mayReader, pageCaller } from '../api/initial-data';
import { ClockIcon, HomeIcon, KeyIcon, OutsideIcon, PlugIcon, TypeIcon, UsersIcon } from '../ui/icons';
import type { NavigationEntry } from '../ui/navigation-entry';

export interface NavigationGroup {
  /** Under which it is remembered whether the group is expanded. */
  readonly key: string;
  /** A group without a label is always expanded. */
  readonly label?: string;
  /** Collapsed until somebody expands it. */
  readonly isCollapsed?: boolean;
  readonly entries: readonly NavigationEntry[];
}

export interface NavigationSection {
  readonly label: string;
  readonly groups: readonly NavigationGroup[];
}

const home: readonly NavigationEntry[] = [{ label: 'Home', to: '/', icon: <HomeIcon /> }];
const system: readonly NavigationEntry[] = [
  ...(mayReader('plugins.read') ? [{ label: 'Plugins', to: '/plugins', icon: <PlugIcon /> }] : []),
  // While the platform is open on its machine, it has no users.
  ...(pageCaller?.kind === 'person' && mayReader('users.manage')
    ? [
        { label: 'Users', to: '/users', icon: <UsersIcon /> },
        { label: 'Roles', to: '/roles', icon: <KeyIcon /> },
      ]
    : []),
  ...(mayReader('audit.read') ? [{ label: 'Audit', to: '/audit', icon: <ClockIcon /> }] : []),
  ...(mayReader('webhooks.manage') ? [{ label: 'Webhooks', to: '/webhooks', icon: <OutsideIcon /> }] : []),
  ...documentationNavigation,
];

/** The entries that do not depend on the item types. */
export const fixedEntries: readonly NavigationEntry[] = [...home, ...operationsNavigation, ...system];

export interface NavigationRequest {
  readonly types: readonly ModelInfo[];
  readonly pages: readonly PluginPageEntry[];
  /** Codes of the types that the reader chose, in order; those whose plugin is disabled are left out. */
  readonly favourites: readonly string[];
  /** What names have to contain. */
  readonly filter: string;
}

export interface NavigationContent {
  readonly home: readonly NavigationEntry[];
  /** Without sections and groups that have no entry. */
  readonly sections: readonly NavigationSection[];
  /** Nothing matches the filter. */
  readonly isEmpty: boolean;
}

/** What the navigation shows: content that is edited here, operations with the records that services write, and the system. */
export function navigationOf({ types, pages, favourites, filter }: NavigationRequest): NavigationContent {
  const wanted = filter.trim().toLocaleLowerCase();
  const matches = (text: string): boolean => text.toLocaleLowerCase().includes(wanted);
  const shownTypes = types.filter(({ displayNamePlural, displayName, type, plugin }) =>
    matches(`${displayNamePlural} ${displayName} ${type} ${plugin}`),
  );
  const named = (entries: readonly NavigationEntry[]) => entries.filter(({ label }) => matches(label));
  const pinned = favourites.flatMap((code) => shownTypes.filter(({ type }) => type === code));
  // One entry of a page is the current one: that of the favourites, which come first.
  const entryOf = (type: ModelInfo): NavigationEntry => ({ ...typeEntry(type), isRepeated: pinned.includes(type) });
  const content: readonly NavigationGroup[] = [
    { key: ' favourites', label: 'Favourites', entries: pinned.map(typeEntry) },
    ...groupByPlugin(
      shownTypes.filter(({ readOnly }) => !readOnly),
      pages.filter(({ label }) => matches(label)),
    ).map(({ plugin, label, types: members, pages: own = [] }) => ({
      key: plugin,
      label,
      entries: [...members.map(entryOf), ...own],
    })),
  ];
  const records = shownTypes
    .filter(({ readOnly }) => readOnly)
    .toSorted((left, right) => left.displayNamePlural.localeCompare(right.displayNamePlural));
  const sections = [
    { label: 'Content', groups: content },
    {
      label: 'Operations',
      groups: [
        { key: ' operations', entries: named(operationsNavigation) },
        { key: ' records', label: 'Records', isCollapsed: true, entries: records.map(entryOf) },
      ],
    },
    { label: 'System', groups: [{ key: ' system', entries: named(system) }] },
  ]
    .map(({ label, groups }) => ({ label, groups: groups.filter(({ entries }) => entries.length > 0) }))
    .filter(({ groups }) => groups.length > 0);
  const shownHome = named(home);
  return { home: shownHome, sections, isEmpty: sections.length === 0 && shownHome.length === 0 };
}

/** The entry of the list of a type. */
function typeEntry({ type, displayNamePlural, icon }: ModelInfo): NavigationEntry {
  return { label: displayNamePlural, to: `/content/${type}`, icon: <TypeIcon path={icon} /> };
}
